import { setTimeout as pause } from 'node:timers/promises';
import type { FeedEntry, Mfe, SitemapEntry } from '@colonnade/mfe';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { problemHandler } from '@colonnade/service/problem';
import { recordRequests, requestContext } from '@colonnade/service/request';
import express from 'express';
import { expect, test } from 'vitest';
import { listening } from '../../../../gateway/test/servers.ts';
import { upstreamAt } from '../../../../gateway/test/upstream-gateway.ts';
import { FencedParts } from '../containment/fenced-parts.ts';
import { discovery } from './discovery.ts';

const log = createLog('test');
const updatedAt = '2026-11-05T08:00:00.000Z';
/** As many at once as the news service gives. */
const partSize = 5000;

/** The files of a site of news, and a way to them as the gateway has it. */
async function siteOf({ items = [], origin = 'https://site.example', partMs = 0, feeds = { 'mfe-news': async () => [] } }: Content) {
  const site = { name: 'Site', language: 'en', origin };
  const mfe = {
    contract: 1 as const,
    routes: [],
    slots: [],
    nav: [],
    sitemap: async (_context: unknown, from = '0') => {
      const next = Number(from) + partSize;
      await pause(partMs);
      return { entries: items.slice(Number(from), next), next: next < items.length ? String(next) : undefined };
    },
  };
  const app = express().disable('x-powered-by').set('etag', false);
  app.use(requestContext(recordRequests({ log, metrics: createMetrics('test') })));
  app.use(
    discovery({
      mfes: Object.entries(feeds).map(([name, feed]) => ({ name, version: '1.0.0', mfe: { ...mfe, feed } })),
      fenced: new FencedParts(),
      site,
      feedAuthority: 'owner.example,2026',
      securityContact: 'mailto:security@site.example',
      context: ({ requestId }) => ({ services: {}, site, requestId }),
      log,
    }),
  );
  app.use(problemHandler(log));
  let unanswered = 0;
  const { upstream } = upstreamAt((await listening(app)).url, { deadlineMs: 5000, unanswered: () => unanswered++ });
  return {
    async get(path: string, headers: Record<string, string> = {}) {
      const answer = await upstream.fetch({ path, headers });
      return { ...answer, text: answer.body.toString() };
    },
    get unanswered() {
      return unanswered;
    },
  };
}
interface Content {
  items?: SitemapEntry[];
  origin?: string;
  /** What the service takes for one part. */
  partMs?: number;
  /** By microfrontend. */
  feeds?: Record<string, NonNullable<Mfe['feed']>>;
}
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);

test('a hundred thousand pages are listed in files that the gateway takes, however long their addresses are', async () => {
  // The longest ids of news, below the longest name that a host may have.
  const origin = `https://${'host.'.repeat(50)}com`;
  const items = Array.from({ length: 100_000 }, (_, i) => ({ path: `/news/${String(i).padStart(100, 'a')}`, lastModified: updatedAt }));
  const site = await siteOf({ items, origin });
  const index = await site.get('/sitemap.xml');
  expect([index.status, index.text]).toEqual([200, expect.stringContaining('<sitemapindex ')]);
  const listed: string[] = [];
  for (const file of locations(index.text)) {
    const { status, text } = await site.get(file.slice(origin.length));
    expect([status, text]).toEqual([200, expect.stringMatching(/^<\?xml [^>]+>\n<urlset [^>]+>\n<url>.+<\/url>\n<\/urlset>\n$/s)]);
    expect(locations(text).length).toBeLessThanOrEqual(50_000);
    listed.push(...locations(text));
  }
  expect(listed).toEqual(items.map(({ path }) => origin + path));
  const files = locations(index.text).length;
  for (const name of ['0', files + 1, '01', '1e0', 'x']) expect((await site.get(`/sitemap-${name}.xml`)).status, `${name}`).toBe(404);
  expect(site.unanswered).toBe(0);
});

test('a site that fits into one file has no other', async () => {
  const site = await siteOf({ items: [{ path: '/news/one', lastModified: updatedAt }, { path: '/news/a&b' }] });
  const { text } = await site.get('/sitemap.xml');
  expect(text).toContain(`\n<url><loc>https://site.example/news/one</loc><lastmod>${updatedAt}</lastmod></url>\n`);
  expect(locations(text)).toEqual(['https://site.example/news/one', 'https://site.example/news/a&#38;b']);
  expect((await site.get('/sitemap-1.xml')).status).toBe(404);
});

test('a file is made once for all who ask within ten seconds', async () => {
  let made = 0;
  const item = {
    get path() {
      made++;
      return '/news/one';
    },
  };
  const site = await siteOf({ items: [item] });
  const [first, again] = [await site.get('/sitemap.xml'), await site.get('/sitemap.xml')];
  expect([again.text, again.headers.etag]).toEqual([first.text, first.headers.etag]);
  expect((await site.get('/sitemap.xml', { 'if-none-match': String(first.headers.etag) })).status).toBe(304);
  expect(made).toBe(1);
});

