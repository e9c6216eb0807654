import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { StatusError } from '@colonnade/mfe/host';
import { Ending } from '@colonnade/service/ending';
import { inTrace } from '@colonnade/service/trace';
import { afterEach, expect, test } from 'vitest';
import { type CallScope, serviceClients } from './service-client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const client = (url: string, deadlineMs = 5000, ending = new Ending()) =>
  serviceClients({ news: url }, deadlineMs)({ requestId: 'request-1', ending }).news as NonNullable<
    ReturnType<ReturnType<typeof serviceClients>>[string]
  >;
const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

test('sends JSON with the request’s id, and gives status and body of every answer below 500', async () => {
  const seen: unknown[] = [];
  const url = await listen(async (req, res) => {
    const body = req.method === 'POST' ? await json(req) : undefined;
    seen.push({ method: req.method, url: req.url, id: req.headers['x-request-id'], key: req.headers['idempotency-key'], body });
    res.writeHead(req.method === 'POST' ? 422 : 200).end('{"a":1}');
  });
  expect(await client(url).request('/api/news?page=1')).toMatchObject({ status: 200, body: { a: 1 } });
  expect(await client(url).request('/api', { method: 'POST', body: { text: 'å' }, headers: { 'Idempotency-Key': 'k' } })).toMatchObject({
    status: 422,
  });
  expect(seen).toEqual([
    { method: 'GET', url: '/api/news?page=1', id: 'request-1', key: undefined, body: undefined },
    { method: 'POST', url: '/api', id: 'request-1', key: 'k', body: { text: 'å' } },
  ]);
});

test('a call is part of the trace of its page, with a span of its own', async () => {
  const seen: unknown[] = [];
  const url = await listen((req, res) => {
    seen.push(req.headers.traceparent);
    res.end('{}');
  });
  const trace = { id: '4bf92f3577b34da6a3ce929d0e0e4736', flags: '01' };
  await inTrace(trace, async () => [await client(url).request('/'), await client(url).request('/')]);
  await client(url).request('/');
  const span = expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/);
  expect(seen).toEqual([span, span, undefined]);
  expect(seen[0]).not.toBe(seen[1]);
});

test('a service that fails, refuses, cuts off or does not speak JSON is 503, with the cause for the log only', async () => {
  const urls = await Promise.all([
    listen((_req, res) => res.writeHead(500).end('{"stack":"secret"}')),
    listen((_req, res) => void res.writeHead(200, { 'Content-Length': 100 }).write('{"half":', () => res.destroy())),
    listen((_req, res) => res.end('<html>')),
    'http://127.0.0.1:1',
  ]);
  for (const url of urls) {
    const error = await failure(client(url).request('/'));
    expect(error, url).toBeInstanceOf(StatusError);
    expect(error, url).toMatchObject({ status: 503, message: 'status 503', headers: { 'Retry-After': expect.any(String) } });
    expect((error as StatusError).cause).toMatchObject({ message: expect.stringContaining('news service') });
  }
});

test('the deadline is for the whole answer: bytes that trickle do not extend it', async () => {
  const url = await listen((_req, res) => {
    const timer = setInterval(() => res.write(' '), 20);
    res.on('close', () => clearInterval(timer));
  });
  const started = performance.now();
  expect(await failure(client(url, 200).request('/'))).toMatchObject({ status: 503 });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('its scope says how many calls are under way, whatever becomes of them', async () => {
  const url = await listen((req, res) => void (req.url === '/fine' ? res.end('{}') : res.destroy()));
  const scope: CallScope = { requestId: 'request-1' };
  const { news } = serviceClients({ news: url }, 5000)(scope);
  const calls = [news?.request('/fine'), news?.request('/broken')];
  expect(scope.waiting).toBe(2);
  await Promise.allSettled(calls);
  expect(scope.waiting).toBe(0);
});

test('stops at once when the visitor leaves, and the service learns of it', async () => {
  const gone = Promise.withResolvers<void>();
  const leave = new Ending();
  const url = await listen((_req, res) => {
    res.on('close', () => gone.resolve());
    leave.end(new Error('left'));
  });
  expect(await failure(client(url, 5000, leave).request('/'))).toMatchObject({ status: 503 });
  await gone.promise;
});

test('an answer of more than 4 MB is refused', async () => {
  const url = await listen((_req, res) => res.end(`"${'x'.repeat(5 * 1024 * 1024)}"`));
  expect(await failure(client(url).request('/'))).toMatchObject({ status: 503 });
});

test('a kept connection that the service closes meanwhile costs a second try, but never a second POST without a key', async () => {
  let requests = 0;
  const url = await listen((req, res) => {
    requests++;
    // The second request of each connection meets its end.
    const seen = req.socket as typeof req.socket & { used?: boolean };
    if (seen.used) req.socket.resetAndDestroy();
    else res.end('{}');
    seen.used = true;
  });
  const kept = client(url);
  /** On the connection that was there, if any: it is free again a moment after its answer. */
  const ask = async (...request: Parameters<typeof kept.request>) => {
    await new Promise(setImmediate);
    return kept.request(...request);
  };
  await ask('/');
  expect(await ask('/')).toMatchObject({ status: 200 });
  expect(requests).toBe(3);
  expect(await failure(ask('/', { method: 'POST', body: {} }))).toMatchObject({ status: 503 });
  expect(requests).toBe(4);
  await ask('/');
  expect(await ask('/', { method: 'POST', body: {}, headers: { 'Idempotency-Key': 'k' } })).toMatchObject({ status: 200 });
  expect(requests).toBe(7);
});

test('a path that is none is a mistake of the caller', async () => {
  expect(await failure(client('http://127.0.0.1:1').request('http://evil.example/'))).toBeInstanceOf(Error);
});
