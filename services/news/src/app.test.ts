import { openDatabase } from '@colonnade/service/database';
import { type Listener, listen } from '@colonnade/service/listener';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { newsApp } from './app.ts';
import { type NewsItem, newsDocument } from './schema.ts';
import { seed } from './seed.ts';
import { NewsStore } from './store.ts';

const uri = new URL(inject('mongodbAdminUri'));
uri.pathname = '/news_app_test';
const log = createLog('test');
const database = openDatabase({ uri: uri.href, name: 'unused', appName: 'test', log, prepare: NewsStore.prepare });
const store = new NewsStore(database.db);
let listener: Listener;

beforeAll(async () => {
  await database.prepared;
  const app = newsApp({ database, log, metrics: createMetrics('test'), version: '1.0.0' });
  listener = await listen(app, { port: 0, host: '127.0.0.1' });
});
beforeEach(async () => {
  await store.news.deleteMany({});
});
afterAll(async () => {
  await listener.drain();
  await database.db.dropDatabase();
  await database.close();
});

function item(number: number, rest: Partial<NewsItem> = {}): NewsItem {
  return {
    newsId: `item-${String(number).padStart(3, '0')}`,
    title: `Item ${number}`,
    language: 'en',
    category: 'company',
    excerpt: 'Short.',
    body: '# Heading\n\nText with a [link](/company) and one [not](javascript:x).',
    publishedAt: '2026-04-01T08:00:00Z',
    ...rest,
  };
}

async function get(path: string, init?: RequestInit) {
  const res = await fetch(`http://127.0.0.1:${listener.port}${path}`, init);
  const text = await res.text();
  return { status: res.status, headers: res.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const ids = (body: { items: { newsId: string }[] }) => body.items.map(({ newsId }) => newsId);

describe('GET /api/news', () => {
  it('is an empty list where there is nothing', async () => {
    expect(await get('/api/news')).toMatchObject({
      status: 200,
      body: { items: [], page: 1, pages: 0, total: 0, categories: { products: 0, calibration: 0, company: 0, exhibitions: 0 } },
    });
  });

  it('pages newest first without a gap or a repeat, also where dates are equal', async () => {
    const items = Array.from({ length: 45 }, (_, i) => item(i, { publishedAt: `2026-04-0${1 + (i % 3)}T08:00:00Z` }));
    await store.news.insertMany(items.map(newsDocument));
    const expected = items
      .toSorted((a, b) => (`${a.publishedAt} ${a.newsId}` < `${b.publishedAt} ${b.newsId}` ? 1 : -1))
      .map(({ newsId }) => newsId);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`/api/news?page=${page}`)));
    expect(pages.map(({ body }) => body.items.length)).toEqual([20, 20, 5, 0]);
    expect(pages.flatMap(({ body }) => ids(body))).toEqual(expected);
    expect(pages[3]).toMatchObject({ status: 200, body: { page: 4, pages: 3, total: 45 } });
  });

  it('gives what a list shows of an item and nothing more', async () => {
    await store.news.insertOne(newsDocument(item(1)));
    expect((await get('/api/news')).body.items).toEqual([
      {
        newsId: 'item-001',
        title: 'Item 1',
        language: 'en',
        excerpt: 'Short.',
        category: 'company',
        publishedAt: '2026-04-01T08:00:00.000Z',
      },
    ]);
  });

  it('filters by category and counts all of them', async () => {
    await store.news.insertMany(
      [item(1), item(2, { category: 'products' }), item(3, { category: 'products', language: 'ja', title: '新製品' })].map(newsDocument),
    );
    expect((await get('/api/news?category=products&limit=1')).body).toMatchObject({
      items: [{ title: '新製品', language: 'ja' }],
      page: 1,
      pages: 2,
      total: 2,
      categories: { products: 2, calibration: 0, company: 1, exhibitions: 0 },
    });
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page=99999999999',
    'page=1&page=2',
    'category=all',
    'category[$gt]=',
    'category=products&category=company',
    'limit=0',
    'limit=21',
    'q=probe',
    'foo=1',
    '__proto__=1',
    'constructor=1',
    `${'x'.repeat(5000)}=1`,
  ])('refuses ?%s', async (query) => {
    const { status, body } = await get(`/api/news?${query}`);
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toHaveLength(1);
  });
});

