import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listener, listen } from './listener.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { opsRoutes } from './ops.ts';
import { methodNotAllowed, notFoundHandler, Problem, problemHandler } from './problem.ts';
import { recordRequests, requestContext } from './request.ts';

let listener: Listener;
let url: string;
const log = createLog('test');

beforeAll(async () => {
  const metrics = createMetrics('test');
  const app = express();
  app.use(requestContext(recordRequests({ log, metrics })));
  app.use(
    opsRoutes({
      name: 'test',
      version: '1.2.3',
      checks: { fine: async () => {}, hanging: () => new Promise(() => {}), broken: () => Promise.reject(new Error('secret')) },
      state: () => ({ set: 'abc' }),
      registry: metrics,
    }),
  );
  app.get('/items/:id', (req, res) => void res.json({ id: req.params.id }));
  app.all('/items/:id', methodNotAllowed('GET', 'HEAD'));
  app.post('/json', express.json({ limit: 100 }), (req, res) => void res.json(req.body));
  app.get('/problem', () => {
    throw new Problem(422, 'Unprocessable content', { detail: 'No.', extra: { errors: { name: 'Missing.' } }, cause: new Error('secret') });
  });
  app.get('/bug', () => {
    throw Object.assign(new Error('secret /srv/path'), { status: 200, detail: 'secret' });
  });
  app.get('/half', (_req, res, next) => {
    res.write('half');
    setTimeout(() => next(new Error('secret')), 20);
  });
  app.use(notFoundHandler);
  app.use(problemHandler(log));
  listener = await listen(app, { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${listener.port}`;
});
afterAll(() => listener.drain());

async function problem(path: string, init?: RequestInit) {
  const res = await fetch(url + path, init);
  expect(res.headers.get('content-type')).toBe('application/problem+json');
  expect(res.headers.get('cache-control')).toBe('no-store');
  const body = await res.json();
  expect(body.requestId).toBe(res.headers.get('x-request-id'));
  expect(JSON.stringify(body)).not.toContain('secret');
  return { res, body };
}

const json = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });

it('sends a problem with its further members', async () => {
  const { res, body } = await problem('/problem', { headers: { 'x-request-id': 'visitor-1234' } });
  expect(res.status).toBe(422);
  expect(body).toEqual({
    type: 'about:blank',
    title: 'Unprocessable content',
    status: 422,
    detail: 'No.',
    errors: { name: 'Missing.' },
    requestId: 'visitor-1234',
  });
});

it('tells nothing of an unknown error', async () => {
  const { body } = await problem('/bug');
  expect(body).toEqual({ type: 'about:blank', title: 'Internal server error', status: 500, requestId: expect.any(String) });
});

it('answers unknown paths, wrong methods and malformed paths', async () => {
  expect((await problem('/nothing')).body.status).toBe(404);
  const { res } = await problem('/items/1', { method: 'DELETE' });
  expect(res.status).toBe(405);
  expect(res.headers.get('allow')).toBe('GET, HEAD');
  expect((await problem('/items/%ff')).body.status).toBe(400);
});

it('answers bodies that cannot be read', async () => {
  expect((await problem('/json', json('{"a":'))).body.status).toBe(400);
  expect((await problem('/json', json(JSON.stringify('x'.repeat(200))))).body.status).toBe(413);
  expect(
    (await problem('/json', { ...json('{}'), headers: { 'content-type': 'application/json', 'content-encoding': 'zip' } })).body.status,
  ).toBe(415);
});

it('cuts the connection when an answer fails half way', async () => {
  const res = await fetch(`${url}/half`);
  await expect(res.text()).rejects.toThrow('terminated');
});

it('makes a request id where the given one is none', async () => {
  const { res } = await problem('/nothing', { headers: { 'x-request-id': 'a b\u00e4' } });
  expect(res.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

it('reports liveness, and readiness with each check within a second', async () => {
  const live = await fetch(`${url}/livez`);
  expect(await live.json()).toMatchObject({ status: 'ok', name: 'test' });
  expect(live.headers.get('cache-control')).toBe('no-store');
  const started = performance.now();
  const ready = await fetch(`${url}/readyz`);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({
    status: 'down',
    name: 'test',
    version: '1.2.3',
    set: 'abc',
    checks: { fine: 'ok', hanging: 'down', broken: 'down' },
  });
});

it('measures by route, never by path', async () => {
  await fetch(`${url}/items/one`);
  await fetch(`${url}/items/two`);
  await fetch(`${url}/nothing/${Math.random()}`);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/http_request_duration_seconds_count\{.*method="GET",route="\/items\/:id",status="200".*\} 2/);
  expect(metrics).toContain('route="unmatched"');
  expect(metrics).not.toContain('nothing');
  expect(metrics).toContain('nodejs_eventloop_lag_seconds');
});

it('answers what is no HTTP with 400', async () => {
  const socket = connect(listener.port, '127.0.0.1');
  socket.end('GARBAGE\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
});
