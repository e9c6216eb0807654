import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from './servers.ts';

interface Kept {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names of the fields in their order, lower case. */
  order: string[];
  body: Buffer;
}

/** A cache in front of a gateway as docs/shared-cache.md wants one: by URL and encoding, for as long as it is told, and purged. */
export class SharedCache {
  /** Of the gateway; set before anybody visits. */
  origin = '';
  url = '';
  readonly kept = new Map<string, Kept>();
  /** Paths and keys, in order; of each once. */
  readonly purged: { path: string; keys: string | undefined }[] = [];
  /** Answers 503 to so many purges. */
  failing = 0;

  async start(): Promise<this> {
    this.url = (
      await listening(async (req, res) => {
        const { url = '', headers, method } = req;
        const encoding = /\b(br|gzip)\b/.exec(String(headers['accept-encoding']))?.[1] ?? 'identity';
        if (method === 'PURGE') {
          if (this.failing-- > 0) return void res.writeHead(503).end();
          if (encoding === 'br') this.purged.push({ path: url, keys: headers['surrogate-key'] as string | undefined });
          for (const key of this.kept.keys())
            if (key === `${encoding} ${url}` || (url === '/*' && key.startsWith(encoding))) this.kept.delete(key);
          return void res.writeHead(200).end();
        }
        const bypass = headers.cookie?.includes('colonnade-');
        const known = bypass ? undefined : this.kept.get(`${encoding} ${url}`);
        const answer = known ?? (await this.#ask(url, headers));
        const isFresh = Number(answer.headers['x-accel-expires']) > 0;
        // As nginx did it up to 1.23.0: `no-cache` holds where it is read first.
        const isSaidFirst = answer.order.indexOf('x-accel-expires') < answer.order.indexOf('cache-control');
        const mayKeep = isFresh && isSaidFirst && !answer.headers['set-cookie'] && !bypass;
        if (!known && mayKeep) this.kept.set(`${encoding} ${url}`, answer);
        res.writeHead(answer.status, { ...answer.headers, 'x-cache': known ? 'HIT' : 'MISS' }).end(answer.body);
      })
    ).url;
    return this;
  }

  #ask(url: string, headers: IncomingHttpHeaders): Promise<Kept> {
    return new Promise((resolve, reject) => {
      request(this.origin + url, { headers, agent: false })
        .on('error', reject)
        .on('response', (answer) => {
          const { statusCode: status = 0, headers, rawHeaders } = answer;
          const order = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
          buffer(answer).then((body) => resolve({ status, headers, order, body }), reject);
        })
        .end();
    });
  }
}
