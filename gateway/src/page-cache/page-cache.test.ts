import { Problem } from '@colonnade/service/problem';
import { describe, expect, test } from 'vitest';
import { FakeFeed, page, routes, type Shell } from '../../fixtures/page-cache.ts';
import { siteOf } from '../../test/cached-site.ts';
import type { UpstreamAnswer } from '../upstream.ts';

const unavailable: Shell = async () => Promise.reject(new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '1' } }));
const never: Shell = () => new Promise(() => {});
const long = 'Calibrated at 20 °C. '.repeat(500);

describe('a page', () => {
  test('is rendered once while it is fresh, and every visitor gets the same bytes', async () => {
    const site = await siteOf(async () => page(long));
    const first = await site.visit('/news', { headers: { 'x-request-id': 'one' } });
    site.time += 12_345;
    const second = await site.visit('/news?utm_source=x', { headers: { 'x-request-id': 'two' } });
    expect(site.asked).toEqual([
      { path: '/news', headers: { host: 'site.example', 'accept-encoding': 'identity', 'x-request-id': 'one' } },
    ]);
    expect([first.text, second.text]).toEqual([long, long]);
    expect(first.headers).toMatchObject({ 'cache-status': 'colonnade; fwd=miss; stored; ttl=60', age: '0', 'x-request-id': 'one' });
    expect(second.headers).toMatchObject({
      'cache-status': 'colonnade; hit; ttl=47',
      age: '12',
      'x-request-id': 'two',
      'x-release-set': 'set-1',
      'content-security-policy': "default-src 'self'",
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      'content-length': String(Buffer.byteLength(long)),
    });
    expect(second.headers).not.toHaveProperty('x-colonnade-tags');
  });

  test('is proxied where its route wants no copies, and for every method but GET and HEAD', async () => {
    const site = await siteOf(async () => page('x'));
    for (const [path, method] of [
      ['/inquiry', 'GET'],
      ['/unknown', 'GET'],
      ['/news', 'POST'],
      ['/news?_data=set-2', 'GET'],
    ] as const)
      expect((await site.visit(path, { method })).headers['x-proxied'], path).toBe('yes');
    expect(site.asked).toHaveLength(0);
  });
});

describe('a fill', () => {
  test('is one for 100 visitors who come at once', async () => {
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer>();
    const site = await siteOf(() => promise);
    const visits = Array.from({ length: 100 }, (_, i) => site.visit(`/news?page=2&visitor=${i}`));
    await expect.poll(() => site.asked).toHaveLength(1);
    // Whoever is still on the way meets the copy.
    resolve(page('once'));
    const answers = await Promise.all(visits);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 once']));
    expect(site.asked).toHaveLength(1);
    expect(answers.some(({ headers }) => headers['cache-status'] === 'colonnade; fwd=miss; collapsed; stored; ttl=60')).toBe(true);
  });

  test('goes on when its first visitor leaves', async () => {
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer>();
    const site = await siteOf(() => promise);
    const leaving = new AbortController();
    const left = fetch(`${site.origin}/news`, { signal: leaving.signal }).catch(() => 'left');
    await expect.poll(() => site.asked).toHaveLength(1);
    const waiting = site.visit('/news');
    leaving.abort();
    expect(await left).toBe('left');
    resolve(page('kept'));
    expect((await waiting).text).toBe('kept');
    expect((await site.visit('/news')).headers['cache-status']).toBe('colonnade; hit; ttl=60');
    expect(site.asked).toHaveLength(1);
  });

  test('that fails is nobody’s copy, and the next visitor’s begins anew', async () => {
    const site = await siteOf(unavailable);
    const failed = await site.visit('/news');
    expect([failed.status, failed.headers['retry-after']]).toEqual([503, '1']);
    site.shell = async () => page('back');
    expect((await site.visit('/news')).text).toBe('back');
  });

  test.each([301, 404, 410])('that is answered %i passes that on and removes the copy', async (status) => {
    const site = await siteOf(async () => page('before'));
    await site.visit('/news');
    site.shell = async () => ({
      status,
      headers: { location: '/', 'cache-control': 'no-store', 'content-type': 'text/html' },
      body: Buffer.from('gone'),
    });
    site.time += 61_000;
    expect((await site.visit('/news')).text).toBe('before');
    await expect.poll(async () => (await site.visit('/news')).status).toBe(status);
    site.shell = unavailable;
    expect((await site.visit('/news')).status).toBe(503);
  });

  test.each([
    ['sets a cookie', { 'set-cookie': ['a=b'] }],
    ['has no tags', { 'x-colonnade-tags': undefined }],
  ])('whose answer %s is not kept', async (_, headers) => {
    const site = await siteOf(async () => page('x', headers));
    expect((await site.visit('/news')).headers['cache-status']).toBe('colonnade; fwd=miss');
    await site.visit('/news');
    expect(site.asked).toHaveLength(2);
  });

  test('that ends in a server error is told to the visitor as it is; the page of a 500 names the visitor’s host', async () => {
    const site = await siteOf(async () => ({ status: 503, headers: { 'retry-after': '30' }, body: Buffer.from('in the layout') }));
    expect(await site.visit('/news')).toMatchObject({ status: 503, text: 'in the layout', headers: { 'retry-after': '30' } });
    site.shell = async () => ({ status: 500, headers: {}, body: Buffer.from('error at site.example') });
    expect((await site.visit('/news')).text).toBe('error at site.example');
    expect((await site.visit('/news', { headers: { host: 'localhost' } })).headers['x-proxied']).toBe('yes');
  });
});

