import type { Log } from '@colonnade/service/log';
import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';
import * as z from 'zod';
import { createUpstream } from './upstream.ts';

/** What the shell's supervisor streams: which sets are resident, and the port of each. */
const pointerSchema = z.object({
  live: z.string().nullable(),
  previous: z.string().nullable(),
  canary: z.string().nullable(),
  sets: z.record(z.string(), z.number()),
});
type Pointer = z.infer<typeof pointerSchema>;

const retryMs = 250;
/** The supervisor writes a line every 5 s. */
const silenceMs = 12_000;

interface ShellSetsOptions {
  /** Base URL of the shell's supervisor. */
  url: string;
  deadlineMs: number;
  log: Log;
}

/** Follows the shell's resident release sets and proxies each request to the set it belongs to. */
export class ShellSets {
  readonly #options: ShellSetsOptions;
  #pointer: Pointer = { live: null, previous: null, canary: null, sets: {} };
  #upstreams = new Map<string, RequestHandler>();
  #stopped = new AbortController();

  constructor(options: ShellSetsOptions) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#pointer.live !== null;
  }

  /** Keeps the last pointer while the supervisor is away: its workers may well serve on. */
  async follow(): Promise<void> {
    const { url, log } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#read(`${url}/sets`);
      } catch (error) {
        if (!this.#stopped.signal.aborted) log.debug({ err: error }, 'set stream ended');
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** To the live set. */
  readonly live: RequestHandler = (req, res, next) => this.#to(this.#pointer.live)(req, res, next);

  /** To the set that a data request or a set table names, while that is resident; documents always come from the live one. */
  readonly forPage: RequestHandler = (req, res, next) => {
    const [path = '', query] = req.originalUrl.split('?', 2);
    const named = /^\/_mfe\/sets\/(\w+)\.json$/.exec(path)?.[1] ?? new URLSearchParams(query).get('_data');
    this.#to(named && this.#upstreams.has(named) ? named : this.#pointer.live)(req, res, next);
  };

  #to(set: string | null): RequestHandler {
    const upstream = set === null ? undefined : this.#upstreams.get(set);
    return upstream ?? ((_req, _res, next) => next(new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '5' } })));
  }

  async #read(url: string): Promise<void> {
    let silence: NodeJS.Timeout | undefined;
    const silent = new AbortController();
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => silent.abort(), silenceMs);
    };
    try {
      heard();
      const response = await fetch(url, { signal: AbortSignal.any([this.#stopped.signal, silent.signal]) });
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        heard();
        text += decoder.decode(chunk, { stream: true });
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) if (event.startsWith('data: ')) this.#moved(pointerSchema.parse(JSON.parse(event.slice(6))));
      }
    } finally {
      clearTimeout(silence);
    }
  }

  #moved(pointer: Pointer): void {
    const { url, deadlineMs, log } = this.#options;
    for (const [set, port] of Object.entries(pointer.sets)) {
      if (this.#upstreams.has(set)) continue;
      const target = new URL(url);
      target.port = String(port);
      this.#upstreams.set(set, createUpstream({ name: `shell ${set}`, target: target.origin, deadlineMs, log }));
    }
    for (const set of this.#upstreams.keys()) if (!(set in pointer.sets)) this.#upstreams.delete(set);
    if (pointer.live !== this.#pointer.live) log.info({ live: pointer.live, sets: Object.keys(pointer.sets) }, 'release set moved');
    this.#pointer = pointer;
  }
}
