import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@colonnade/service/log';
import { problemHandler } from '@colonnade/service/problem';
import express from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { createUpstream, type UpstreamOptions } from './upstream.ts';

process.env.LOG_LEVEL = 'silent';
const log = createLog('test');
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A gateway with one upstream. @returns its base URL */
async function before(upstream: RequestListener | string, options: Partial<UpstreamOptions> = {}): Promise<string> {
  const target = typeof upstream === 'string' ? upstream : await listening(upstream);
  const app = express().disable('x-powered-by');
  app.use((req, _res, next) => {
    req.id = 'request-1';
    next();
  });
  app.use(createUpstream({ name: 'test', target, deadlineMs: 1000, log, ...options }));
  app.use(problemHandler(log));
  return listening(app);
}

describe('an upstream', () => {
  test('is told nothing that the visitor says about the connection, and says nothing of its own to the visitor', async () => {
    let seen: IncomingMessage['headers'] = {};
    const gateway = await before((req, res) => {
      seen = req.headers;
      res.writeHead(200, { 'X-Powered-By': 'inner', 'X-Colonnade-Inner': '1', 'Keep-Alive': 'timeout=9', 'X-Kept': 'yes' }).end('ok');
    });
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    httpRequest(`${gateway}/x?y=1`, {
      headers: {
        Host: 'site.example',
        Forwarded: 'for=1.2.3.4',
        'X-Forwarded-For': '1.2.3.4',
        'X-Forwarded-Host': 'evil.example',
        'X-Real-IP': '1.2.3.4',
        'X-Colonnade-Preview': '1',
        TE: 'trailers',
        'Proxy-Authorization': 'secret',
        'X-Request-Id': 'spoofed-by-visitor',
      },
    })
      .on('response', resolve)
      .end();
    const answer = await promise;
    expect(seen).toMatchObject({ host: 'site.example', 'x-forwarded-for': '127.0.0.1', 'x-request-id': 'request-1' });
    for (const header of ['forwarded', 'x-forwarded-host', 'x-real-ip', 'x-colonnade-preview', 'te', 'proxy-authorization'])
      expect(seen).not.toHaveProperty(header);
    expect(answer.headers).toMatchObject({ 'x-kept': 'yes' });
    for (const header of ['x-powered-by', 'x-colonnade-inner']) expect(answer.headers).not.toHaveProperty(header);
  });

  test('that refuses connections is 503 with Retry-After, and nothing inner in the answer', async () => {
    const gone = await listening(() => {});
    servers.pop()?.close();
    const response = await fetch(`${await before(gone)}/x`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).not.toContain(new URL(gone).port);
  });

  test('that trickles is cut at the deadline: bytes do not extend it', async () => {
    let sent = 0;
    const gateway = await before(
      (_req, res) => {
        res.writeHead(200, { 'Content-Length': 1000 });
        const drip = setInterval(() => {
          sent++;
          res.write('x');
        }, 50);
        res.on('close', () => clearInterval(drip));
      },
      { deadlineMs: 400 },
    );
    const started = performance.now();
    await expect(fetch(`${gateway}/x`).then((response) => response.text())).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(1400);
    expect(sent).toBeGreaterThan(2);
  });

  test('that hangs is 503 at the deadline; after a few of them it is left alone, and tried again later', async () => {
    let asked = 0;
    let healthy = false;
    const gateway = await before(
      (_req, res) => {
        asked++;
        if (healthy) res.end('ok');
      },
      { deadlineMs: 100 },
    );
    const statuses = async (times: number) => Promise.all(Array.from({ length: times }, async () => (await fetch(`${gateway}/x`)).status));
    expect(await statuses(5)).toEqual([503, 503, 503, 503, 503]);
    const before503 = asked;
    expect(await statuses(20)).toEqual(Array(20).fill(503));
    expect(asked).toBe(before503);
    healthy = true;
    await expect.poll(async () => (await fetch(`${gateway}/x`)).status, { timeout: 5000 }).toBe(200);
  });

  test('gets no more requests at once than its cap; the others are refused at once', async () => {
    const held: (() => void)[] = [];
    const gateway = await before((_req, res) => void held.push(() => res.end('ok')), { maxInFlight: 3, deadlineMs: 5000 });
    const accepted = [1, 2, 3].map(() => fetch(`${gateway}/x`));
    await expect.poll(() => held.length).toBe(3);
    expect((await fetch(`${gateway}/x`)).status).toBe(503);
    for (const release of held) release();
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('learns that the visitor has left', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const gateway = await before((req) => {
      arrive();
      req.on('close', resolve);
    });
    const leaving = new AbortController();
    const request = fetch(`${gateway}/x`, { signal: leaving.signal }).catch(() => {});
    await arrived;
    leaving.abort();
    await left;
    await request;
  });
});