describe('an old copy', () => {
  test('is served while it is made anew behind the visitor’s back', async () => {
    const site = await siteOf(async () => page('old'));
    await site.visit('/news');
    site.time += 75_000;
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer>();
    site.shell = () => promise;
    for (let i = 0; i < 3; i++) {
      const { text, headers } = await site.visit('/news');
      expect([text, headers['cache-status'], headers.age]).toEqual(['old', 'colonnade; hit; ttl=-15', '75']);
    }
    expect(site.asked).toHaveLength(2);
    resolve(page('new'));
    await expect.poll(async () => (await site.visit('/news')).text).toBe('new');
    expect(site.asked).toHaveLength(2);
  });

  test('is the last good one while the shell fails, until its time is over', async () => {
    const site = await siteOf(async () => page('good'));
    await site.visit('/news');
    site.shell = unavailable;
    site.time += 61_000;
    expect((await site.visit('/news')).text).toBe('good');
    site.time += 400_000;
    const rescued = await site.visit('/news');
    expect([rescued.status, rescued.text, rescued.headers.age]).toEqual([200, 'good', '461']);
    await expect.poll(async () => (await site.visit('/news')).headers['cache-status']).toContain('detail=stale-if-error');
    site.time += 150_000;
    expect((await site.visit('/news')).status).toBe(503);
    expect(await site.results()).toMatchObject({ failed: 1 });
  });

  test('is asked about once a second while the shell fails, and nobody waits for that', async () => {
    const site = await siteOf(async () => page('good'));
    await site.visit('/news');
    site.feed.change('changed', 'news');
    site.shell = unavailable;
    await expect
      .poll(async () => (await site.visit('/news')).headers['cache-status'])
      .toBe('colonnade; fwd=stale; fwd-status=503; detail=stale-if-error; ttl=0');
    const before = site.asked.length;
    site.shell = never;
    for (let i = 0; i < 20; i++)
      expect((await site.visit('/news')).headers['cache-status']).toBe('colonnade; hit; detail=stale-if-error; ttl=0');
    expect(site.asked).toHaveLength(before);
    site.time += 1001;
    for (let i = 0; i < 20; i++) expect((await site.visit('/news')).text).toBe('good');
    expect(site.asked).toHaveLength(before + 1);
  });

  test('is better than a page that lacks a part; without one, that page is shown and not kept', async () => {
    const site = await siteOf(async () => page('whole'));
    await site.visit('/news');
    const lacking = async () => page('lacking', { 'x-colonnade-incomplete': 'mfe-news/latest' });
    site.shell = lacking;
    site.feed.change('changed', 'news');
    await expect.poll(async () => (await site.visit('/news')).headers['cache-status']).toContain('fwd-status=200');
    expect((await site.visit('/news')).text).toBe('whole');
    expect((await site.visit('/news?page=2')).text).toBe('lacking');
    site.shell = async () => page('whole again');
    expect((await site.visit('/news?page=2')).text).toBe('whole again');
  });

  test('is served when the new one takes longer than a visitor waits', async () => {
    const site = await siteOf(async () => page('old'));
    await site.visit('/news');
    site.shell = never;
    site.feed.change('changed', 'news');
    await expect
      .poll(async () => (await site.visit('/news')).headers['cache-status'])
      .toBe('colonnade; fwd=stale; detail=stale-if-error; ttl=0');
    expect((await site.visit('/news')).headers['cache-status']).toContain('hit; detail=stale-if-error');
  });

  test('whose release set has gone is served while it is made anew: its data could not be asked for any more', async () => {
    const site = await siteOf(async () => page('of set 1'));
    await site.visit('/');
    site.set = { id: 'set-2', routes };
    site.shell = async () => page('of set 2', { 'x-release-set': 'set-2' });
    site.resident.add('set-2');
    expect((await site.visit('/')).text).toBe('of set 1');
    expect(site.asked).toHaveLength(1);
    site.resident.delete('set-1');
    expect((await site.visit('/')).text).toBe('of set 1');
    await expect.poll(async () => (await site.visit('/')).text).toBe('of set 2');
    expect(site.asked).toHaveLength(2);
  });

  test('is still found when no release set is live any more', async () => {
    const site = await siteOf(async () => page('good'));
    await site.visit('/');
    await site.visit('/?_data=set-1');
    site.shell = unavailable;
    site.time += 100_000;
    for (const path of ['/', '/?_data=set-1']) expect((await site.visit(path)).text).toBe('good');
  });
});

