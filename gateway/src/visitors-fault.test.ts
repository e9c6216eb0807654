/** What a visitor does wrong, or on purpose, is the visitor's: it is no failure of the upstream, and nobody is left without an answer by it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { lenientUpstream } from '../test/lenient-upstream.ts';
import { sendRaw } from '../test/raw.ts';
import { listening } from '../test/servers.ts';
import { gatewayBefore, upstreamAt } from '../test/upstream-gateway.ts';

const head = (line: string, ...fields: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`;
const hidden = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

test.each([
  ['a POST with a length', 'POST', [`Content-Length: ${hidden.length}`], hidden],
  ['a chunked POST', 'POST', ['Transfer-Encoding: chunked'], `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
  ['a GET with a body', 'GET', [`Content-Length: ${hidden.length}`], hidden],
])('%s whose body nobody has read goes nowhere: it is a mistake of this gateway', async (_what, method, fields, body) => {
  const { url, seen } = await lenientUpstream('content-length');
  let unanswered = 0;
  const { port, gauge } = await gatewayBefore(url, 'proxy', { unanswered: () => unanswered++ });
  for (let i = 0; i < 6; i++) expect((await sendRaw(port, head(`${method} /unread`, ...fields) + body)).status).toBe(500);
  expect([seen, await gauge('upstream_breaker'), unanswered]).toEqual([[], 0, 0]);
});

test.each(['proxy', 'page'] as const)(
  'a visitor who left while something else was waited for is asked for by nobody, by %s',
  async (way) => {
    let [asked, unanswered, left] = [0, 0, 0];
    const { url } = await listening((_req, res) => {
      asked++;
      res.end('ok');
    });
    const { upstream, gauge } = upstreamAt(url, { deadlineMs: 200, unanswered: () => unanswered++ });
    const app = express().use(async (req, res, next) => {
      req.id = 'request-1';
      if (req.path === '/waits') await once(res, 'close').then(() => left++);
      next();
    });
    const { port } = await listening(app.use(upstream[way]));
    for (let i = 0; i < 3; i++) {
      const socket = connect(port, '127.0.0.1');
      socket.write(head('GET /waits').replace('close', 'keep-alive').repeat(2));
      await once(socket, 'connect');
      setTimeout(() => socket.destroy(), 20);
    }
    await expect.poll(() => left).toBe(6);
    // Longer than the deadline, which is what would count as a failure.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([asked, unanswered, await gauge('upstream_breaker')]).toEqual([0, 0, 0]);
    expect((await sendRaw(port, head('GET /x'))).status).toBe(200);
  },
);

test('a slow visitor who happens to probe an upstream that was left alone keeps it from nobody', async () => {
  let well = false;
  const { url, port, gauge } = await gatewayBefore((req, res) => {
    if (!well) req.socket.destroy();
    else res.end(req.url === '/x?large' ? Buffer.alloc(20_000_000) : 'ok');
  }, 'proxy');
  for (let i = 0; i < 5; i++) await fetch(`${url}/x`);
  expect(await gauge('upstream_breaker')).toBe(2);
  well = true;
  const probe = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head('GET /x?large'));
    await once(socket, 'readable');
    // And nothing more of it.
    return { socket, line: String(socket.read(12)) };
  };
  let slow = await probe();
  for (; slow.line === 'HTTP/1.1 503'; slow = await probe()) slow.socket.destroy();
  expect(slow.line).toBe('HTTP/1.1 200');
  await expect.poll(() => gauge('upstream_breaker')).toBe(0);
  expect((await fetch(`${url}/x`)).status).toBe(200);
  slow.socket.destroy();
  await once(slow.socket, 'close');
  expect((await fetch(`${url}/x`)).status).toBe(200);
});
