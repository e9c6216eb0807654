/** Each middleware before a handler that answers 200, asked with bytes as an attacker would send them. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@colonnade/service/log';
import { Problem, problemHandler } from '@colonnade/service/problem';
import express, { type RequestHandler } from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { ask } from '../../test/raw.ts';
import { allowedHosts } from './allowed-hosts.ts';
import { canonicalPath } from './canonical-path.ts';
import { sameOrigin } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { serverErrorPage } from './server-error-page.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function before(...handlers: RequestHandler[]): Promise<number> {
  const app = express().disable('x-powered-by');
  app.use((req, res, next) => {
    req.id = 'request-1';
    if (!req.originalUrl.startsWith('/api')) res.locals.route = 'page';
    next();
  });
  app.use(...handlers, (_req, res) => void res.send('passed'));
  app.use(serverErrorPage, problemHandler(createLog('test')));
  // Node answers 400 itself where there is no Host at all.
  const server = createServer({ requireHostHeader: false }, app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('the canonical path', () => {
  test('lets one spelling pass, whatever the query is', async () => {
    const port = await before(canonicalPath);
    for (const path of ['/', '/news', '/news/a-b', '/news/%E6%97%A5', '/news?q=//..%2f%00', '/a.b/c', '/...', '/news/a..b']) {
      expect((await ask(port, `GET ${path}`)).status, path).toBe(200);
    }
  });

  test('refuses what another hop could read as another path', async () => {
    const port = await before(canonicalPath);
    for (const path of [
      '/a/../b',
      '/..',
      '/./a',
      '/a/%2e%2e/b',
      '/a/.%2E/b',
      '/%2e',
      '//evil.example',
      '/a//b',
      '/a\\b',
      '/a%2fb',
      '/a%5Cb',
      '/a%00',
      '/a%252f',
      '/%ff',
      '/%c0%af',
      '/%',
      'http://evil.example/',
      '*',
    ]) {
      const answer = await ask(port, `${path === '*' ? 'OPTIONS' : 'GET'} ${path}`);
      expect(answer.status, path).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ status: 400, requestId: 'request-1' });
    }
  });

  test('sends a trailing slash to the address without it, on this site', async () => {
    const port = await before(canonicalPath);
    for (const [path, to] of [
      ['/news/', '/news'],
      ['/news/?page=2&x=/', '/news?page=2&x=/'],
      ['/a/b/', '/a/b'],
    ] as const) {
      const answer = await ask(port, `GET ${path}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
    }
    expect((await ask(port, 'POST /news/')).status).toBe(200);
    expect((await ask(port, 'GET //')).status).toBe(400);
  });
});

describe('the allowed hosts', () => {
  const hosts = ['site.example', 'localhost', '[::1]'];

  test('are answered, with any port and in any case', async () => {
    const port = await before(allowedHosts(new Set(hosts)));
    for (const host of ['site.example', 'SITE.example:8080', 'localhost:3000', '[::1]:3000']) {
      expect((await ask(port, 'GET /', [`Host: ${host}`])).status, host).toBe(200);
    }
  });

  test('are the only ones', async () => {
    const port = await before(allowedHosts(new Set(hosts)));
    for (const host of [
      'evil.example',
      'site.example.evil.example',
      'evil.example#site.example',
      'site.example:80@evil.example',
      'site.example/x',
      'site.example:999999',
      'site.example:',
      '',
    ]) {
      expect((await ask(port, 'GET /', [`Host: ${host}`])).status, host).toBe(421);
    }
    // Said by a proxy, or by somebody who would like to be one: it changes nothing.
    expect((await ask(port, 'GET /', ['Host: evil.example', 'X-Forwarded-Host: site.example'])).status).toBe(421);
  });

  test('are named exactly once', async () => {
    const port = await before(allowedHosts(new Set(hosts)));
    expect((await ask(port, 'GET /', ['Host: site.example', 'host: site.example'])).status).toBe(400);
    expect((await ask(port, 'GET /', ['X: y'])).status).toBe(400);
  });
});

describe('the same origin', () => {
  test('may send, and a program that carries nobody’s authority', async () => {
    const port = await before(sameOrigin);
    for (const headers of [
      [],
      ['Sec-Fetch-Site: same-origin'],
      ['Sec-Fetch-Site: same-origin', 'Origin: http://site.example'],
      ['Origin: http://site.example'],
    ]) {
      expect((await ask(port, 'POST /', ['Host: site.example', ...headers])).status, headers.join()).toBe(200);
    }
  });

  test('is asked of whatever can change something', async () => {
    const port = await before(sameOrigin);
    const foreign = [
      ['Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-site'],
      ['Sec-Fetch-Site: none'],
      ['Sec-Fetch-Site: cross-site', 'Origin: http://site.example'],
      ['Origin: http://evil.example'],
      ['Origin: http://site.example.evil.example'],
      ['Origin: http://site.example:8080'],
      ['Origin: null'],
      ['Origin: '],
    ];
    for (const headers of foreign) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        expect((await ask(port, `${method} /`, ['Host: site.example', ...headers])).status, `${method} ${headers}`).toBe(403);
      }
      // A link from another site is welcome.
      expect((await ask(port, 'GET /', ['Host: site.example', ...headers])).status).toBe(200);
    }
  });
});

describe('security headers', () => {
  test('are on every answer; a page’s own policy stays', async () => {
    const port = await before(securityHeaders('http://site.example'), (req, res, next) => {
      if (req.path === '/page') res.set('Content-Security-Policy', "default-src 'self'");
      next(req.path === '/broken' ? new Error('inner') : undefined);
    });
    for (const [path, status] of [
      ['/', 200],
      ['/broken', 500],
    ] as const) {
      const answer = await ask(port, `GET ${path}`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(answer.headers.get('strict-transport-security')).toBeNull();
    }
    expect((await ask(port, 'GET /page')).headers.get('content-security-policy')).toBe("default-src 'self'");
  });

  test('ask for HTTPS where the site has it', async () => {
    const port = await before(securityHeaders('https://site.example'));
    expect((await ask(port, 'GET /')).headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  });
});

/** As browsers ask for a page. */
const browser = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('an address that cannot be read is told to a browser by a page, to a program by the problem', async () => {
  const port = await before(canonicalPath);
  for (const path of ['//news', '/%E0%A4', '/news/../x']) {
    const page = await ask(port, `GET ${path}`, ['Host: site.example', browser]);
    expect([page.status, page.headers.get('content-type')], path).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.body).toContain('request-1');
    // Trying the same again cannot help.
    expect(page.body).toContain('href="/"');
    expect(page.body).not.toContain('href=""');
    for (const accept of [[], ['Accept: */*'], ['Accept: application/json']]) {
      const problem = await ask(port, `GET ${path}`, ['Host: site.example', ...accept]);
      expect([problem.status, problem.headers.get('content-type')], path).toEqual([400, 'application/problem+json']);
    }
  }
});

describe('with nothing behind the gateway', () => {
  const down: RequestHandler = (_req, _res, next) => next(new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '5' } }));

  test('a browser that asked for a page gets a plain one, a program the problem', async () => {
    const port = await before(down);
    for (const [path, accept, type] of [
      ['/news', 'text/html', 'text/html; charset=utf-8'],
      ['/news?_data=abc', 'text/html', 'application/problem+json'],
      ['/news?q=what?&_data=abc', 'text/html', 'application/problem+json'],
      ['/news', 'application/json', 'application/problem+json'],
      ['/news', '*/*', 'text/html; charset=utf-8'],
      ['/api/news', 'text/html', 'application/problem+json'],
    ] as const) {
      const answer = await ask(port, `GET ${path}`, ['Host: site.example', `Accept: ${accept}`]);
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([503, type]);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toContain('request-1');
    }
  });

  test('that page needs no other file, and its policy lets its own style through', async () => {
    const { headers, body } = await ask(await before(down), 'GET /news', ['Host: site.example', 'Accept: text/html']);
    const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(body).not.toMatch(/<script|<link|<img|url\(|@import/);
    expect(body).toMatch(/<html lang="en">.*name="viewport".*<h1>/s);
  });
});