describe('a change', () => {
  test('makes the shell be asked before a page is served again; pages that do not show it stay', async () => {
    const site = await siteOf(async ({ path }) => page(`${path} 1`, { 'x-colonnade-tags': path === '/' ? 'pages' : 'news' }));
    for (const path of ['/news', '/news?_data=set-1', '/']) await site.visit(path);
    site.shell = async ({ path }) => page(`${path} 2`);
    site.feed.change('changed', 'news', 'news:a');
    await expect.poll(async () => (await site.visit('/news')).text, { interval: 10 }).toBe('/news 2');
    expect((await site.visit('/news?_data=set-1')).text).toBe('/news?_data=set-1 2');
    expect((await site.visit('/')).text).toBe('/ 1');
    expect((await site.visit('/news')).headers['cache-status']).toBe('colonnade; hit; ttl=60');
  });

  test('reaches every gateway: two of them never show one page in two versions for long', async () => {
    let version = 1;
    const shell: Shell = async () => page(`version ${version}`);
    const one = await siteOf(shell);
    const two = await siteOf(shell, { changes: { news: one.feedUrl } });
    const seen = async () => Promise.all([one, two].map(async (site) => (await site.visit('/news')).text));
    for (let i = 0; i < 2; i++) expect(await seen()).toEqual(['version 1', 'version 1']);
    version = 2;
    // Nothing has been heard: both go on with what they have.
    expect(await seen()).toEqual(['version 1', 'version 1']);
    one.feed.change('updated', 'news');
    await expect.poll(() => seen()).toEqual(['version 2', 'version 2']);
  });

  test('while the page is being made is not missed: that page is not fresh, and who comes later gets the next', async () => {
    const fills: PromiseWithResolvers<UpstreamAnswer>[] = [];
    const site = await siteOf(async () => page('1'));
    await site.visit('/');
    site.shell = ({ path }) => {
      if (path === '/') return Promise.resolve(page('2'));
      const fill = Promise.withResolvers<UpstreamAnswer>();
      fills.push(fill);
      return fill.promise;
    };
    const first = site.visit('/news');
    await expect.poll(() => fills).toHaveLength(1);
    site.feed.change('changed', 'news');
    // Another page tells when the change has been heard.
    await expect.poll(async () => (await site.visit('/')).text).toBe('2');
    site.time += 1;
    const later = site.visit('/news');
    await expect.poll(() => fills).toHaveLength(2);
    fills[1]?.resolve(page('after'));
    expect((await later).text).toBe('after');
    // The older one comes last: it does not take the place of the newer.
    fills[0]?.resolve(page('before'));
    expect((await first).text).toBe('before');
    expect((await site.visit('/news')).text).toBe('after');
    expect(fills).toHaveLength(2);
  });

  test('while the page is being made keeps that page from being fresh; it is the last good copy', async () => {
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer>();
    const site = await siteOf(async ({ path }) => (path === '/news' ? promise : page('1')));
    await site.visit('/');
    const first = site.visit('/news');
    await expect.poll(() => site.asked).toHaveLength(2);
    site.shell = async () => page('2');
    site.feed.change('changed', 'news');
    await expect.poll(async () => (await site.visit('/')).text).toBe('2');
    resolve(page('before'));
    expect((await first).headers['cache-status']).toBe('colonnade; fwd=miss; stored; ttl=0');
    site.shell = unavailable;
    expect((await site.visit('/news')).text).toBe('before');
    site.time += 1001;
    site.shell = async () => page('after');
    await expect.poll(async () => (await site.visit('/news')).text).toBe('after');
  });

  test('that takes something back leaves no last good copy of it', async () => {
    const site = await siteOf(async () => page('secret'));
    await site.visit('/news/a');
    await site.visit('/news');
    site.shell = unavailable;
    site.feed.change('unpublished', 'news', 'news:a');
    await expect.poll(async () => (await site.visit('/news/a')).status).toBe(503);
    expect((await site.visit('/news')).status).toBe(503);
  });

  test('that takes something back while it is being rendered keeps that from being kept', async () => {
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer>();
    const site = await siteOf(async ({ path }) => (path === '/news/a' ? promise : page('1')));
    await site.visit('/');
    const early = site.visit('/news/a');
    await expect.poll(() => site.asked).toHaveLength(2);
    site.shell = async () => page('2');
    site.feed.change('unpublished', 'news', 'news:a');
    await expect.poll(async () => (await site.visit('/')).text).toBe('2');
    resolve(page('secret', { 'x-colonnade-tags': 'news news:a' }));
    expect((await early).text).toBe('secret');
    site.shell = unavailable;
    expect((await site.visit('/news/a')).status).toBe(503);
  });
});

