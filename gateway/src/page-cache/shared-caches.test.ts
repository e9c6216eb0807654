import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { CachedSite, log, page, siteOrigin, visit } from '../../fixtures/page-cache.ts';
import { SetsSite } from '../../test/sets-site.ts';
import { SharedCache } from '../../test/shared-cache.ts';
import { nowhere } from '../shell-sets.ts';
import { Purges } from './purges.ts';
import { SharedCaches, sharedFields } from './shared-caches.ts';

const host = new URL(siteOrigin).host;

/** A page cache behind a shared one that has dropped everything and may keep pages of news. */
async function siteBehind(cache: SharedCache, options: { maxBytes?: number } = {}): Promise<CachedSite & { shared: SharedCaches }> {
  let version = 0;
  const site = new CachedSite(async () => page(`version ${++version}`));
  const purges = new Purges({ urls: [cache.url], host, metrics: new Registry(), log });
  const shared = new SharedCaches({
    sets: { choose: () => ({ ...site.set, upstream: nowhere }), isResident: () => true, canary: null },
    purges,
  });
  await site.start({ shared, ...options });
  onTestFinished(() => site.close());
  cache.origin = site.origin;
  await expect.poll(async () => (await site.visit('/news/probe')).headers['x-accel-expires']).toBeTruthy();
  await expect.poll(() => cache.purged).toContainEqual({ path: '/*', keys: undefined });
  // Everything is purged once more a second later: not in the middle of what is looked at.
  await expect.poll(() => cache.purged.filter(({ path }) => path === '/*')).toHaveLength(2);
  cache.purged.length = 0;
  return Object.assign(site, { shared });
}
const through = (cache: SharedCache, path: string, headers = {}) => visit(`${cache.url}${path}`, { headers: { host, ...headers } });

test('a page is kept by the shared cache until what it shows changes, and is the new one within a second', async () => {
  const cache = await new SharedCache().start();
  const site = await siteBehind(cache);
  const first = await through(cache, '/news');
  expect(first.headers).toMatchObject({
    'cache-control': 'no-cache',
    'cdn-cache-control': 'max-age=60, stale-while-revalidate=60, stale-if-error=600',
    'surrogate-key': 'news release:basis-news',
    'x-accel-expires': '60',
  });
  // Who gets it from there has waited for nobody.
  expect(first.headers).not.toHaveProperty('server-timing');
  expect((await through(cache, '/news')).headers['x-cache']).toBe('HIT');
  const packed = await through(cache, '/news', { 'accept-encoding': 'gzip, br' });
  expect(packed.headers['x-cache']).toBe('MISS');

  const changedAt = performance.now();
  site.feed.change('changed', 'news');
  await expect.poll(async () => (await through(cache, '/news')).text, { interval: 20 }).not.toBe(first.text);
  // And what a busy machine may need.
  expect(performance.now() - changedAt).toBeLessThan(2000);
  await expect.poll(() => cache.kept.has('br /news')).toBe(false);
  expect(cache.purged).toContainEqual({ path: '/news', keys: 'news release:basis-news' });
  expect(cache.purged.map(({ path }) => path)).not.toContain('/');
});

test('what a shared cache has left of a copy’s life is the same by each field: with Age, and for one that does not look at it', async () => {
  const cache = await new SharedCache().start();
  const site = await siteBehind(cache);
  await site.visit('/news');
  for (const ageS of [0, 20, 59]) {
    site.time += ageS * 1000 - Number((await site.visit('/news')).headers.age) * 1000;
    const { headers } = await site.visit('/news');
    expect(headers).toMatchObject({
      age: String(ageS),
      'cdn-cache-control': 'max-age=60, stale-while-revalidate=60, stale-if-error=600',
      'x-accel-expires': String(60 - ageS),
    });
  }
});

test('what was on its way to the shared cache while it was purged is purged again', async () => {
  const cache = await new SharedCache().start();
  const site = await siteBehind(cache);
  await through(cache, '/news');
  const old = cache.kept.get('identity /news');
  site.feed.change('changed', 'news');
  await expect.poll(() => cache.kept.has('identity /news')).toBe(false);
  if (old) cache.kept.set('identity /news', old);
  await expect.poll(() => cache.kept.has('identity /news')).toBe(false);
});

test('a purge is repeated until it is done', async () => {
  const cache = await new SharedCache().start();
  const site = await siteBehind(cache);
  await through(cache, '/news');
  cache.failing = 5;
  site.feed.change('changed', 'news');
  await expect.poll(() => cache.kept.has('identity /news')).toBe(false);
});

test('a worker that leaves has what it let be kept dropped, page by page: not every cache knows what everything is', async () => {
  const cache = await new SharedCache().start();
  const site = await siteBehind(cache);
  for (const path of ['/news', '/news?page=2']) await through(cache, path);
  await site.shared.leave();
  expect(cache.purged.map(({ path }) => path).sort()).toEqual(['/*', '/news', '/news/probe', '/news?page=2']);
  expect(cache.kept.size).toBe(0);
});

