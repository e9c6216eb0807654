import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../kit/service/fixtures/free-port.ts';
import { bareProxy } from '../test/bare-proxy.ts';
import { sendRaw } from '../test/raw.ts';
import { listening } from '../test/servers.ts';
import { gatewayBefore, gatewayTo, upstreamAt, type Way } from '../test/upstream-gateway.ts';
import type { UpstreamOptions } from './upstream.ts';

/** Longer than any deadline here, by what a busy machine may need; shorter than anything without one. */
const inTimeMs = 6000;

let way: Way;
const before = (handler: RequestListener | string, options?: Partial<UpstreamOptions>) => gatewayBefore(handler, way, options);

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  const result = await work;
  return { result, ms: performance.now() - started };
}

/** The body; null where the connection ended before it did, or it is 503 because nothing had been sent yet. */
async function wholeFrom(url: string): Promise<string | null> {
  try {
    const response = await fetch(url);
    const body = await response.text();
    return response.status === 503 ? null : body;
  } catch {
    return null;
  }
}

const spoofed = {
  Host: 'site.example',
  Forwarded: 'for=1.2.3.4',
  'X-Forwarded-For': '1.2.3.4',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'https',
  x_forwarded_for: '1.2.3.4',
  X_Real_IP: '1.2.3.4',
  'X-Real-IP': '1.2.3.4',
  'X-Original-URL': '/admin',
  'X-HTTP-Method-Override': 'DELETE',
  'X-Colonnade-Preview': '1',
  x_colonnade_preview: '1',
  TE: 'trailers',
  'Proxy-Authorization': 'secret',
  'Keep-Alive': 'timeout=99',
  Connection: 'keep-alive, X-Secret',
  'X-Secret': 'for the first hop',
};
const untold = Object.keys(spoofed)
  .map((name) => name.toLowerCase())
  .filter((name) => !['host', 'x-forwarded-for', 'connection'].includes(name));

async function answerTo(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest(url, { headers }).on('response', resolve).on('error', reject).end();
  return promise;
}

