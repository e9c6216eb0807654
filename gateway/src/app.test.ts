/** The whole door, asked with bytes as an attacker would send them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { bareProxy } from '../test/bare-proxy.ts';
import { door } from '../test/door.ts';
import { ask, sendRaw } from '../test/raw.ts';
import { recorder } from '../test/recorder.ts';
import { listening } from '../test/servers.ts';

describe('a path', () => {
  const corpus = [
    ['/news/../api/news', 400],
    ['/..', 400],
    ['/news/%2e%2e/api', 400],
    ['/news/.%2E', 400],
    ['/api/news/..%2finquiries', 400],
    ['/api/news/..%5c', 400],
    ['/api/news/%252e%252e', 400],
    ['/news/%00', 400],
    ['/news/%0d%0aX:1', 400],
    ['/news/%7f', 400],
    ['/news/%ff', 400],
    ['/news/%c0%af', 400],
    ['/news/%c0%ae%c0%ae', 400],
    ['/news/%e0%80%af', 400],
    ['/news/%f0%80%80%af', 400],
    ['/news/%', 400],
    ['/news/%zz', 400],
    ['//evil.example', 400],
    ['/\\evil.example', 400],
    ['/./news', 400],
    ['/news#x', 400],
    ['/news/\xe9', 400],
    ['http://evil.example/news', 400],
    ['http://site.example/healthz', 400],
    ['*', 400],
    [`/${'a'.repeat(8192)}`, 414],
    ['/%6eews', 308],
    ['/%61pi/news', 308],
    ['/news/', 308],
    ['/news/%e6%97%a5', 308],
  ] as const;

  test.each(corpus)('%s is answered %i and reaches nobody', async (path, status) => {
    const { seen, handler } = recorder();
    expect((await ask(await door(handler), `GET ${path}`)).status).toBe(status);
    expect(seen).toEqual([]);
  });

  test('in another spelling is sent to the one, on this site', async () => {
    const port = await door(recorder().handler);
    for (const [path, to] of [
      ['/%6eews/?page=%6e', '/news?page=%6e'],
      ['/news/%e6%97%a5', '/news/%E6%97%A5'],
      ['/%7Eteam', '/~team'],
    ] as const) {
      expect((await ask(port, `GET ${path}`)).headers.get('location')).toBe(to);
    }
  });

  test('goes on as it is; of another case or with an ending it is another path', async () => {
    const { seen, handler } = recorder();
    const port = await door(handler);
    const paths = ['/news', '/NEWS', '/news;x', '/news.', '/news/%E6%97%A5', '/cafe%CC%81', '/API/news', '/api/news/a;b', '/...'];
    for (const path of paths) await ask(port, `GET ${path}?q=..%2f%00`);
    expect(seen.map(({ line }) => line)).toEqual(paths.map((path) => `GET ${path}?q=..%2f%00`));
    seen.length = 0;
    for (const path of ['/api', '/api/', '/api/newsx', '/api/news/a/b', '/api/inquiries.json', '/_preview/x']) {
      expect([404, 308]).toContain((await ask(port, `GET ${path}`)).status);
    }
    expect((await ask(port, 'POST /api/inquiries/', ['Host: site.example', 'Content-Length: 0'])).status).toBe(404);
    expect(seen).toEqual([]);
    const pages = await door(handler, { pages: (_req, res) => void res.send('a page') });
    expect((await ask(pages, 'GET /API/news')).body).toContain('a page');
    expect(seen).toEqual([]);
  });

  test('control: the bare library passes on what is refused here', async () => {
    const { seen, handler } = recorder();
    const port = await bareProxy((await listening(handler)).url);
    for (const [path, status] of corpus.slice(0, 8)) {
      expect(status).toBe(400);
      await ask(port, `GET ${path}`);
    }
    expect(seen).toHaveLength(8);
  });
});

describe('a method or a protocol', () => {
  const refused = [
    ['TRACE /news', [], 405],
    ['TRACE /api/nothing', [], 405],
    ['PROPFIND /news', [], 405],
    ['PUT /news', [], 405],
    ['DELETE /api/news', [], 405],
    ['OPTIONS /api/inquiries', [], 405],
    ['POST /api/news', [], 405],
    ['GET /api/inquiries', [], 405],
    ['POST /_mfe/x', [], 405],
    ['GET /_beacon', [], 405],
    ['POST /_preview/x', [], 405],
    ['CONNECT evil.example:80', [], 405],
    ['BREW /news', [], 400],
    ['GET /news', ['Upgrade: websocket'], 400],
    ['GET /news', ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'], 400],
    ['GET /news', ['Expect: something'], 417],
    ['GET /news', ['Content-Length: 1'], 400],
  ] as const;

  test.each(refused)('%s %j is answered %i, and nothing is passed on', async (line, fields, status) => {
    const { seen, handler } = recorder();
    const answer = await ask(
      await door(handler),
      line,
      ['Host: site.example', ...fields],
      fields.includes('Content-Length: 1' as never) ? 'x' : '',
    );
    expect(answer.status).toBe(status);
    if (status === 405) expect(answer.headers.get('allow')).toBeTruthy();
    expect(seen).toEqual([]);
  });

  test('control: the bare library passes on TRACE and Upgrade', async () => {
    const { seen, handler } = recorder();
    const port = await bareProxy((await listening(handler)).url);
    await ask(port, 'TRACE /news');
    void sendRaw(port, 'GET /news HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    await expect.poll(() => seen.map(({ line }) => line)).toEqual(['TRACE /news', 'GET /news']);
  });
});

test.each([
  [['Host: evil.example'], 421],
  [['Host: site.example', 'Host: evil.example'], 400],
  [['Host: site.example', 'host: site.example'], 400],
  [['Host: site.example@evil.example'], 421],
  [['Host: site.example/x'], 421],
  [['Host: evil.example', 'X-Forwarded-Host: site.example'], 421],
  [['Host: '], 421],
  [[], 400],
])('a request for %j is answered %i', async (fields, status) => {
  const { seen, handler } = recorder();
  expect((await ask(await door(handler), 'GET /news', fields)).status).toBe(status);
  expect(seen).toEqual([]);
});

describe('a limit', () => {
  const fields = (count: number) => ['Host: site.example', ...Array.from({ length: count - 2 }, (_, i) => `X-${i}: y`)];
  const post = (path: string, bytes: number, more: string[] = []): [string, string[], string] => [
    `POST ${path}`,
    ['Host: site.example', `Content-Length: ${bytes}`, ...more],
    'x'.repeat(bytes),
  ];

  test('is reached by what is one over it, and not by what is not', async () => {
    const { seen, handler } = recorder();
    const port = await door(handler);
    expect((await ask(port, 'GET /news', fields(100))).status).toBe(200);
    expect((await ask(port, 'GET /news', fields(101))).status).toBe(431);
    expect((await ask(port, 'GET /news', ['Host: site.example', `X: ${'y'.repeat(17_000)}`])).status).toBe(431);
    expect((await ask(port, ...post('/inquiry', 65_536))).status).toBe(200);
    expect((await ask(port, ...post('/inquiry', 65_537))).status).toBe(413);
    expect((await ask(port, ...post('/api/inquiries', 131_072))).status).toBe(200);
    expect((await ask(port, ...post('/api/inquiries', 131_073))).status).toBe(413);
    expect((await ask(port, ...post('/inquiry', 10, ['Content-Encoding: gzip']))).status).toBe(415);
    expect(seen.map(({ body }) => body.length)).toEqual([0, 65_536, 131_072]);
  });

  test.each(['/', '/?x=1', '/inquiry/step', '/inquiry/'])('of a body holds at every page: %s', async (path) => {
    const { seen, handler } = recorder();
    const port = await door(handler);
    expect((await ask(port, ...post(path, 65_536))).status).toBe(200);
    expect((await ask(port, ...post(path, 65_537))).status).toBe(413);
    expect((await ask(port, ...post(path, 10, ['Content-Encoding: gzip']))).status).toBe(415);
    expect(seen.map(({ line, body }) => [line, body.length])).toEqual([[`POST ${path}`, 65_536]]);
  });

  test('of a body is no failure of the upstream’s, however often it is reached', async () => {
    const port = await door((_req, res) => res.end('ok'));
    await Promise.all(Array.from({ length: 8 }, () => ask(port, ...post('/', 300_000))));
    expect((await ask(port, 'GET /inquiry')).status).toBe(200);
  });

  test('of a body holds while it arrives: neither its end nor what it says of its length is waited for', async () => {
    const { seen, handler } = recorder();
    const port = await door(handler);
    const declared = await ask(port, 'POST /inquiry', ['Host: site.example', 'Content-Length: 99999999']);
    expect(declared.status).toBe(413);
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => {});
    socket.write('POST /inquiry HTTP/1.1\r\nHost: site.example\r\nTransfer-Encoding: chunked\r\n\r\n');
    const endless = setInterval(() => socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 5);
    const [answer] = await once(socket, 'data');
    clearInterval(endless);
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(seen).toEqual([]);
  });
});

describe('a request that could change something', () => {
  const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'same-origin, cross-site'];
  const origins = [
    undefined,
    'http://site.example',
    'http://evil.example',
    'http://site.example.evil.example',
    'http://site.example:81',
    'null',
    '',
  ];
  const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/json', 'multipart/form-data; boundary=x'];
  const passes = (site?: string, origin?: string) =>
    site === 'same-origin' || (site === undefined && (origin === undefined || origin === 'http://site.example'));

  test.each(['/inquiry', '/api/inquiries'])(
    'passes to %s from this site alone, whatever its type and whatever method it claims',
    async (path) => {
      const { seen, handler } = recorder();
      const port = await door(handler);
      let passed = 0;
      for (const site of sites) {
        for (const origin of origins) {
          for (const type of types) {
            const said = { 'Sec-Fetch-Site': site, Origin: origin, 'Content-Type': type, 'X-HTTP-Method-Override': 'GET' };
            const fields = Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
            const { status } = await ask(port, `POST ${path}?_method=GET`, ['Host: site.example', ...fields, 'Content-Length: 3'], 'a=b');
            if (passes(site, origin)) passed++;
            expect(status, fields.join()).toBe(passes(site, origin) ? 200 : 403);
          }
        }
      }
      expect(seen).toHaveLength(passed);
      for (const { headers } of seen) expect(headers).not.toHaveProperty('x-http-method-override');
    },
  );

  test('control: the bare library passes on what another site sends', async () => {
    const { seen, handler } = recorder();
    const port = await bareProxy((await listening(handler)).url);
    await ask(port, 'POST /inquiry', ['Host: site.example', 'Sec-Fetch-Site: cross-site', 'Origin: null', 'Content-Length: 3'], 'a=b');
    expect(seen).toHaveLength(1);
  });
});

describe('the visitor’s address', () => {
  const chain = ['Host: site.example', 'X-Forwarded-For: 9.9.9.9, 203.0.113.9', 'Forwarded: for=9.9.9.9'];
  test('is that of the connection, unless a trusted proxy tells another', async () => {
    const { seen, handler } = recorder();
    await ask(await door(handler), 'GET /news', chain);
    await ask(await door(handler, { trustedProxies: ['10.0.0.0/8'] }), 'GET /news', chain);
    await ask(await door(handler, { trustedProxies: ['loopback'] }), 'GET /news', chain);
    expect(seen.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['127.0.0.1', '127.0.0.1', '203.0.113.9']);
  });

  test('and the trace that its request is part of: a new one, unless a trusted proxy names one', async () => {
    const { seen, handler } = recorder();
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const named = ['Host: site.example', `traceparent: 00-${id}-00f067aa0ba902b7-01`, 'tracestate: a=1'];
    const behind = await door(handler, { trustedProxies: ['loopback'] });
    await ask(behind, 'GET /news', named);
    await ask(behind, 'GET /api/news', named);
    await ask(behind, 'GET /news', ['Host: site.example', `traceparent: 00-${id}`]);
    await ask(await door(handler), 'GET /news', named);
    await ask(await door(handler, { trustedProxies: ['10.0.0.0/8'] }), 'POST /api/inquiries', named);
    const told = seen.map(({ headers }) => /^00-([\da-f]{32})-([\da-f]{16})-(0[01])$/.exec(`${headers.traceparent}`)?.slice(1) ?? []);
    expect(told.map(([trace, , flags]) => [trace === id, flags])).toEqual([
      [true, '01'],
      [true, '01'],
      [false, '00'],
      [false, '00'],
      [false, '00'],
    ]);
    expect(new Set(told.map(([trace]) => trace)).size).toBe(4);
    expect(new Set([...told.map(([, span]) => span), '00f067aa0ba902b7']).size).toBe(6);
    for (const { headers } of seen) expect(headers).not.toHaveProperty('tracestate');
  });

  test('may ask for so much in a minute; a /64 is one address; nobody else is touched', async () => {
    const { seen, handler } = recorder();
    const port = await door(handler, { trustedProxies: ['loopback'], floodPerMinute: 3 });
    const from = (address: string, path = '/api/news') =>
      ask(port, `GET ${path}`, ['Host: site.example', 'Accept: text/html', `X-Forwarded-For: ${address}`]);
    for (let i = 0; i < 3; i++) expect((await from('203.0.113.9')).status).toBe(200);
    const refused = await from('203.0.113.9');
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')]).toEqual([
      429,
      '60',
      'application/problem+json',
    ]);
    const page = await from('203.0.113.9', '/news');
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect((await from('203.0.113.9', '/healthz')).status).toBe(200);
    expect((await from('203.0.113.10')).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await from(`2001:db8::${i}`)).status).toBe(200);
    expect((await from('2001:db8::ffff')).status).toBe(429);
    expect((await from('2001:db8:0:1::1')).status).toBe(200);
    expect(seen).toHaveLength(8);
  });

  test('on this machine is not limited, as long as no proxy is named', async () => {
    const { seen, handler } = recorder();
    const port = await door(handler, { floodPerMinute: 3 });
    for (let i = 0; i < 10; i++) await ask(port, 'GET /news');
    expect(seen).toHaveLength(10);
  });
});

test('only a trusted proxy says which request and which trace this is', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const told = ['Host: site.example', 'X-Request-Id: chosen-by-visitor', `traceparent: 00-${trace}-b7ad6b7169203331-01`];
  for (const [trustedProxies, isTaken] of [
    [[], false],
    [['192.0.2.1'], false],
    [['loopback'], true],
  ] as const) {
    const { seen, handler } = recorder();
    const { headers } = await ask(await door(handler, { trustedProxies: [...trustedProxies] }), 'GET /news', told);
    const [inner] = seen;
    expect(inner?.headers['x-request-id']).toBe(headers.get('x-request-id'));
    expect([headers.get('x-request-id') === 'chosen-by-visitor', inner?.headers.traceparent?.includes(trace)]).toEqual([isTaken, isTaken]);
  }
});