test('while nobody says what changes, nothing that could change is kept', async () => {
  const cache = await new SharedCache().start();
  const site = await siteBehind(cache);
  await through(cache, '/news');
  site.feed.down();
  await expect.poll(() => cache.kept.size).toBe(0);
  const { headers } = await through(cache, '/news');
  expect([headers['x-cache'], headers['x-accel-expires'], headers['cdn-cache-control']]).toEqual(['MISS', undefined, undefined]);
});

test('only the page’s own URL is kept: another spelling could not be purged', async () => {
  const cache = await new SharedCache().start();
  await siteBehind(cache);
  for (const path of ['/news?utm_source=x', '/news?page=2&category=a', '/inquiry']) await through(cache, path);
  expect([...cache.kept.keys()]).toEqual([]);
  await through(cache, '/news?category=a&page=2');
  expect([...cache.kept.keys()]).toEqual(['identity /news?category=a&page=2']);
});

test('under another of the site’s names nothing is kept: pages are purged under its own, and a cache may have the host in its key', async () => {
  const cache = await new SharedCache().start();
  const site = await new SetsSite().start({ purgeUrls: [cache.url] });
  await site.point({ live: 'one' });
  const names = [host, 'localhost', host.toUpperCase(), `${host}:80`];
  // The third is answered before the application.
  for (const name of [...names, ...names, ...names]) {
    const { status, headers } = await visit(`${site.gateway}/news`, { headers: { host: name } });
    const said = sharedFields.filter((field) => headers[field.toLowerCase()] !== undefined);
    expect([name, status, said]).toEqual([name, 200, name === host ? sharedFields : []]);
  }
});

test('what somebody makes up sweeps out no page that others read: to say what may be kept is no use of a copy', async () => {
  const site = await siteBehind(await new SharedCache().start(), { maxBytes: 60_000 });
  for (let i = 0; i < 2; i++) await site.visit('/news');
  for (let i = 0; i < 60; i++) expect((await site.visit(`/news?page=${i}`)).headers['x-accel-expires']).toBe('60');
  expect((await site.visit('/news')).headers['cache-status']).toMatch(/^colonnade; hit/);
});

test('the control: without shared caches, no answer says that it may be kept, whatever the shell says', async () => {
  const site = await new CachedSite(async () =>
    page('x', { 'x-accel-expires': '600', 'surrogate-key': 'a', 'cdn-cache-control': 'max-age=600' }),
  ).start();
  onTestFinished(() => site.close());
  for (let i = 0; i < 3; i++) {
    const { headers } = await site.visit('/');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache' });
    for (const name of ['cdn-cache-control', 'surrogate-key', 'x-accel-expires']) expect(headers).not.toHaveProperty(name);
  }
});

test('a release and a canary empty the shared cache; while there is a canary nothing is kept, nor of a visitor’s own', async () => {
  const cache = await new SharedCache().start();
  const site = await new SetsSite().start({ purgeUrls: [cache.url] });
  await site.point({ live: 'one' });
  cache.origin = site.gateway.replace('localhost', '127.0.0.1');
  const ask = (path: string, headers = {}) => through(cache, path, headers);
  await expect.poll(() => cache.purged.filter(({ path }) => path === '/*')).toHaveLength(2);
  // The third is answered before the application.
  for (let i = 0; i < 3; i++) expect((await visit(`${cache.origin}/news`)).headers['x-accel-expires']).toMatch(/^(60|5\d)$/);
  await ask('/news');
  const own = await ask('/', { cookie: 'colonnade-preview=broken' });
  expect(own.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    'set-cookie': [expect.stringContaining('colonnade-preview=;')],
  });
  expect(own.headers).not.toHaveProperty('x-accel-expires');
  expect([...cache.kept.keys()]).toEqual(['identity /news']);

  await site.point({ live: 'one', canary: 'two', canaryPercent: 50 });
  await expect.poll(() => cache.kept.size).toBe(0);
  for (let i = 0; i < 4; i++) await ask('/news');
  expect(cache.kept.size).toBe(0);

  await site.point({ live: 'one' });
  await ask('/news');
  expect(cache.kept.size).toBe(1);
  await site.point({ live: 'two', bases: 'of another release' });
  await expect.poll(() => cache.kept.size).toBe(0);
  expect((await ask('/news')).text).toBe('GET of two');
});

test('a page stays kept through a release that it has no part in, until the set that rendered it is gone', async () => {
  const cache = await new SharedCache().start();
  const site = await new SetsSite().start({ purgeUrls: [cache.url] });
  await site.point({ live: 'one' });
  cache.origin = site.gateway.replace('localhost', '127.0.0.1');
  await expect.poll(() => cache.purged.filter(({ path }) => path === '/*')).toHaveLength(2);
  await through(cache, '/news');
  await site.point({ live: 'two', previous: 'one' });
  expect(await through(cache, '/news')).toMatchObject({ text: 'GET of one', headers: { 'x-cache': 'HIT' } });
  await site.point({ live: 'three', previous: 'two' });
  await expect.poll(() => cache.kept.size).toBe(0);
  await expect.poll(async () => (await through(cache, '/news')).text).toBe('GET of three');
});