describe('GET /api/news/{newsId}', () => {
  it('gives the item with its body as a tree and its neighbours in time', async () => {
    await store.news.insertMany([item(1), item(2), item(3), item(4, { publishedAt: '2026-05-01' })].map(newsDocument));
    const { body } = await get('/api/news/item-003');
    expect(body).toEqual({
      newsId: 'item-003',
      title: 'Item 3',
      language: 'en',
      excerpt: 'Short.',
      category: 'company',
      publishedAt: '2026-04-01T08:00:00.000Z',
      body: [
        { tag: 'h2', children: ['Heading'] },
        { tag: 'p', children: ['Text with a ', { tag: 'a', href: '/company', children: ['link'] }, ' and one not.'] },
      ],
      previous: { newsId: 'item-002', title: 'Item 2', language: 'en' },
      next: { newsId: 'item-004', title: 'Item 4', language: 'en' },
    });
    expect((await get('/api/news/item-001')).body.previous).toBeNull();
    expect((await get('/api/news/item-004')).body.next).toBeNull();
  });

  it.each(['unknown', 'Item-001', 'a--b', '-a', 'a%00b', '..%2f..%2fx', '%24gt', 'a'.repeat(101), 'a/b', ''])(
    'has nothing at %j',
    async (id) => {
      expect(await get(`/api/news/${id}`)).toMatchObject({ status: 404, body: { status: 404, requestId: expect.any(String) } });
    },
  );

  it('refuses a path that is not UTF-8', async () => {
    expect((await get('/api/news/%ff')).status).toBe(400);
  });
});

it('answers HEAD and 304, and no other method', async () => {
  await store.news.insertOne(newsDocument(item(1)));
  expect(await get('/api/news', { method: 'HEAD' })).toMatchObject({ status: 200, body: undefined });
  const etag = (await get('/api/news/item-001')).headers.get('etag') ?? '';
  expect((await get('/api/news/item-001', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status).toBe(304);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/api/news', '/api/news/item-001']) {
      const { status, headers } = await get(path, { method, ...(method === 'POST' && { body: 'x'.repeat(1_000_000) }) });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  }
  expect(await store.news.countDocuments()).toBe(1);
});

describe('the collection', () => {
  it('refuses a document that did not come through this service', async () => {
    const good = newsDocument(item(1));
    const bad = [
      { ...good, title: 5 },
      { ...good, category: 'other' },
      { ...good, publishedAt: '2026-04-01' },
      { ...good, _id: 'Not a slug' },
      { ...good, extra: true },
      { ...good, schemaVersion: 2 },
      { ...good, tree: undefined },
    ];
    for (const document of bad) {
      await expect(database.db.collection<{ _id: string }>('news').insertOne(document, { ignoreUndefined: true })).rejects.toMatchObject({
        code: 121,
      });
    }
    expect(await store.news.countDocuments()).toBe(0);
  });

  it('is prepared by several instances at once', async () => {
    const fresh = database.client.db('news_app_test_fresh');
    // openDatabase repeats what fails in the middle of another's command: so does this.
    const prepare = async (attempt = 0): Promise<void> =>
      NewsStore.prepare(fresh).catch(() => (attempt < 5 ? prepare(attempt + 1) : Promise.reject()));
    await Promise.all(Array.from({ length: 5 }, () => prepare()));
    expect((await fresh.collection('news').indexes()).map(({ key }) => key)).toEqual([
      { _id: 1 },
      { publishedAt: -1, _id: -1 },
      { category: 1, publishedAt: -1, _id: -1 },
    ]);
    await fresh.dropDatabase();
  });

  it('is seeded once by several instances, whole, and never when it holds anything', async () => {
    const items = Array.from({ length: 50 }, (_, i) => item(i));
    const counts = await Promise.all(Array.from({ length: 4 }, () => seed(database.client, database.db, items)));
    expect(counts.toSorted()).toEqual([0, 0, 0, 50]);
    await store.news.deleteMany({ _id: { $ne: 'item-007' } });
    expect(await seed(database.client, database.db, items)).toBe(0);
    expect(await store.news.countDocuments()).toBe(1);
  });

  it('uses an index for each list', async () => {
    await store.news.insertMany(Array.from({ length: 30 }, (_, i) => newsDocument(item(i))));
    for (const filter of [{}, { category: 'company' as const }]) {
      const plan = JSON.stringify(await store.news.find(filter).sort({ publishedAt: -1, _id: -1 }).explain('queryPlanner'));
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toMatch(/"stage":"(?:SORT|COLLSCAN)"/);
    }
  });
});
