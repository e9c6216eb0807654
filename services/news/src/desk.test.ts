import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { draft, type Service, startService, who } from '../fixtures/service.ts';

let service: Service;
let anna: Awaited<ReturnType<Service['staff']>>;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'news_desk_test');
  anna = await service.staff('editor', 'Anna');
});
beforeEach(() => service.empty());
afterAll(() => service.close());

const content = (number: number, rest: object = {}) => {
  const { newsId: _, ...change } = draft(number, rest);
  return change;
};
const visitor = (path: string) => service.ask(`/api/news/${path}`);

it('lets editors and admins in, and nobody else', async () => {
  expect((await service.ask('/staff/news')).status).toBe(401);
  expect((await service.ask('/staff/anything')).status).toBe(401);
  expect((await (await service.staff('office'))('GET', '')).status).toBe(403);
  expect((await (await service.staff('admin'))('GET', '')).status).toBe(200);
});

it('leads an item from draft to gone, each change with its ETag and its version', async () => {
  const created = await anna('POST', '', { body: draft(1) });
  expect(created).toMatchObject({
    status: 201,
    body: { ...draft(1), state: 'draft', revision: 1, publishedAt: null, publishAt: null, updatedAt: expect.any(String) },
  });
  expect([created.headers.get('location'), created.headers.get('etag')]).toEqual(['/staff/news/item-001', '"r1"']);
  expect((await visitor('item-001')).status).toBe(404);

  const changed = await anna('PUT', '/item-001', { body: content(1, { title: 'New' }), etag: '"r1"' });
  expect([changed.status, changed.headers.get('etag'), changed.body.title]).toEqual([200, '"r2"', 'New']);
  const published = await anna('POST', '/item-001/publish', { etag: '"r2"' });
  expect(published.body).toMatchObject({ state: 'published', revision: 3, publishedAt: expect.any(String) });
  expect((await visitor('item-001')).body.title).toBe('New');
  expect((await anna('POST', '/item-001/unpublish', { etag: '"r3"' })).body).toMatchObject({ state: 'unpublished' });
  expect(await visitor('item-001')).toMatchObject({ status: 410, body: { title: 'Gone' } });
  const again = await anna('POST', '/item-001/publish', { etag: '"r4"' });
  expect(again.body.publishedAt).toBe(published.body.publishedAt);

  const { body } = await anna('GET', '/item-001/versions?limit=3');
  expect(body).toMatchObject({ page: 1, pages: 2, total: 5 });
  expect(body.items.map(({ revision, what }: { revision: number; what: string }) => `${revision} ${what}`)).toEqual([
    '5 published',
    '4 unpublished',
    '3 published',
  ]);
  expect(body.items[0]).toEqual({
    revision: 5,
    newsId: 'item-001',
    what: 'published',
    who: { id: expect.any(String), name: 'Anna' },
    at: again.body.updatedAt,
  });
  expect((await anna('GET', '/item-001/versions/1')).body.snapshot).toEqual({
    ...draft(1),
    state: 'draft',
    publishedAt: null,
    publishAt: null,
  });
  for (const revision of ['6', '0', 'x', '99999999999']) expect((await anna('GET', `/item-001/versions/${revision}`)).status).toBe(404);
});

it('takes no date of a year that lists cannot name, as seen in UTC', async () => {
  for (const [number, publishedAt] of ['1000-01-01T00:00:00+01:00', '2999-12-31T23:30:00-01:00'].entries()) {
    const { status, body } = await anna('POST', '', { body: draft(number, { publishedAt }) });
    expect([status, body.errors]).toEqual([422, { publishedAt: 'must be in one of the years 1000 to 2999 in UTC' }]);
  }
  await anna('POST', '', { body: draft(3, { publishedAt: '1000-01-01T01:00:00+01:00' }) });
  expect((await anna('POST', '/item-003/publish', { etag: '"r1"' })).status).toBe(200);
  expect(await service.ask('/api/news?year=1000')).toMatchObject({ status: 200, body: { years: { 1000: 1 }, total: 1 } });
});

it('publishes nothing after it has said that it could not', async () => {
  await anna('POST', '', { body: draft(1) });
  await service.client.withSession(async (holding) => {
    holding.startTransaction();
    await service.collections.news.updateOne({ newsId: 'item-001' }, { $set: { title: 'Held' } }, { session: holding });
    await expect(service.desk.publish({ newsId: 'item-001', revision: 1, who })).rejects.toMatchObject({ status: 503 });
    await holding.abortTransaction();
  });
  expect(await service.collections.news.findOne({ newsId: 'item-001' })).toMatchObject({ state: 'draft', revision: 1 });
}, 10_000);

