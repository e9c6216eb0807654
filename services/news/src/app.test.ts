import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { draft, type Service, startService, who } from '../fixtures/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'news_app_test');
});
beforeEach(() => service.empty());
afterAll(() => service.close());

const get = (path: string, init?: RequestInit) => service.ask(path, init);

const ids = (body: { items: { newsId: string }[] }) => body.items.map(({ newsId }) => newsId);

describe('GET /api/news', () => {
  it('is an empty list where there is nothing', async () => {
    expect(await get('/api/news')).toMatchObject({
      status: 200,
      body: { items: [], page: 1, pages: 0, total: 0, categories: { products: 0, calibration: 0, company: 0, exhibitions: 0 }, years: {} },
    });
  });

  it('pages newest first without a gap or a repeat, also where dates are equal', async () => {
    const items = Array.from({ length: 45 }, (_, i) => draft(i, { publishedAt: `2026-04-0${1 + (i % 3)}T08:00:00Z` }));
    await service.publish(...items);
    const expected = items
      .toSorted((a, b) => (`${a.publishedAt} ${a.newsId}` < `${b.publishedAt} ${b.newsId}` ? 1 : -1))
      .map(({ newsId }) => newsId);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`/api/news?page=${page}`)));
    expect(pages.map(({ body }) => body.items.length)).toEqual([20, 20, 5, 0]);
    expect(pages.flatMap(({ body }) => ids(body))).toEqual(expected);
    expect(pages[3]).toMatchObject({ status: 200, body: { page: 4, pages: 3, total: 45 } });
  });

  it('gives what a list shows of an item and nothing more', async () => {
    await service.publish(draft(1));
    expect((await get('/api/news')).body.items).toEqual([
      {
        itemId: expect.any(String),
        newsId: 'item-001',
        title: 'Item 1',
        language: 'en',
        excerpt: 'Short.',
        category: 'company',
        publishedAt: '2026-04-01T08:00:00.000Z',
        updatedAt: expect.any(String),
      },
    ]);
  });

  it('filters by category and counts all of them', async () => {
    await service.publish(
      draft(1),
      draft(2, { category: 'products' }),
      draft(3, { category: 'products', language: 'ja', title: '新製品' }),
    );
    expect((await get('/api/news?category=products&limit=1')).body).toMatchObject({
      items: [{ title: '新製品', language: 'ja' }],
      page: 1,
      pages: 2,
      total: 2,
      categories: { products: 2, calibration: 0, company: 1, exhibitions: 0 },
    });
  });

  it('filters by year, also with a category, and counts all years', async () => {
    await service.publish(
      draft(1, { publishedAt: '2026-12-31T23:59:59Z' }),
      draft(2, { publishedAt: '2026-01-01T00:00:00Z', category: 'products' }),
      draft(3, { publishedAt: '2026-01-01T00:30:00+01:00' }),
      draft(4, { publishedAt: '2019-06-01T00:00:00Z' }),
    );
    const { body } = await get('/api/news?year=2026');
    expect(ids(body)).toEqual(['item-001', 'item-002']);
    expect(body).toMatchObject({ total: 2, pages: 1, years: { 2026: 2, 2025: 1, 2019: 1 }, categories: { company: 3, products: 1 } });
    expect((await get('/api/news?year=2026&category=products')).body).toMatchObject({ items: [{ newsId: 'item-002' }], total: 1 });
    expect((await get('/api/news?year=2018')).body).toMatchObject({ items: [], total: 0, pages: 0 });
  });

  it('shows nothing that is not published', async () => {
    for (const number of [1, 2, 3, 4]) await service.desk.create(draft(number), who);
    await service.desk.publish({ newsId: 'item-001', revision: 1, who });
    await service.desk.schedule({ newsId: 'item-002', revision: 1, who }, new Date(Date.now() + 60_000));
    await service.desk.publish({ newsId: 'item-003', revision: 1, who });
    await service.desk.unpublish({ newsId: 'item-003', revision: 2, who });
    for (const path of [
      '/api/news',
      '/api/news?category=company',
      `/api/news?year=${new Date().getUTCFullYear()}`,
      '/api/news?q=heading',
    ]) {
      expect((await get(path)).body, path).toMatchObject({ items: [{ newsId: 'item-001' }], total: 1, categories: { company: 1 } });
    }
    expect((await get('/published')).body).toEqual({ items: [{ newsId: 'item-001', updatedAt: expect.any(String) }], next: null });
    expect(ids((await get('/latest')).body)).toEqual(['item-001']);
    expect(await Promise.all([2, 3, 4].map(async (number) => (await get(`/api/news/item-00${number}`)).status))).toEqual([404, 410, 404]);
    expect((await get('/api/news/item-001')).body).toMatchObject({ previous: null, next: null });
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
    'q=',
    'q=%20%E3%80%80',
    `q=${'x'.repeat(101)}`,
    'q=a&q=b',
    'year=26',
    'year=02026',
    'year=2026&year=2025',
    'page=01',
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

it('gives the newest few as the list does, and nothing else', async () => {
  await service.publish(...[1, 2, 3].map((day) => draft(day, { publishedAt: `2026-04-0${day}T08:00:00Z` })));
  const list = (await get('/api/news?limit=2')).body;
  expect((await get('/latest?limit=2')).body).toEqual({ items: list.items });
  expect(await get('/latest?limit=x')).toMatchObject({ status: 400 });
  expect(await get('/latest?page=2')).toMatchObject({ status: 400 });
});

describe('GET /api/news/{newsId}', () => {
  it('gives the item with its body as a tree and its neighbours in time', async () => {
    await service.publish(draft(1), draft(2), draft(3), draft(4, { publishedAt: '2026-05-01T08:00:00Z' }));
    const { body } = await get('/api/news/item-003');
    expect(body).toEqual({
      itemId: expect.any(String),
      newsId: 'item-003',
      title: 'Item 3',
      language: 'en',
      excerpt: 'Short.',
      category: 'company',
      publishedAt: '2026-04-01T08:00:00.000Z',
      updatedAt: expect.any(String),
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
  await service.publish(draft(1));
  expect(await get('/api/news', { method: 'HEAD' })).toMatchObject({ status: 200, body: undefined });
  const etag = (await get('/api/news/item-001')).headers.get('etag') ?? '';
  expect((await get('/api/news/item-001', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status).toBe(304);
  expect(
    (
      await get('/api/news', {
        headers: { 'if-none-match': (await get('/api/news')).headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
      })
    ).status,
  ).toBe(304);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/api/news', '/api/news/item-001']) {
      const { status, headers } = await get(path, { method, ...(method === 'POST' && { body: 'x'.repeat(1_000_000) }) });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  }
  expect(await service.collections.news.countDocuments()).toBe(1);
});

it('a long unknown key is named in well-formed text, wherever it is cut', async () => {
  const { status, body } = await get(`/api/news?${'a'.repeat(49)}${encodeURIComponent('\u{1d7d9}')}b=1`);
  expect(status).toBe(400);
  for (const key of Object.keys(body.errors)) expect(key.isWellFormed()).toBe(true);
});

describe('GET /api/news?q=', () => {
  const search = async (q: string, more = '') => ids((await get(`/api/news?q=${encodeURIComponent(q)}${more}`)).body);

  it('finds all words in title, excerpt and body, newest first, whatever case, accents and width', async () => {
    await service.publish(
      draft(1, { title: 'Écarts of the calliper', publishedAt: '2026-01-01T00:00:00Z' }),
      draft(2, { excerpt: 'A Calliper at rest', publishedAt: '2026-03-01T00:00:00Z', category: 'products' }),
      draft(3, { body: 'Some **call**iper\n\nand ﬁne ecarts', publishedAt: '2025-02-01T00:00:00Z' }),
      draft(4, { title: 'マイクロメータの校正', language: 'ja', publishedAt: '2026-02-01T00:00:00Z' }),
    );
    expect(await search('calliper')).toEqual(['item-002', 'item-001', 'item-003']);
    expect(await search(' ECARTS  calliper ')).toEqual(['item-001', 'item-003']);
    expect(await search('ｆｉｎｅ')).toEqual(['item-003']);
    expect(await search('校正')).toEqual(['item-004']);
    expect(await search('calliper', '&category=products')).toEqual(['item-002']);
    expect(await search('ecarts calliper', '&year=2025')).toEqual(['item-003']);
    for (const q of ['callipers', 'calliper absent', '正校', 'company', '!', '$where', '"']) expect(await search(q), q).toEqual([]);
  });

  it('pages its results and bounds them', async () => {
    await service.publish(...Array.from({ length: 205 }, (_, i) => draft(i, { publishedAt: new Date(i * 1e9).toISOString() })));
    expect((await get('/api/news?q=heading&page=3&limit=5')).body).toMatchObject({
      page: 3,
      pages: 20,
      total: 100,
      more: true,
      items: [{ newsId: 'item-194' }, {}, {}, {}, {}],
    });
    expect((await get('/api/news?q=heading&page=6')).body).toMatchObject({ items: [], pages: 5 });
    expect((await get('/api/news?q=heading&page=101&limit=1')).body).toMatchObject({ items: [], pages: 100 });
    expect(await search('heading 7')).toEqual(['item-007']);
  });

  it('says that there may be more than it has found, and only then', async () => {
    const item = (i: number) =>
      draft(i, { publishedAt: new Date(i * 1e9).toISOString(), title: `Gauge ${i % 2 ? 'odd' : 'even'} ${i < 101 ? 'early' : 'late'}` });
    await service.publish(...Array.from({ length: 500 }, (_, i) => item(i)));
    const told = async (query: string) => {
      const { total, more } = (await get(`/api/news?limit=1&${query}`)).body;
      return { total, more };
    };
    expect(await told('q=early')).toEqual({ total: 100, more: true });
    expect(await told('q=early&category=company')).toEqual({ total: 100, more: true });
    expect(await told('q=gauge+early+odd')).toEqual({ total: 50 });
    expect(await told('q=gauge&category=products')).toEqual({ total: 0 });
    expect(await told('category=company')).toEqual({ total: 500 });
    await service.collections.news.deleteOne({ newsId: 'item-000' });
    expect(await told('q=early')).toEqual({ total: 100 });
    // With these there are more than are looked at.
    await service.publish(draft(500), draft(501));
    await service.collections.news.updateMany({ newsId: { $in: ['item-500', 'item-501'] } }, { $set: { words: ['gauge'] } });
    expect(await told('q=gauge&category=products')).toEqual({ total: 0, more: true });
  });
});

it('lists no page beyond the hundredth', async () => {
  await service.publish(...Array.from({ length: 103 }, (_, i) => draft(i)));
  expect((await get('/api/news?limit=1&page=100')).body).toMatchObject({ items: [{ newsId: 'item-003' }], pages: 100, total: 103 });
  expect((await get('/api/news?limit=1&page=101')).body).toMatchObject({ items: [], pages: 100 });
});

it('tells Last-Modified when it has settled, and answers 304 to who has what it tells', async () => {
  await service.publish(draft(1));
  const changedAt = new Date('2026-02-03T04:05:06.700Z');
  expect((await get('/api/news')).headers.get('last-modified')).toBeNull();
  await service.collections.counts.updateOne({ _id: 'news' }, { $set: { changedAt } });
  for (const path of ['/api/news', '/api/news/item-001']) {
    const { headers } = await get(path);
    const known = headers.get('last-modified') ?? '';
    expect([known, headers.get('cache-control')]).toEqual(['Tue, 03 Feb 2026 04:05:06 GMT', 'no-cache']);
    expect((await get(path, { headers: { 'if-modified-since': known, 'cache-control': 'max-age=0' } })).status).toBe(304);
  }
  // Any change may change any page: its neighbours, its counts.
  await service.desk.create(draft(2), who);
  await service.desk.publish({ newsId: 'item-002', revision: 1, who });
  expect((await service.collections.counts.findOne({}))?.changedAt.getTime()).toBeGreaterThan(changedAt.getTime());
});

it('lists every published item once, page by page', async () => {
  await service.publish(...Array.from({ length: 5010 }, (_, i) => draft(i, { body: '' })));
  const first = (await get('/published')).body;
  const second = (await get(`/published?after=${first.next}`)).body;
  expect([first.items.length, second.items.length, second.next]).toEqual([5000, 10, null]);
  expect(new Set([...ids(first), ...ids(second)]).size).toBe(5010);
  for (const query of ['after=x', 'after=', 'page=2']) expect((await get(`/published?${query}`)).status).toBe(400);
});
