/** What every answer of the whole door has in common, whoever gives it. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '@colonnade/service/problem';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { door } from '../test/door.ts';
import { ask, type RawAnswer, sendRaw } from '../test/raw.ts';
import { recorder } from '../test/recorder.ts';
import { listening } from '../test/servers.ts';
import { answerRaw } from './raw-answers.ts';

describe('security headers', () => {
  const names = [
    'content-security-policy',
    'x-content-type-options',
    'referrer-policy',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'permissions-policy',
    'x-frame-options',
  ];
  const host = ['Host: site.example'];
  const unavailable: RequestListener = (_req, res) => res.destroy();
  const failing = { pages: (_req: unknown, _res: unknown, next: (error: unknown) => void) => next(new Error('secret')) } as never;
  const down = {
    pages: (_req: unknown, _res: unknown, next: (error: unknown) => void) => next(new Problem(503, 'Service unavailable')),
  } as never;
  const answering = (status: number, headers: Record<string, string> = {}) => recorder(() => ({ status, headers })).handler;

  /** Whose answer it is, by its content type; whether it names the request. */
  interface Kind {
    type: string | null;
    requestId?: unknown;
  }
  const passed: Kind = { type: null };
  const plain: Kind = { type: 'text/plain; charset=utf-8' };
  const page: Kind = { type: 'text/html; charset=utf-8' };
  const problem: Kind = { type: 'application/problem+json', requestId: expect.any(String) };
  /** Of bytes that have become no request. */
  const refusal: Kind = { type: 'application/problem+json' };

  const kinds: Record<string, [status: number, Kind, () => Promise<RawAnswer>]> = {
    page: [200, passed, async () => ask(await door(answering(200)), 'GET /news', host)],
    'news API': [200, passed, async () => ask(await door(answering(200)), 'GET /api/news', host)],
    file: [200, passed, async () => ask(await door(answering(200)), 'GET /_mfe/a/1/b.js', host)],
    'not modified': [304, passed, async () => ask(await door(answering(304, { ETag: '"x"' })), 'GET /news', host)],
    'page that is not there': [404, passed, async () => ask(await door(answering(404)), 'GET /nothing', host)],
    'health for a load balancer': [200, plain, async () => ask(await door(answering(200)), 'GET /healthz', host)],
    redirect: [308, plain, async () => ask(await door(answering(200)), 'GET /news/', host)],
    'redirect of a page': [303, passed, async () => ask(await door(answering(303, { Location: '/' })), 'GET /news', host)],
    'unknown API': [404, problem, async () => ask(await door(answering(200)), 'GET /api/x', host)],
    'bad path': [400, problem, async () => ask(await door(answering(200)), 'GET /..', host)],
    'bad path for a browser': [400, page, async () => ask(await door(answering(200)), 'GET //news', [...host, 'Accept: text/html'])],
    'other site': [403, problem, async () => ask(await door(answering(200)), 'POST /inquiry', [...host, 'Origin: null'])],
    'wrong method': [405, problem, async () => ask(await door(answering(200)), 'TRACE /news', host)],
    CONNECT: [405, refusal, async () => ask(await door(answering(200)), 'CONNECT a:80', host)],
    'slow request': [408, refusal, slow],
    'large body': [413, problem, async () => ask(await door(answering(200)), 'POST /inquiry', [...host, 'Content-Length: 70000'])],
    'large chunk extension': [
      413,
      refusal,
      async () =>
        ask(
          await door(answering(200)),
          'POST /inquiry',
          [...host, 'Transfer-Encoding: chunked'],
          `1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
        ),
    ],
    'long URL': [414, problem, async () => ask(await door(answering(200)), `GET /${'a'.repeat(9000)}`, host)],
    'packed body': [
      415,
      problem,
      async () => ask(await door(answering(200)), 'POST /inquiry', [...host, 'Content-Encoding: br', 'Content-Length: 0']),
    ],
    expectation: [417, problem, async () => ask(await door(answering(200)), 'GET /news', [...host, 'Expect: x'])],
    'unknown host': [421, problem, async () => ask(await door(answering(200)), 'GET /news', ['Host: x'])],
    'no host': [400, problem, async () => ask(await door(answering(200)), 'GET /news', [])],
    flood: [
      429,
      page,
      async () => {
        const port = await door(answering(200), { trustedProxies: ['10.0.0.1'], floodPerMinute: 1 });
        await ask(port, 'GET /news', host);
        return ask(port, 'GET /news', host);
      },
    ],
    'large headers': [431, refusal, async () => ask(await door(answering(200)), 'GET /news', [...host, `X: ${'y'.repeat(17_000)}`])],
    'many headers': [431, problem, async () => ask(await door(answering(200)), 'GET /news', [...host, ...Array(101).fill('X: y')])],
    'what is not HTTP': [400, refusal, async () => sendRaw(await door(answering(200)), 'hello\r\n\r\n')],
    'our own mistake': [500, problem, async () => ask(await door(answering(200), failing), 'GET /news', host)],
    'service that is down': [503, problem, async () => ask(await door(unavailable), 'GET /api/news', host)],
    'shell that is down': [503, page, async () => ask(await door(answering(200), down), 'GET /news', [...host, 'Accept: text/html'])],
  };

  async function slow(): Promise<RawAnswer> {
    const server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 50 });
    answerRaw(server, 'http://site.example');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await sendRaw((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nHost: site');
    server.close();
    return answer;
  }

  test.each(Object.entries(kinds))('are on the answer to: %s', async (_kind, [status, { type, requestId }, answered]) => {
    const { status: was, headers, body } = await answered();
    expect([was, headers.get('content-type')]).toEqual([status, type]);
    for (const name of names) expect(headers.get(name), name).toBeTruthy();
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe-/);
    expect(headers.get('x-powered-by')).toBeNull();
    // What is passed on says itself what may be done with it.
    if (type !== null) expect(headers.get('cache-control')).toBe('no-store');
    if (type === problem.type) {
      const said = JSON.parse(body);
      expect(said).toMatchObject({ type: 'about:blank', status });
      expect(said.requestId).toEqual(requestId);
    }
    expect(body).not.toMatch(/secret|node_modules|127\.0\.0\.1/);
  });

  test('control: what Node answers by itself has none', async () => {
    const { port } = await listening(express());
    for (const bytes of ['hello\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`]) {
      const answer = await sendRaw(port, bytes);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      for (const name of names) expect(answer.headers.get(name)).toBeNull();
    }
  });
});