describe('a change', () => {
  it('needs the ETag of what it was made from', async () => {
    await anna('POST', '', { body: draft(1) });
    const body = content(1, { title: 'New' });
    expect((await anna('PUT', '/item-001', { body })).status).toBe(428);
    for (const etag of ['"r0"', 'r1', '*', 'W/"r1"', '"r1", "r2"', '""'])
      expect((await anna('PUT', '/item-001', { body, etag })).status).toBe(400);
    expect((await anna('PUT', '/item-001', { body, etag: '"r2"' })).status).toBe(412);
    const both = await Promise.all(['A', 'B'].map((title) => anna('PUT', '/item-001', { body: { ...body, title }, etag: '"r1"' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(await service.collections.versions.countDocuments()).toBe(2);
    for (const action of ['publish', 'unpublish']) expect((await anna('POST', `/item-001/${action}`)).status).toBe(428);
  });

  it('that changes nothing leaves no version', async () => {
    await anna('POST', '', { body: draft(1) });
    const answer = await anna('PUT', '/item-001', { body: content(1), etag: '"r1"' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"r1"']);
    expect((await anna('POST', '/item-001/rename', { body: { newsId: 'item-001' }, etag: '"r1"' })).body.revision).toBe(1);
  });

  it('that is the same text heals words which another version of this service has made, once', async () => {
    await anna('POST', '', { body: draft(1, { title: 'Łódź' }) });
    await anna('POST', '/item-001/publish', { etag: '"r1"' });
    await service.collections.news.updateOne({ newsId: 'item-001' }, [
      { $set: { words: { $map: { input: '$words', in: { $replaceOne: { input: '$$this', find: 'lodz', replacement: 'łodz' } } } } } },
    ]);
    const found = async () => (await service.ask('/api/news?q=Lodz')).body.total;
    expect(await found()).toBe(0);
    for (const from of ['"r2"', '"r3"']) {
      const answer = await anna('PUT', '/item-001', { body: content(1, { title: 'Łódź' }), etag: from });
      expect([answer.status, answer.headers.get('etag'), await found()]).toEqual([200, '"r3"', 1]);
    }
  });

  it('that does not fit the state of the item is a conflict', async () => {
    const later = { publishAt: new Date(Date.now() + 60_000).toISOString() };
    await anna('POST', '', { body: draft(1) });
    expect((await anna('POST', '/item-001/unpublish', { etag: '"r1"' })).status).toBe(409);
    await anna('POST', '/item-001/publish', { etag: '"r1"' });
    expect((await anna('POST', '/item-001/publish', { etag: '"r2"' })).status).toBe(409);
    expect((await anna('POST', '/item-001/schedule', { etag: '"r2"', body: later })).status).toBe(409);
  });
});

it('schedules for the future only, and takes off the schedule again', async () => {
  await anna('POST', '', { body: draft(1) });
  const past = { publishAt: new Date(Date.now() - 1000).toISOString() };
  expect(await anna('POST', '/item-001/schedule', { etag: '"r1"', body: past })).toMatchObject({
    status: 409,
    body: { errors: { publishAt: expect.any(String) } },
  });
  const publishAt = new Date(Date.now() + 60_000).toISOString();
  const before = service.scheduledTimes();
  expect((await anna('POST', '/item-001/schedule', { etag: '"r1"', body: { publishAt } })).body).toMatchObject({
    state: 'scheduled',
    publishAt,
  });
  expect(service.scheduledTimes()).toBe(before + 1);
  expect((await visitor('item-001')).status).toBe(404);
  expect((await anna('POST', '/item-001/unpublish', { etag: '"r2"' })).body).toMatchObject({ state: 'draft', publishAt: null });
});

it('shows no date later than the publishing', async () => {
  await anna('POST', '', { body: draft(1, { publishedAt: '2999-01-01T00:00:00Z' }) });
  const { body } = await anna('POST', '/item-001/publish', { etag: '"r1"' });
  expect(Date.parse(body.publishedAt)).toBeLessThanOrEqual(Date.now());
  await anna('POST', '', { body: draft(2, { publishedAt: '2015-01-01T00:00:00+02:00' }) });
  expect((await anna('POST', '/item-002/publish', { etag: '"r1"' })).body.publishedAt).toBe('2014-12-31T22:00:00.000Z');
});

describe('another id', () => {
  it('is reached from every old one at once', async () => {
    await anna('POST', '', { body: draft(1) });
    await anna('POST', '/item-001/publish', { etag: '"r1"' });
    for (const [i, newsId] of ['a', 'b', 'c'].entries()) {
      const from = ['item-001', 'a', 'b'][i];
      const { status, headers } = await anna('POST', `/${from}/rename`, { body: { newsId }, etag: `"r${i + 2}"` });
      expect([status, headers.get('location')]).toEqual([200, `/staff/news/${newsId}`]);
    }
    for (const old of ['item-001', 'a', 'b']) {
      const { status, headers, body } = await visitor(old);
      expect([status, headers.get('location'), body]).toEqual([301, '/api/news/c', { newsId: 'c' }]);
    }
    expect((await visitor('c')).status).toBe(200);
    expect((await anna('GET', '/a')).body.detail).toContain('has the id c now');
    expect((await anna('GET', '/c/versions')).body.items.map(({ newsId }: { newsId: string }) => newsId)).toEqual([
      'c',
      'b',
      'a',
      'item-001',
      'item-001',
    ]);
    // Back to an id it had before.
    expect((await anna('POST', '/c/rename', { body: { newsId: 'a' }, etag: '"r5"' })).status).toBe(200);
    expect((await visitor('c')).headers.get('location')).toBe('/api/news/a');
    await anna('POST', '/a/unpublish', { etag: '"r6"' });
    expect((await visitor('b')).status).toBe(410);
  });

  it('cannot be one that another item has or had', async () => {
    for (const number of [1, 2]) await anna('POST', '', { body: draft(number) });
    await anna('POST', '/item-001/rename', { body: { newsId: 'a' }, etag: '"r1"' });
    for (const newsId of ['a', 'item-001']) {
      expect((await anna('POST', '/item-002/rename', { body: { newsId }, etag: '"r1"' })).status).toBe(409);
      expect((await anna('POST', '', { body: draft(3, { newsId }) })).status).toBe(409);
    }
    const all = await Promise.all(Array.from({ length: 6 }, () => anna('POST', '', { body: draft(9) })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

it('lists items of each state, last changed first', async () => {
  for (const number of [1, 2, 3]) await anna('POST', '', { body: draft(number) });
  await anna('POST', '/item-001/publish', { etag: '"r1"' });
  const { body } = await anna('GET', '?limit=2');
  expect(body).toMatchObject({
    items: [{ newsId: 'item-001', state: 'published', revision: 2 }, { newsId: 'item-003' }],
    page: 1,
    pages: 2,
    total: 3,
  });
  expect(Object.keys(body.items[0]).toSorted()).toEqual([
    ...['category', 'language', 'newsId', 'publishAt', 'publishedAt', 'revision', 'state', 'title', 'updatedAt'],
  ]);
  expect((await anna('GET', '?state=draft')).body).toMatchObject({ items: [{ newsId: 'item-003' }, { newsId: 'item-002' }], total: 2 });
  expect((await anna('GET', '?state=unpublished')).body).toMatchObject({ items: [], total: 0 });
  expect((await anna('GET', '?state=other')).status).toBe(400);
});

it('says of each field what is wrong, and refuses what is not JSON or too large', async () => {
  const bad = {
    ...draft(1),
    newsId: 'Not a slug',
    title: ' ',
    category: 'other',
    excerpt: 'two\nlines',
    publishedAt: '2026-02-30T00:00:00Z',
    colour: 'red',
  };
  const { status, body } = await anna('POST', '', { body: bad });
  expect([status, Object.keys(body.errors).toSorted()]).toEqual([422, ['category', 'colour', 'excerpt', 'newsId', 'publishedAt', 'title']]);
  for (const wrong of [[], 'text', null]) expect([400, 422]).toContain((await anna('POST', '', { body: wrong })).status);
  expect((await anna('POST', '', { body: draft(1, { body: 'x'.repeat(100_001) }) })).status).toBe(422);
  expect((await anna('POST', '', { body: draft(1, { body: '校'.repeat(100_000) }) })).status).toBe(201);
  expect((await anna('POST', '', { body: draft(2, { body: 'x'.repeat(600_000) }) })).status).toBe(413);
  expect((await anna('POST', '')).status).toBe(415);
});

it('has no other methods and no other addresses', async () => {
  const paths = {
    '': 'GET, HEAD, POST',
    '/a': 'GET, HEAD, PUT',
    '/a/publish': 'POST',
    '/a/rename': 'POST',
    '/a/versions': 'GET, HEAD',
    '/a/versions/1': 'GET, HEAD',
  };
  for (const [path, allowed] of Object.entries(paths)) {
    const { status, headers } = await anna('DELETE', path);
    expect([status, headers.get('allow')]).toEqual([405, allowed]);
  }
  for (const path of ['/a/b', '/a/b/c/d']) expect((await anna('GET', path)).status).toBe(404);
});
