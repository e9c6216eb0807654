import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { log } from '../../fixtures/page-cache.ts';
import { listening } from '../../test/servers.ts';
import { Purges } from './purges.ts';

/** Purges of one cache, which answers as it is told. `tries` counts them by page: three requests each. */
async function purging(answer: (path: string, res: ServerResponse) => void) {
  const tries = new Map<string, number>();
  const metrics = new Registry();
  const { url } = await listening((req, res) => {
    const path = req.url ?? '';
    if (req.headers['accept-encoding'] === 'identity') tries.set(path, (tries.get(path) ?? 0) + 1);
    answer(path, res);
  });
  const purges = new Purges({ urls: [url], host: 'site.example', metrics, log });
  return {
    purges,
    tries,
    send: (...paths: string[]) => paths.forEach((path) => void purges.send(path, [])),
    all: () => [...tries.values()].reduce((sum, times) => sum + times, 0),
    async counted(result: 'done' | 'failed') {
      const { values = [] } = (await metrics.getSingleMetric('shared_cache_purges_total')?.get()) ?? {};
      return values.find(({ labels }) => labels.result === result)?.value ?? Number.NaN;
    },
  };
}
const pages = Array.from({ length: 1000 }, (_, i) => `/news/${i}`);

test('a cache that is away is asked by eight at a time, more and more seldom; once it is back it gets all, twice', async () => {
  let away = true;
  const { send, tries, all, counted } = await purging((_path, res) => void res.writeHead(away ? 503 : 200).end());
  expect([await counted('done'), await counted('failed')]).toEqual([0, 0]);
  const sentAt = performance.now();
  send(...pages);
  // Each of the eight asks at once, and after 0.1, 0.3 and 0.7 s.
  await expect.poll(() => counted('failed')).toBeGreaterThan(24);
  expect(performance.now() - sentAt).toBeGreaterThan(650);
  expect(await counted('failed')).toBeLessThanOrEqual(32);
  away = false;
  await expect.poll(() => counted('done'), { timeout: 15_000 }).toBe(2 * pages.length);
  expect(tries.size).toBe(pages.length);
  expect(all()).toBe((await counted('failed')) + (await counted('done')));
});

test('pages that a cache never drops are asked for more and more seldom and hold up no other, be they more than eight', async () => {
  const { send, tries, counted } = await purging((path, res) => void res.writeHead(path.startsWith('/never') ? 400 : 200).end());
  const sentAt = performance.now();
  send('/never/0');
  await expect.poll(() => counted('failed')).toBe(6);
  expect(performance.now() - sentAt).toBeGreaterThan(3000);
  // It rests for 3.2 s now.
  send('/news');
  await expect.poll(() => tries.get('/news'), { timeout: 2500 }).toBe(1);
  send(...Array.from({ length: 32 }, (_, i) => `/never/${i}`));
  await expect.poll(() => tries.size, { timeout: 15_000 }).toBe(33);
  // By now one try of all of them takes a while; a lane that rests does so for 5 s at most.
  const before = await counted('failed');
  send('/company');
  await expect.poll(() => tries.get('/company'), { timeout: 15_000 }).toBe(1);
  expect((await counted('failed')) - before).toBeLessThan(17);
});

test('a page that changes again while it is being purged is purged anew', async () => {
  const held: ServerResponse[] = [];
  const { send, tries, counted } = await purging((_path, res) => void held.push(res));
  send('/news');
  await expect.poll(() => held.length).toBe(3);
  send('/news');
  for (const res of held.splice(0)) res.writeHead(200).end();
  await expect.poll(() => tries.get('/news')).toBe(2);
  await expect.poll(() => held.length).toBe(3);
  for (const res of held.splice(0)) res.writeHead(200).end();
  await expect.poll(() => held.length, { timeout: 3000 }).toBe(3);
  for (const res of held.splice(0)) res.writeHead(200).end();
  await expect.poll(() => counted('done')).toBe(3);
});

test('more pages than may wait become everything, which no page’s keys go along with', async () => {
  const told = new Map<string, unknown>();
  const { purges } = await purging((path, res) => {
    told.set(path, res.req.headers['surrogate-key'] ?? 'no key');
    res.end();
  });
  for (let i = 0; i <= 20_000; i++) purges.send(`/news/${i}`, [`news:${i}`]);
  await expect.poll(() => told.get('/*')).toBe('no key');
});

test('whoever leaves asks for everything first: the pages may be more than there is time for', async () => {
  const held: ServerResponse[] = [];
  let hangs = true;
  const { purges, tries } = await purging((_path, res) => void (hangs ? held.push(res) : res.end()));
  const left = purges.leave(new Map(pages.map((path) => [path, []])));
  await expect.poll(() => tries.get('/*')).toBe(1);
  hangs = false;
  for (const res of held) res.end();
  await left;
});

test('a cache behind TLS is asked over TLS, by its own name and not the site’s', async () => {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.once('data', (chunk: Buffer) => {
      heard.push(chunk);
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const purges = new Purges({ urls: [`https://localhost:${port}/Purge`], host: 'site.example', metrics: new Registry(), log });
  purges.send('/news', []);
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  // A handshake, with the name that the certificate has to have.
  expect(heard[0]?.[0]).toBe(22);
  expect(heard[0]?.includes('localhost')).toBe(true);
  expect(heard[0]?.includes('site.example')).toBe(false);
});
