import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { Ending } from './ending.ts';
import { connectionsTo, isLost, TooLarge, type WholeRequest, wholeRequest } from './whole-request.ts';

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => server.closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const asking = (origin: string) => {
  const connections = connectionsTo(origin);
  return (request: Partial<WholeRequest> = {}, { ending = new Ending(), maxBytes = 1000 } = {}) =>
    wholeRequest(connections, { method: 'GET', path: '/', headers: {}, ...request }, { ending, maxBytes });
};
const failure = (asked: Promise<unknown>) => asked.then(() => undefined).catch((error: unknown) => error);

const mistakes: Partial<WholeRequest>[] = [
  { path: '/a b' },
  { path: '/新' },
  { path: 'http://elsewhere.example/' },
  { headers: { 'x-a': 'one\r\nx-b: two' } },
  { headers: { 'x-a': '新' } },
  { headers: { 'x a': '1' } },
  { headers: { expect: '100-continue' } },
  { headers: { 'Transfer-Encoding': 'chunked' } },
];

test('gives status, header fields and the whole body', async () => {
  const ask = asking(await listen((req, res) => res.writeHead(203, { 'X-Asked': `${req.method} ${req.url}` }).end('whole')));
  const { status, headers, body } = await ask({ path: '/x?y=%20' });
  expect([status, headers['x-asked'], body.toString()]).toEqual([203, 'GET /x?y=%20', 'whole']);
  expect((await ask({ method: 'HEAD' })).body).toHaveLength(0);
});

test('refuses a request that is none, and goes on asking', async () => {
  let asked = 0;
  const ask = asking(
    await listen((_req, res) => {
      asked++;
      res.end();
    }),
  );
  for (const mistake of mistakes) expect(await failure(ask(mistake)), JSON.stringify(mistake)).toBeInstanceOf(TypeError);
  expect((await ask()).status).toBe(200);
  expect(asked).toBe(1);
});

test('the control: a pool of one connection that was asked for such a request answers nothing any more', async () => {
  const pool = new Pool(await listen((_req, res) => res.end()), { connections: 1 });
  onTestFinished(() => pool.destroy());
  expect((await pool.request({ method: 'GET', path: '/' })).statusCode).toBe(200);
  await expect(pool.request({ method: 'GET', path: '/a b' })).rejects.toThrow('invalid request path');
  const next = pool.request({ method: 'GET', path: '/' }).then(() => 'answered');
  next.catch(() => {});
  expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 500, 'waits'))])).toBe('waits');
});

test('takes no part of an answer for a whole one, and no more of it than it may have', async () => {
  const cut = asking(await listen((_req, res) => void res.writeHead(200, { 'Content-Length': 100 }).write('half', () => res.destroy())));
  const broken = await failure(cut());
  expect([(broken as Error).message, isLost(broken)]).toEqual(['the answer broke off', false]);
  const unanswered = asking(await listen((req) => req.socket.destroy()));
  expect(isLost(await failure(unanswered()))).toBe(true);
  const large = asking(await listen((_req, res) => res.end('x'.repeat(1001))));
  expect(await failure(large())).toBeInstanceOf(TooLarge);
  expect((await large({}, { maxBytes: 1001 })).body).toHaveLength(1001);
});

test('ends when it has to, and says why: before it begins, while it waits, and in the middle of the answer', async () => {
  const left = new Error('left');
  let closed = 0;
  const origin = await listen((_req, res) => {
    res.on('close', () => closed++);
    res.write('half');
  });
  const ask = asking(origin);
  const over = new Ending();
  over.end(left);
  expect(await failure(ask({}, { ending: over }))).toBe(left);
  for (const ms of [0, 200]) {
    const ending = new Ending();
    setTimeout(() => ending.end(left), ms);
    expect(await failure(ask({}, { ending }))).toBe(left);
  }
  await expect.poll(() => closed).toBeGreaterThan(0);
});