describe.each(['proxy', 'page'] as const)('an upstream, by %s,', (by) => {
  beforeAll(() => {
    way = by;
  });

  test('is told nothing that the visitor says about the connection, and says nothing of its own to the visitor', async () => {
    let seen: IncomingHttpHeaders = {};
    const inner: RequestListener = (req, res) => {
      seen = req.headers;
      const fields = { 'X-Powered-By': 'inner', 'X-Colonnade-Tags': 'news', Connection: 'X-Int', 'X-Int': '1', 'Keep-Alive': 'timeout=9' };
      res.writeHead(200, { ...fields, 'X-Kept': 'yes' }).end('ok');
    };
    const answer = await answerTo(`${(await before(inner)).url}/x?y=1`, { ...spoofed, 'X-Request-Id': 'spoofed-by-visitor' });
    expect(seen).toMatchObject({ host: 'site.example', 'x-forwarded-for': '127.0.0.1', 'x-request-id': 'request-1' });
    for (const header of untold) expect(seen, header).not.toHaveProperty(header);
    expect([seen.connection, answer.headers.connection]).toEqual(['keep-alive', 'keep-alive']);
    expect(answer.headers).toMatchObject({ 'x-kept': 'yes' });
    for (const header of ['x-powered-by', 'x-colonnade-tags', 'x-int']) expect(answer.headers).not.toHaveProperty(header);

    // Control: without the defence the upstream is told all of it.
    const bare = await bareProxy((await listening(inner)).url);
    const bareAnswer = await answerTo(`http://127.0.0.1:${bare}/x`, spoofed);
    for (const header of untold) expect(seen, header).toHaveProperty(header);
    expect(seen['x-forwarded-for']).toContain('1.2.3.4');
    for (const header of ['x-colonnade-tags', 'x-int']) expect(bareAnswer.headers).toHaveProperty(header);
  });

  test('gets a body whole, with its length, however it was sent', async () => {
    const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
    const { port, url } = await before(async (req, res) => {
      seen.push({ headers: req.headers, body: await text(req) });
      res.end('ok');
    });
    const head = 'POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    await sendRaw(port, `${head}Transfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n`);
    await sendRaw(port, `${head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\nabcde`);
    await sendRaw(port, `${head}Content-Length: 0\r\n\r\n`);
    await sendRaw(port, `${head}\r\n`);
    await fetch(`${url}/x`);
    expect(seen.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
      ['abcde', '5'],
      ['abcde', '5'],
      ['', '0'],
      ['', '0'],
      ['', undefined],
    ]);
    for (const { headers } of seen) for (const name of ['transfer-encoding', 'expect', 'trailer']) expect(headers).not.toHaveProperty(name);
  });

  test('that refuses connections is 503 at the deadline, and nothing inner in the answer', async () => {
    const port = await freePort();
    const { url } = await before(`http://127.0.0.1:${port}`, { deadlineMs: 500 });
    const { result: response, ms } = await timed(fetch(`${url}/x`));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).not.toContain(String(port));
    expect(ms).toBeLessThan(inTimeMs);
  });

  test('that is back within the deadline gets what was refused meanwhile, a POST too, once each', async () => {
    const port = await freePort();
    const { url, gauge } = await before(`http://127.0.0.1:${port}`, { deadlineMs: 5000 });
    const bodies: string[] = [];
    const waiting = Array.from({ length: 20 }, (_, i) => fetch(`${url}/x`, { method: 'POST', body: String(i) }));
    await expect.poll(() => gauge('upstream_retries_total')).toBeGreaterThan(20);
    await listening(
      async (req, res) => {
        bodies.push(await text(req));
        res.end('ok');
      },
      { port },
    );
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(bodies.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test('that moves gets at its new place what was refused at the old one; its breaker starts anew', async () => {
    const { upstream, url, gauge } = await before(`http://127.0.0.1:${await freePort()}`, { deadlineMs: 5000 });
    const paths: (string | undefined)[] = [];
    const next = await listening((req, res) => {
      paths.push(req.url);
      res.end('ok');
    });
    const waiting = ['GET', 'POST'].map((method) => fetch(`${url}/x?${method}`, { method }));
    await expect.poll(() => gauge('upstream_retries_total')).toBeGreaterThan(2);
    upstream.moveTo(next.url);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(paths.sort()).toEqual(['/x?GET', '/x?POST']);

    const broken = await before((req) => req.socket.destroy());
    for (let i = 0; i < 5; i++) await fetch(`${broken.url}/x`);
    expect(await broken.gauge('upstream_breaker')).toBe(2);
    broken.upstream.moveTo(next.url);
    expect((await fetch(`${broken.url}/x`)).status).toBe(200);
  });

  test('that trickles is cut at the deadline: bytes do not extend it', async () => {
    const trickle: RequestListener = (req, res) => {
      // An answer that says how long it will be is taken whole before any of it is sent.
      res.writeHead(200, req.url?.endsWith('announced') ? { 'Content-Length': 15 } : {});
      const drip = setInterval(() => res.write('x'), 200);
      res.on('close', () => clearInterval(drip));
    };
    const { url, gauge } = await before(trickle, { deadlineMs: 500 });
    const cut = await timed(wholeFrom(`${url}/x`));
    expect(cut.result).toBeNull();
    expect(cut.ms).toBeLessThan(inTimeMs);
    const announced = await timed(wholeFrom(`${url}/x?announced`));
    expect(announced.result).toBeNull();
    expect(announced.ms).toBeLessThan(inTimeMs);
    await expect.poll(() => gauge('upstream_requests_in_flight')).toBe(0);

    // Control: the library's own limit is one of silence.
    const bare = await bareProxy((await listening(trickle)).url, { proxyTimeout: 1500 });
    const whole = await timed(fetch(`http://127.0.0.1:${bare}/x?announced`).then((response) => response.text()));
    expect(whole.result).toHaveLength(15);
    expect(whole.ms).toBeGreaterThan(1500);
  });

  test('that breaks off in the middle is never a whole answer, and counts as failing', async () => {
    const { url, gauge } = await before((_req, res) => {
      res.writeHead(200, { 'Content-Length': 1000 });
      res.write('x'.repeat(500), () => res.destroy());
    });
    for (let i = 0; i < 5; i++) expect(await wholeFrom(`${url}/x`)).toBeNull();
    expect(await gauge('upstream_breaker')).toBe(2);
    expect((await fetch(`${url}/x`)).status).toBe(503);
  });

  test('that hangs is left alone after a few failures; then one request probes it, and only one', async () => {
    const held: (() => void)[] = [];
    let asked = 0;
    const { url } = await before(
      (_req, res) => {
        asked++;
        held.push(() => res.end('ok'));
      },
      { deadlineMs: 2000 },
    );
    const statuses = (times: number) => Promise.all(Array.from({ length: times }, async () => (await fetch(`${url}/x`)).status));
    expect(await statuses(5)).toEqual(Array(5).fill(503));
    expect(await statuses(20)).toEqual(Array(20).fill(503));
    expect(asked).toBe(5);

    const probe = Promise.withResolvers<number>();
    await expect
      .poll(
        () => {
          void fetch(`${url}/x`).then(({ status }) => status === 200 && probe.resolve(status));
          return asked;
        },
        { timeout: 5000 },
      )
      .toBe(6);
    expect(await statuses(20)).toEqual(Array(20).fill(503));
    expect(asked).toBe(6);
    held.at(-1)?.();
    expect(await probe.promise).toBe(200);
    const all = statuses(3);
    await expect.poll(() => asked).toBe(9);
    for (const release of held.slice(-3)) release();
    expect(await all).toEqual([200, 200, 200]);
  });

  test('gets no more requests at once than its cap; the next ones wait, more than that are refused at once', async () => {
    const held: (() => void)[] = [];
    const { url, gauge } = await before((_req, res) => void held.push(() => res.end('ok')), {
      maxInFlight: 3,
      maxQueued: 2,
      queueMs: 20_000,
      deadlineMs: 5000,
    });
    const accepted = [1, 2, 3].map(() => fetch(`${url}/x`));
    await expect.poll(() => held.length).toBe(3);
    const queued = [1, 2].map(() => fetch(`${url}/x`));
    await expect.poll(() => gauge('upstream_requests_queued')).toBe(2);
    const refused = await timed(fetch(`${url}/x`));
    expect([refused.result.status, refused.result.headers.get('retry-after')]).toEqual([503, '1']);
    for (const release of held.splice(0)) release();
    await expect.poll(() => held.length).toBe(2);
    for (const release of held.splice(0)) release();
    expect((await Promise.all([...accepted, ...queued])).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await gauge('upstream_requests_in_flight')).toBe(0);
  });

  test('that is frozen holds nobody beyond the deadline, and nobody else at all', async () => {
    let atOnce = 0;
    let most = 0;
    const frozen = await listening((req) => {
      atOnce++;
      most = Math.max(most, atOnce);
      req.socket.once('close', () => atOnce--);
    });
    const well = await listening((_req, res) => res.end('ok'));
    const gateway = await gatewayTo(
      { frozen: upstreamAt(frozen.url, { maxInFlight: 64, deadlineMs: 2000 }).upstream, well: upstreamAt(well.url).upstream },
      way,
    );
    const flood = Promise.all(
      Array.from({ length: 1000 }, async () => {
        const { result, ms } = await timed(answerTo(`${gateway.url}/frozen`, {}));
        result.resume();
        return { status: result.statusCode, ms };
      }),
    );
    await expect.poll(() => atOnce).toBe(64);
    for (let i = 0; i < 20; i++) expect((await fetch(`${gateway.url}/well`)).status).toBe(200);
    const answers = await flood;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(inTimeMs);
    expect(most).toBe(64);

    // Control: the library queues without a limit before a pool of 256, and each round takes its whole time.
    const bare = await bareProxy(frozen.url, { proxyTimeout: 2000 });
    const { ms } = await timed(
      Promise.all(Array.from({ length: 1000 }, async () => (await answerTo(`http://127.0.0.1:${bare}/x`, {})).resume())),
    );
    expect(ms).toBeGreaterThan(inTimeMs);
    expect(most).toBeGreaterThan(64);
  });

  describe('that loses the connection before it answers', () => {
    async function losing(times: number, options: Partial<UpstreamOptions> = {}) {
      const hits: string[] = [];
      const { url } = await before((req, res) => {
        hits.push(String(req.method));
        if (hits.length <= times) req.socket.destroy();
        else res.end('ok');
      }, options);
      return { url: `${url}/x`, hits };
    }

    test('is asked again, once, for a GET or HEAD', async () => {
      for (const method of ['GET', 'HEAD']) {
        const once = await losing(1);
        expect((await fetch(once.url, { method })).status).toBe(200);
        expect(once.hits).toEqual([method, method]);
        const twice = await losing(2);
        expect((await fetch(twice.url, { method })).status).toBe(503);
        expect(twice.hits).toHaveLength(2);
      }
    });

    test('is not risked with a POST: a kept connection may be closing at that moment', async () => {
      const ports: (number | undefined)[] = [];
      const { url } = await before((req, res) => {
        ports.push(req.socket.remotePort);
        req.resume().on('end', () => res.end('ok'));
      });
      for (const method of ['GET', 'GET', 'POST', 'GET']) await (await fetch(`${url}/x`, { method })).text();
      const [first, second, post, last] = ports;
      expect([second, last]).toEqual([first, first]);
      expect(post).not.toBe(first);
    });

    test('is never sent a POST again', async () => {
      const { url, hits } = await losing(1);
      expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(503);
      expect(hits).toEqual(['POST']);
    });

    test('is not asked again by the request that ended it; that opens no breaker either', async () => {
      const { url, hits } = await losing(6, { wasCulprit: (id) => id === 'request-of-death' });
      for (let i = 0; i < 6; i++) expect((await fetch(url, { headers: { 'x-test-id': 'request-of-death' } })).status).toBe(503);
      expect(hits).toHaveLength(6);
      expect((await fetch(url)).status).toBe(200);
    });
  });

  test('learns each time that the visitor has left, and so does the queue', async () => {
    let open = 0;
    const { url, gauge } = await before(
      (req) => {
        open++;
        req.once('close', () => open--);
      },
      { maxInFlight: 60, maxQueued: 40, queueMs: 20_000, deadlineMs: 10_000 },
    );
    const leaving = new AbortController();
    const visits = Array.from({ length: 100 }, () => fetch(`${url}/x`, { signal: leaving.signal }).catch(() => 'left'));
    await expect.poll(() => open).toBe(60);
    leaving.abort();
    expect(await Promise.all(visits)).toEqual(Array(100).fill('left'));
    await expect.poll(() => open).toBe(0);
    await expect.poll(() => gauge('upstream_requests_in_flight')).toBe(0);
    expect(await gauge('upstream_requests_queued')).toBe(0);
    expect(await gauge('upstream_breaker')).toBe(0);
  });

  test('is held neither by a visitor who reads slowly, nor is that visitor cut at the deadline', async () => {
    const bytes = way === 'page' ? 1_900_000 : 20_000_000;
    const { port, gauge } = await before((_req, res) => res.end(Buffer.alloc(bytes)), { deadlineMs: 3000 });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(socket, 'readable');
    socket.pause();
    await expect.poll(() => gauge('upstream_requests_in_flight')).toBe(0);
    // Longer than the deadline, which is what would cut it.
    await new Promise((resolve) => setTimeout(resolve, 3500));
    let read = 0;
    for await (const chunk of socket) read += (chunk as Buffer).length;
    expect(read).toBeGreaterThan(bytes);
  });

  test('that answers more than a page may have fails that request and no other; it counts against the release', async () => {
    let unanswered = 0;
    const { url, gauge } = await before((req, res) => res.end(req.url === '/x?large' ? 'x'.repeat(2_500_000) : 'ok'), {
      unanswered: () => unanswered++,
    });
    // Passed on as it comes, it is never held.
    const expected = way === 'page' ? null : 'x'.repeat(2_500_000);
    for (let i = 0; i < 6; i++) expect((await wholeFrom(`${url}/x?large`)) === expected).toBe(true);
    expect([unanswered, await gauge('upstream_breaker')]).toEqual([way === 'page' ? 6 : 0, 0]);
    expect(await wholeFrom(`${url}/x`)).toBe('ok');
  });

  test('can be asked by the gateway itself: the whole answer with what is internal, or a Problem', async () => {
    let hits = 0;
    const { upstream } = await before((req, res) => {
      hits++;
      if (hits === 1) return void req.socket.destroy();
      if (req.url === '/hang') return;
      res.writeHead(404, { 'X-Colonnade-Tags': 'news', 'Keep-Alive': 'timeout=9' }).end(`${req.method} ${req.url} ${req.headers.host}`);
    });
    const answer = await upstream.fetch({ path: '/x?y=1', headers: { host: 'site.example' } });
    expect(answer).toMatchObject({ status: 404, headers: { 'x-colonnade-tags': 'news' } });
    expect(answer.body.toString()).toBe('GET /x?y=1 site.example');
    expect(answer.headers).not.toHaveProperty('keep-alive');
    await expect(upstream.fetch({ path: '/hang', headers: {} })).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });
});
