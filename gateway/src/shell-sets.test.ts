import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import express from 'express';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { listening, log, routes, type Seen, siteOrigin, visit } from '../fixtures/page-cache.ts';
import { serverErrorPage } from './middleware/server-error-page.ts';
import { createPageCache } from './page-cache/page-cache.ts';
import { ShellSets } from './shell-sets.ts';
import { createUpstream, type Upstream } from './upstream.ts';
import { upstreamMetrics } from './upstream-metrics.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function start(listener: RequestListener): Promise<{ server: Server; origin: string; port: number }> {
  const server = createServer(listener);
  const origin = await listening(server);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, origin, port: Number(new URL(origin).port) };
}

/** A supervisor whose events the test writes. */
class Supervisor {
  readonly #streams = new Set<ServerResponse>();
  #last = '';
  origin = '';
  server!: Server;

  async start(): Promise<this> {
    const { server, origin } = await start((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(this.#last || ':\n\n');
      this.#streams.add(res);
    });
    Object.assign(this, { server, origin });
    return this;
  }

  get followers(): number {
    return this.#streams.size;
  }

  point(live: string | null, sets: Record<string, number>): void {
    const all = Object.fromEntries(Object.keys(sets).map((id) => [id, routes]));
    this.#last = `data: ${JSON.stringify({ live, previous: null, canary: null, sets, routes: all })}\n\n`;
    this.write(this.#last);
  }

  write(block: string): void {
    for (const stream of this.#streams) stream.write(block);
  }

  kill(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const worker = (set: string) =>
  start((req, res) => {
    res.writeHead(200, { 'X-Colonnade-Tags': 'pages', 'X-Release-Set': set }).end(`${req.method} ${req.url} of ${set}`);
  });

async function gateway(
  url: string,
  deadlineMs = 5000,
): Promise<{ sets: ShellSets; metrics: Registry; made: string[]; culprit: (id: string) => boolean; ask(path: string): Promise<Seen> }> {
  const made: string[] = [];
  let culprit: (id: string) => boolean = () => false;
  const metrics = new Registry();
  const common = { deadlineMs, maxInFlight: 8, maxQueued: 8, metrics: upstreamMetrics(metrics), log };
  const upstream = (options: { name: string; target: string; wasCulprit?(id: string): boolean }): Upstream => {
    made.push(options.target);
    culprit = options.wasCulprit ?? culprit;
    return createUpstream({ ...common, ...options });
  };
  const sets = new ShellSets({ url, log, upstream });
  void sets.follow();
  const cache = createPageCache({ sets, origin: siteOrigin, maxBytes: 1e6, changes: {}, metrics, log });
  const app = express().use((req, res, next) => {
    req.id = 'request-1';
    res.locals.route = 'page';
    next();
  });
  const { origin } = await start(app.use(sets.known, cache.handler, serverErrorPage));
  closing.push(() => sets.stop());
  return {
    sets,
    metrics,
    made,
    culprit: (id) => culprit(id),
    ask: (path) => visit(`${origin}${path}`, { headers: { accept: 'text/html' } }),
  };
}

test('documents come from the live set, data and set tables from the set they name while it is resident', async () => {
  const [supervisor, a, b] = await Promise.all([new Supervisor().start(), worker('a'), worker('b')]);
  supervisor.point('a', { a: a.port });
  const { ask, sets } = await gateway(supervisor.origin);
  await expect.poll(() => sets.available).toBe(true);
  expect((await ask('/inquiry')).text).toBe('GET /inquiry of a');
  supervisor.point('b', { a: a.port, b: b.port });
  await expect.poll(async () => (await ask('/inquiry')).text).toBe('GET /inquiry of b');
  for (const path of ['/news?_data=a', '/inquiry?x=?&_dat%61=a', '/_mfe/sets/a.json', '/_mfe/sets/a.json?x'])
    expect((await ask(path)).headers['x-release-set'], path).toBe('a');
  supervisor.point('b', { b: b.port });
  await expect.poll(async () => (await ask('/inquiry?_data=a')).headers['x-release-set']).toBe('b');
});

test('who comes before the supervisor has said anything waits for its first word', async () => {
  const [supervisor, only] = await Promise.all([new Supervisor().start(), worker('a')]);
  const { ask, sets } = await gateway(supervisor.origin);
  const early = ['/inquiry', '/_mfe/sets/a.json'].map(ask);
  await expect.poll(() => supervisor.followers).toBe(1);
  expect(sets.available).toBe(false);
  supervisor.point('a', { a: only.port });
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 200]);
});

test('a set that has moved to another port is asked there', async () => {
  const [supervisor, before, after] = await Promise.all([new Supervisor().start(), worker('before'), worker('after')]);
  supervisor.point('a', { a: before.port });
  const { ask, made } = await gateway(supervisor.origin);
  await expect.poll(async () => (await ask('/inquiry')).text).toContain('before');
  supervisor.point('a', { a: before.port });
  supervisor.point('a', { a: after.port });
  await expect.poll(async () => (await ask('/inquiry')).text).toContain('after');
  // By the same upstream: whoever waits for it moves with it.
  expect(made).toEqual([before.origin]);
});

test('a set that is gone is measured no more, nor is what it answers last', async () => {
  const held: ServerResponse[] = [];
  const [supervisor, last, next] = await Promise.all([
    new Supervisor().start(),
    start((req, res) => (req.url === '/inquiry?broken' ? req.socket.destroy() : void held.push(res))),
    worker('b'),
  ]);
  supervisor.point('a', { a: last.port });
  const { ask, sets, metrics } = await gateway(supervisor.origin);
  await expect.poll(() => sets.available).toBe(true);
  for (const counter of ['requests_refused_total{upstream="shell a",reason="breaker"} 0', 'retries_total{upstream="shell a"} 0'])
    expect(await metrics.metrics()).toContain(`upstream_${counter}`);
  const late = ask('/inquiry');
  await expect.poll(() => held.length).toBe(1);
  for (let i = 0; i < 6; i++) expect((await ask('/inquiry?broken')).status).toBe(503);
  expect(await metrics.metrics()).toContain('upstream_breaker{upstream="shell a"} 2');
  expect(await metrics.metrics()).toContain('upstream_requests_refused_total{upstream="shell a",reason="breaker"} 1');
  supervisor.point('b', { b: next.port });
  await expect.poll(() => sets.isResident('a')).toBe(false);
  expect(await metrics.metrics()).not.toContain('shell a');
  held[0]?.end('at last');
  expect((await late).text).toBe('at last');
  expect(await metrics.metrics()).not.toContain('shell a');
  expect(await metrics.metrics()).toContain('upstream_breaker{upstream="shell b"} 0');
});

test('a request that ended its worker is known for a while', async () => {
  const supervisor = await new Supervisor().start();
  supervisor.point('a', { a: 1 });
  const { culprit, sets } = await gateway(supervisor.origin);
  await expect.poll(() => sets.available).toBe(true);
  expect(culprit('request-9')).toBe(false);
  supervisor.write('event: culprit\ndata: {"requestId":"request-9"}\n\n');
  await expect.poll(() => culprit('request-9')).toBe(true);
  expect(culprit('request-8')).toBe(false);
});

test('with worker and supervisor gone, visitors get the last good copy, and without one the gateway’s own page', async () => {
  const [supervisor, only] = await Promise.all([new Supervisor().start(), worker('a')]);
  supervisor.point('a', { a: only.port });
  const { ask, sets } = await gateway(supervisor.origin, 500);
  await expect.poll(() => sets.available).toBe(true);
  for (const path of ['/', '/news?_data=a']) await ask(path);
  only.server.closeAllConnections();
  only.server.close();
  supervisor.kill();
  const documents = async () => {
    const { status, text, headers } = await ask('/');
    expect([status, text, headers.age]).toEqual([200, 'GET / of a', '0']);
    expect(headers['cache-status']).toMatch(/^colonnade; hit; ttl=\d+$/);
    expect((await ask('/news?_data=a')).text).toBe('GET /news?_data=a of a');
  };
  await documents();
  const unseen = await ask('/news/unseen');
  expect([unseen.status, unseen.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect((await ask('/inquiry')).status).toBe(503);
});

test('a supervisor that has nothing live says so; copies of the set before are found all the same', async () => {
  const [supervisor, only] = await Promise.all([new Supervisor().start(), worker('a')]);
  supervisor.point('a', { a: only.port });
  const { ask, sets } = await gateway(supervisor.origin);
  await expect.poll(() => sets.available).toBe(true);
  await ask('/');
  supervisor.point(null, {});
  await expect.poll(() => sets.available).toBe(false);
  expect((await ask('/')).text).toBe('GET / of a');
  expect((await ask('/inquiry')).status).toBe(503);
});