describe('while changes are not heard', () => {
  test('nothing that they could touch counts as fresh, but it is the last good copy', async () => {
    const site = await siteOf(async ({ path }) => page('1', { 'x-colonnade-tags': path === '/' ? 'pages' : 'pages news:a' }));
    for (const path of ['/news', '/']) await site.visit(path);
    site.feed.down();
    site.shell = async () => page('2');
    await expect.poll(async () => (await site.visit('/news')).text).toBe('2');
    expect((await site.visit('/')).text).toBe('1');
    const before = site.asked.length;
    await site.visit('/news');
    expect(site.asked).toHaveLength(before + 1);
    site.shell = unavailable;
    expect((await site.visit('/news')).text).toBe('2');
  });

  test('they are caught up with: copies that no missed change touched are fresh again', async () => {
    const site = await siteOf(async ({ path }) => page(`${path} 1`, { 'x-colonnade-tags': path === '/news' ? 'news:a' : 'news:b' }));
    site.feed.change('changed', 'news:x');
    for (const path of ['/news', '/news/b']) await site.visit(path);
    site.shell = async ({ path }) => page(`${path} 2`);
    site.feed.down();
    site.feed.missed = `${FakeFeed.event('changed', ['news:a'], 'missed')}`;
    await expect.poll(() => site.feed.lastEventIds.length).toBeGreaterThan(1);
    site.feed.up();
    await expect.poll(() => site.feed.listeners).toBe(1);
    expect(site.feed.lastEventIds.at(-1)).toBe('id-1');
    await expect.poll(async () => (await site.visit('/news')).headers['cache-status']).toBe('colonnade; hit; ttl=60');
    expect((await site.visit('/news')).text).toBe('/news 2');
    expect((await site.visit('/news/b')).text).toBe('/news/b 1');
  });

  test('and cannot be caught up with, all that they could have touched is asked for anew', async () => {
    const site = await siteOf(async ({ path }) => page('1', { 'x-colonnade-tags': path === '/' ? 'pages' : 'news' }));
    for (const path of ['/news', '/']) await site.visit(path);
    site.shell = async () => page('2');
    site.feed.down();
    site.feed.missed = 'event: reset\ndata: {}\n\n';
    site.feed.up();
    await expect.poll(() => site.feed.listeners).toBe(1);
    await expect.poll(async () => (await site.visit('/news')).text).toBe('2');
    expect((await site.visit('/')).text).toBe('1');
  });
});
