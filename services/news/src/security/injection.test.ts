/** Operators, foreign keys and prototypes in every place that a caller fills. */
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { monitored, watchCommands } from '../../../../kit/service/fixtures/command-shapes.ts';
import { operators, operatorTexts, polluted, pollutions, strangeKeys } from '../../../../kit/service/fixtures/hostile.ts';
import { draft, type Service, startService } from '../../fixtures/service.ts';

let service: Service;
let editor: Awaited<ReturnType<Service['staff']>>;
/** What ordinary requests ask the database. */
let ordinary: Set<string>;
let seen: Set<string>;
beforeAll(async () => {
  service = await startService(monitored(inject('mongodbAdminUri')), 'news_injection_test');
  editor = await service.staff();
  seen = watchCommands(service.client);
  await ordinaryTraffic();
  ordinary = new Set(seen);
});
beforeEach(() => seen.clear());
afterAll(() => service.close());

const unheard = () => [...seen].filter((shape) => !ordinary.has(shape));

/** Everything that visitors and editors do, once. */
async function ordinaryTraffic(): Promise<void> {
  await editor('POST', '', { body: draft(1) });
  await editor('POST', '/item-001/publish', { etag: '"r1"' });
  await editor('PUT', '/item-001', { body: { ...draft(1, { title: 'Changed' }), newsId: undefined }, etag: '"r2"' });
  await editor('POST', '/item-001/rename', { body: { newsId: 'item-one' }, etag: '"r3"' });
  await editor('GET', '?state=draft');
  await editor('GET', '?page=2');
  await editor('GET', '/item-one/versions');
  await editor('GET', '/item-one/versions/1');
  for (const query of [
    '',
    '?page=2',
    '?category=company',
    '?year=2026',
    '?q=item',
    '?q=item+changed',
    '?q=item&category=company&year=2026',
  ])
    await service.ask(`/api/news${query}`);
  // Of two words that are not there too, and of several rare ones.
  for (const q of ['a', 'a b', 'a b c d e f g h i j']) await service.ask(`/api/news?q=${encodeURIComponent(q)}`);
  for (const id of ['item-one', 'item-001', 'nothing']) await service.ask(`/api/news/${id}`);
  await service.ask('/published');
  await service.ask(`/published?after=${'0'.repeat(24)}`);
  await service.collections.news.findOne({ newsId: 'item-one' });
  await service.collections.news.countDocuments();
}

it('finds an operator that reaches the database', async () => {
  await service.collections.news.findOne({ newsId: { $gt: '' } });
  expect(unheard()).toEqual(['find filter: {newsId: {$gt: string}}']);
});

it('takes no operator in a query', async () => {
  const texts = ['{"$ne":null}', '$where'];
  for (const [path, keys] of [
    ['/api/news', ['page', 'limit', 'category', 'year', 'q']],
    ['/published', ['after']],
  ] as const) {
    for (const key of keys) {
      const queries = [
        `${key}[$gt]=`,
        `${key}[]=1`,
        `${key}.$ne=1`,
        `${key}=1&${key}=2`,
        ...texts.map((text) => `${key}=${encodeURIComponent(text)}`),
      ];
      for (const query of queries) {
        // Any words may be looked for.
        expect((await service.ask(`${path}?${query}`)).status, query).toBe(/^q=[^&]+$/.test(query) ? 200 : 400);
      }
    }
    for (const query of ['$where=1', '__proto__[polluted]=1', '__proto__=1', 'constructor[prototype][polluted]=1'])
      expect((await service.ask(`${path}?${query}`)).status, query).toBe(400);
  }
  for (const text of operatorTexts) expect((await service.ask(`/api/news?q=${encodeURIComponent(text)}`)).status, text).toBe(200);
  for (const query of ['state[$ne]=draft', 'state=draft&state=draft', 'page[$gt]=1', '$where=1'])
    expect((await editor('GET', `?${query}`)).status, query).toBe(400);
  expect(unheard()).toEqual([]);
});

it('has nothing at a path that looks like an operator', async () => {
  for (const path of [...operatorTexts, '__proto__', 'constructor', 'item-one\0', '../item-one', 'item-one[$gt]'].map(encodeURIComponent)) {
    expect((await service.ask(`/api/news/${path}`)).status, path).toBe(404);
    expect((await editor('GET', `/${path}`)).status, path).toBe(404);
    expect((await editor('GET', `/item-one/versions/${path}`)).status, path).toBe(404);
    expect((await editor('POST', `/${path}/publish`, { etag: '"r1"' })).status, path).toBe(404);
  }
  expect(unheard()).toEqual([]);
});

it.each(Object.keys({ ...draft(2), publishedAt: '' }))('takes no operator as %s', async (field) => {
  const before = await service.collections.news.countDocuments();
  const { newsId: _, ...content } = draft(2);
  for (const value of operators) {
    const created = await editor('POST', '', { body: { ...draft(2), [field]: value } });
    expect([created.status, Object.keys(created.body.errors ?? {})], JSON.stringify(value)).toEqual([422, [field]]);
    const changed = await editor('PUT', '/item-one', { body: { ...content, [field]: value }, etag: '"r4"' });
    expect(changed.status, JSON.stringify(value)).toBe(422);
  }
  expect(await service.collections.news.countDocuments()).toBe(before);
  expect(unheard()).toEqual([]);
});

it('takes no operator as a date to publish, a new id, a version or a token', async () => {
  for (const value of operators) {
    for (const [action, body] of [
      ['schedule', { publishAt: value }],
      ['rename', { newsId: value }],
    ] as const)
      expect((await editor('POST', `/item-one/${action}`, { body, etag: '"r4"' })).status, JSON.stringify(value)).toBe(422);
  }
  for (const text of operatorTexts) {
    expect((await editor('POST', '/item-one/unpublish', { etag: text })).status, text).toBe(400);
    const { status } = await service.ask('/staff/news', { headers: { authorization: `Bearer ${text}` } });
    expect(status, text).toBe(401);
  }
  expect(unheard()).toEqual([]);
});

it('refuses every key it does not know, and stores the keys of its schema only', async () => {
  for (const key of strangeKeys) {
    const { status } = await editor('POST', '', { body: { ...draft(3), [key]: { $gt: '' } } });
    expect(status, key).toBe(422);
  }
  expect((await editor('POST', '', { body: draft(3) })).status).toBe(201);
  const stored = await service.collections.news.findOne({ newsId: 'item-003' });
  expect(stored).toMatchObject({ state: 'draft', revision: 1, wasPublished: false });
  expect(Object.keys(stored ?? {}).toSorted()).toEqual(
    Object.keys((await service.collections.news.findOne({ newsId: 'item-one' })) ?? {}).toSorted(),
  );
});

it('takes a text that looks like an operator as a text', async () => {
  for (const [index, text] of operatorTexts.entries()) {
    const number = 100 + index;
    expect((await editor('POST', '', { body: draft(number, { title: text, excerpt: text, body: text }) })).status, text).toBe(201);
    expect((await editor('POST', `/item-${number}/publish`, { etag: '"r1"' })).status).toBe(200);
    expect((await service.ask(`/api/news/item-${number}`)).body).toMatchObject({ title: text, excerpt: text });
  }
  expect(unheard()).toEqual([]);
});

it('lets nobody write on the prototype of all objects', async () => {
  for (const text of pollutions) {
    const beside = `${text.slice(0, -1)},${JSON.stringify(draft(4)).slice(1)}`;
    for (const body of [text, beside]) {
      const { status } = await editor('POST', '', { text: body });
      expect([status, polluted()], body).toEqual([422, undefined]);
    }
  }
});