test('a sitemap that takes longer than the gateway waits is 503 in time, and there for whoever asks next', async () => {
  const items = Array.from({ length: 100_000 }, (_, i) => ({ path: `/news/${i}` }));
  const site = await siteOf({ items, partMs: 300 });
  const { status, headers } = await site.get('/sitemap.xml');
  expect([status, headers['retry-after']]).toEqual([503, '10']);
  await expect.poll(async () => (await site.get('/sitemap.xml')).status).toBe(200);
  expect(site.unanswered).toBe(0);
});

test('a trial is told at once who gives no pages for the sitemap, however many there are', async () => {
  let fails = false;
  const first = {
    get path() {
      if (fails) throw new Error('no path');
      return '/news/first';
    },
  };
  const site = await siteOf({ items: [first, ...Array.from({ length: 100_000 }, (_, i) => ({ path: `/news/${i}` }))], partMs: 300 });
  const tried = async () => {
    const { status, headers } = await site.get('/sitemap.xml', { 'x-colonnade-trial': '1' });
    return [status, headers['x-colonnade-missing']];
  };
  expect(await tried()).toEqual([200, undefined]);
  fails = true;
  expect(await tried()).toEqual([200, 'mfe-news']);
  expect((await site.get('/sitemap.xml')).status).toBe(503);
});

test('no cache may answer with what has been withdrawn since: it has to ask, and is told at little cost that nothing has', async () => {
  const site = await siteOf({ items: [{ path: '/news/one' }] });
  for (const path of ['/sitemap.xml', '/feed.xml', '/robots.txt', '/.well-known/security.txt']) {
    const { status, headers } = await site.get(path);
    expect([status, headers['cache-control']], path).toEqual([200, 'no-cache']);
    const again = await site.get(path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.text, again.headers['cache-control']], path).toEqual([304, '', 'no-cache']);
  }
});

const entry = { id: 'item-1', title: 'One', path: '/news/one', summary: 'First.', publishedAt: updatedAt, updatedAt };
const idsIn = (text: string) => [...text.matchAll(/<id>([^<]+)<\/id>/g)].map(([, id = '']) => id);

test('a feed lacks the entries of a microfrontend that throws, hangs or gives what is no entry, and no others', async () => {
  const feeds = {
    'mfe-throws': () => {
      throw new Error('thrown in feed');
    },
    'mfe-hangs': () => new Promise<FeedEntry[]>(() => {}),
    'mfe-odd': async () => [{ ...entry, summary: undefined } as unknown as FeedEntry],
    'mfe-news': async () => [entry],
    'mfe-jobs': async () => [entry],
  };
  const { status, headers, text } = await (await siteOf({ feeds })).get('/feed.xml');
  const missing = String(headers['x-colonnade-missing']).split(' ').toSorted();
  expect([status, missing]).toEqual([200, ['mfe-hangs', 'mfe-odd', 'mfe-throws']]);
  expect(idsIn(text).toSorted()).toEqual(['feed', 'mfe-jobs/item-1', 'mfe-news/item-1'].map((id) => `tag:owner.example,2026:${id}`));
  expect(text).toMatch(/<\/entry>\n<\/feed>\n$/);
});

test('a feed that lacks entries is not kept, and a trial is given one made now', async () => {
  let isAway = true;
  let made = 0;
  const feeds = {
    'mfe-news': async () => (isAway ? Promise.reject(new Error('the service is away')) : [entry]),
    'mfe-jobs': async () => [{ ...entry, id: `jobs-${++made}` }],
  };
  const site = await siteOf({ feeds });
  const missing = async (headers?: Record<string, string>) => (await site.get('/feed.xml', headers)).headers['x-colonnade-missing'];
  expect(await missing()).toBe('mfe-news');
  isAway = false;
  expect([await missing(), made]).toEqual([undefined, 2]);
  isAway = true;
  expect([await missing(), made]).toEqual([undefined, 2]);
  expect([await missing({ 'x-colonnade-trial': '1' }), made]).toEqual(['mfe-news', 3]);
});

test('where nobody gives entries, the feed is not empty but away', async () => {
  const site = await siteOf({ feeds: { 'mfe-news': () => Promise.reject(new Error('the service is away')) } });
  const { status, headers } = await site.get('/feed.xml');
  expect([status, headers['retry-after']]).toEqual([503, '10']);
});

test('the ids of the feed are the same under every host', async () => {
  const ids: string[][] = [];
  for (const origin of ['https://site.example', 'http://localhost:3000']) {
    const { text } = await (await siteOf({ feeds: { 'mfe-news': async () => [entry] }, origin })).get('/feed.xml');
    expect(text).toContain(`href="${origin}/news/one"`);
    ids.push(idsIn(text));
  }
  expect(ids[0]).toEqual(['tag:owner.example,2026:feed', 'tag:owner.example,2026:mfe-news/item-1']);
  expect(ids[1]).toEqual(ids[0]);
});
