import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { expect, test } from '../support/test.ts';

const own = { gateway: 13001, shell: 13100, news: 13201, inquiry: 13202, registry: 13203 };

test('each process says that it lives, whether it is ready, and its figures', async ({ request }) => {
  for (const [name, port] of Object.entries(own)) {
    const base = `http://127.0.0.1:${port}`;
    expect((await request.get(`${base}/livez`)).status(), name).toBe(200);
    const ready = await request.get(`${base}/readyz`);
    expect(ready.status(), name).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'ok', name });
    expect(await (await request.get(`${base}/metrics`)).text(), name).toContain('process_cpu_seconds_total');
  }
});

test('a problem that a process answers has the id of the request', async ({ request }) => {
  for (const [name, port] of Object.entries(own)) {
    const answer = await request.get(`http://127.0.0.1:${port}/nothing`, { headers: { 'X-Request-Id': 'asked-by-ops' } });
    expect([answer.status(), answer.headers()['x-request-id']], name).toEqual([404, 'asked-by-ops']);
    expect(await answer.json(), name).toMatchObject({ status: 404, requestId: 'asked-by-ops' });
  }
});

test('the ops port lists every service, MongoDB and each release', async ({ request }) => {
  const response = await request.get('http://127.0.0.1:13001/health');
  expect(response.status()).toBe(200);
  const { status, parts } = await response.json();
  expect(status).toBe('ok');
  expect(parts.map((part: { name: string }) => part.name).sort()).toEqual([
    'gateway',
    'inquiry',
    'mfe-inquiry',
    'mfe-news',
    'mfe-pages',
    'mongodb',
    'news',
    'registry',
    'shell',
  ]);
  expect(await (await request.get('http://127.0.0.1:13001/health/mfe-news')).json()).toMatchObject({ name: 'mfe-news', state: 'ok' });
  expect((await request.get('http://127.0.0.1:13001/health/mfe-nothing')).status()).toBe(404);
});

test('nothing of this is on the public port', async ({ request }) => {
  for (const path of ['/metrics', '/readyz', '/livez', '/health', '/_dev/events', '/.git/config', '/.env']) {
    expect((await request.get(path)).status(), path).toBeGreaterThanOrEqual(400);
  }
  expect(await (await request.get('/healthz')).text()).toBe('OK');
});

test('a request is one trace in the logs of all that it passes', async ({ request }) => {
  const linesOf = (name: string, id: string) =>
    readFileSync(path.join(import.meta.dirname, `../.data/logs/${name}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line) as { traceId?: string });
  const form = { name: 'A', email: 'a@example.com', category: 'other', message: 'A trace', consent: 'on' };
  for (const [service, answer] of [
    // A page that no cache has, and a form: both are asked of a service by the shell. The third, of the service by the gateway.
    ['news', await request.get('/news/of-this-test-only')],
    ['inquiry', await request.post('/inquiry', { form, maxRedirects: 0 })],
    ['inquiry', await request.post('/api/inquiries', { data: { ...form, consent: true } })],
  ] as const) {
    const id = answer.headers()['x-request-id'] as string;
    const passed = answer.url().includes('/api/') ? ['gateway', service] : ['gateway', 'shell', service];
    await expect.poll(() => passed.map((name) => linesOf(name, id).length > 0)).not.toContain(false);
    const traces = new Set(passed.flatMap((name) => linesOf(name, id).map(({ traceId }) => traceId)));
    expect([...traces], answer.url()).toEqual([expect.stringMatching(/^[\da-f]{32}$/)]);
  }
});

test('of a release only what browsers load is on the public port', async ({ request }) => {
  const html = await (await request.get('/inquiry')).text();
  const [file = '', release = ''] = /(\/_mfe\/mfe-inquiry\/[^/"]+)\/[\w.]+\.js/.exec(html) ?? [];
  expect(await statusOf(file), 'the control: a file of this release').toBe(200);
  for (const path of ['server/remote.cjs', 'release.json', '../release.json', '%2e%2e/release.json', '../server/remote.cjs']) {
    expect(await statusOf(`${release}/${path}`), path).toBeGreaterThanOrEqual(400);
  }
});

test('an unknown host is refused', async ({ request }) => {
  expect((await request.get('/', { headers: { Host: 'evil.example' } })).status()).toBe(421);
});

test('only the public port listens beyond this machine', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc/net');
  const beyond = listening().filter(({ port, loopback }) => port >= 13_000 && port < 13_300 && !loopback);
  // That it is found shows that one more would be.
  expect([...new Set(beyond.map(({ port }) => port))]).toEqual([13_000]);
});

/** Asks for a path as it is written: clients that parse it as a URL take `..` out of it. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: 13_000, path, headers: { Host: 'localhost:13000' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

/** The listening sockets of this machine. */
function listening(): { port: number; loopback: boolean }[] {
  const state = '0A';
  const loopbacks = ['0100007F', '00000000000000000000000001000000', '0000000000000000FFFF00000100007F'];
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === state)
    .map(([, local = '']) => local.split(':') as [string, string])
    .map(([address, port]) => ({ port: Number.parseInt(port, 16), loopback: loopbacks.includes(address) }));
}
