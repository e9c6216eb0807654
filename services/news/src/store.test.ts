import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { draft, type Service, startService, who } from '../fixtures/service.ts';
import { Counts } from './counts.ts';
import { seed } from './seed.ts';

let service: Service;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'news_store_test');
});
beforeEach(() => service.empty());
afterAll(() => service.close());

it('refuses a document that did not come through this service', async () => {
  await service.publish(draft(1));
  const good = await service.collections.news.findOne({}, { projection: { _id: 0 } });
  const bad: object[] = [
    { title: 5 },
    { category: 'other' },
    { publishedAt: '2026-04-01' },
    { publishedAt: null },
    { state: 'scheduled' },
    { newsId: 'Not a slug' },
    { extra: true },
    { schemaVersion: 1 },
    { tree: undefined },
  ];
  const news = service.db.collection('news');
  for (const change of bad) {
    await expect(news.insertOne({ ...good, newsId: 'other', ...change }, { ignoreUndefined: true })).rejects.toMatchObject({ code: 121 });
  }
  await expect(news.insertOne({ ...good })).rejects.toMatchObject({ code: 11_000 });
  await news.insertOne({ ...good, newsId: 'other' });
});

it('is seeded once by several instances, whole, counted, and never when it holds anything', async () => {
  const items = Array.from({ length: 50 }, (_, i) => ({ ...draft(i), publishedAt: '2026-04-01T08:00:00Z' }));
  const counts = await Promise.all(Array.from({ length: 4 }, () => seed(service.client, service.db, items)));
  expect(counts.toSorted()).toEqual([0, 0, 0, 50]);
  expect((await service.ask('/api/news')).body).toMatchObject({ total: 50, years: { 2026: 50 } });
  expect(await service.collections.versions.countDocuments({ what: 'published', 'who.name': 'seed', revision: 1 })).toBe(50);
  await service.collections.news.deleteMany({ newsId: { $ne: 'item-007' } });
  expect(await seed(service.client, service.db, items)).toBe(0);
});

it('keeps counts that are the same as counting anew, through every kind of change, also at the same time', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => service.desk.create(draft(i, { publishedAt: `20${20 + i}-05-01T00:00:00Z` }), who)),
  );
  const at = (number: number, revision: number) => ({ newsId: `item-00${number}`, revision, who });
  await Promise.all([0, 1, 2, 3, 4].map((number) => service.desk.publish(at(number, 1))));
  const { newsId: _, ...content } = draft(1, { category: 'products', publishedAt: '2010-01-01T00:00:00Z' });
  await service.desk.change(at(1, 2), content);
  await service.desk.unpublish(at(2, 2));
  await service.desk.rename(at(3, 2), 'other');
  await service.desk.schedule(at(5, 1), new Date(Date.now() - 1000));
  await service.desk.schedule(at(6, 1), new Date(Date.now() + 60_000));
  await service.desk.publishNextDue(new Date(), who);
  const kept = await service.collections.counts.findOne({ _id: 'news' }, { projection: { changedAt: 0, changes: 0 } });
  const { changedAt, ...counted } = await new Counts(service.collections).rebuild();
  // A count that went down to nothing is kept as 0.
  const withoutZeros = JSON.parse(JSON.stringify(kept), (_key, value) => (value === 0 ? undefined : value));
  for (const [year, row] of Object.entries(withoutZeros.published))
    if (Object.keys(row as object).length === 0) delete withoutZeros.published[year];
  expect(withoutZeros).toEqual(counted);
  expect(counted).toMatchObject({ states: { draft: 1, scheduled: 1, published: 5, unpublished: 1 }, published: { 2010: { products: 1 } } });
  const { years } = (await service.ask('/api/news')).body;
  expect(years).toEqual({ 2010: 1, 2020: 1, 2023: 1, 2024: 1, 2025: 1 });
});

it('makes the counts anew where somebody removed them', async () => {
  await service.publish(draft(1), draft(2));
  await service.collections.counts.deleteMany({});
  expect((await service.ask('/api/news')).body).toMatchObject({ total: 2 });
  await service.collections.counts.deleteMany({});
  await service.desk.create(draft(3), who);
  await service.collections.counts.deleteMany({});
  await service.desk.publish({ newsId: 'item-003', revision: 1, who });
  expect((await service.ask('/api/news')).body).toMatchObject({ total: 3 });
});

it('finds the neighbours of an item once, and again after each change that visitors could notice', async () => {
  await service.publish(...[1, 3, 5].map((day) => draft(day, { publishedAt: `2026-04-0${day}T08:00:00Z` })));
  const around = async () => {
    const found = await service.store.find('item-003');
    return found && typeof found === 'object' && 'detail' in found && [found.detail.previous?.title, found.detail.next?.title];
  };
  const nothing = async () => {};
  const questions = async () => {
    const before = await profiled(nothing);
    return (await profiled(async () => void (await around()))).length - before.length;
  };
  expect(await around()).toEqual(['Item 1', 'Item 5']);
  await service.desk.create(draft(9), who);
  expect(await questions()).toBe(1);

  const { newsId: _, ...content } = draft(1, { publishedAt: '2026-04-01T08:00:00Z' });
  await service.desk.change({ newsId: 'item-001', revision: 1, who }, { ...content, title: 'Renamed' });
  expect(await questions()).toBe(2);
  expect(await around()).toEqual(['Renamed', 'Item 5']);
  await service.publish(draft(4, { publishedAt: '2026-04-04T08:00:00Z' }));
  expect(await around()).toEqual(['Renamed', 'Item 4']);
  await service.desk.unpublish({ newsId: 'item-001', revision: 2, who });
  expect(await around()).toEqual([undefined, 'Item 4']);
});

it('answers every question from an index, and reads few documents however many there are', async () => {
  await service.publish(...Array.from({ length: 3000 }, (_, i) => draft(i, { category: i % 2 ? 'company' : 'products' })));
  await service.desk.create(draft(5000), who);
  await service.desk.schedule({ newsId: 'item-5000', revision: 1, who }, new Date(Date.now() + 60_000));
  const first = (await service.ask('/published')).body.items[0];
  const ask = async () => {
    await service.store.list({ page: 1, limit: 20 });
    await service.store.list({ page: 50, limit: 20, category: 'company' });
    await service.store.list({ page: 3, limit: 20, year: 2026 });
    await service.store.list({ page: 1, limit: 20, q: 'heading' });
    await service.store.list({ page: 1, limit: 20, q: 'heading text 1234', category: 'products' });
    await service.store.latest(3);
    await service.store.find('item-1500');
    await service.store.find('unknown');
    await service.store.published(undefined);
    await service.desk.nextDue();
    await service.desk.publishNextDue(new Date(), who);
    const anna = await service.staff();
    await anna('GET', '?state=draft');
    await anna('GET', '');
    await anna('GET', `/${first.newsId}/versions`);
    await new Counts(service.collections).rebuild();
  };
  const plans = await profiled(ask);
  expect(plans.length).toBeGreaterThan(20);
  for (const { ns, planSummary, docsExamined, keysExamined, command } of plans) {
    const told = JSON.stringify({ ns, planSummary, docsExamined, keysExamined, command }).slice(0, 400);
    expect(planSummary, told).toMatch(/^(IXSCAN|IDHACK|COUNT_SCAN|EOF)/);
    expect(docsExamined, told).toBeLessThanOrEqual(2000);
  }
  // The counts, and the twenty items of a first page.
  const list = plans.find(
    ({ command }) => JSON.stringify(command.pipeline)?.includes('{"$limit":20}') && !JSON.stringify(command).includes('$skip'),
  );
  expect(list?.docsExamined).toBe(21);
});

interface Plan {
  ns: string;
  planSummary: string;
  docsExamined: number;
  keysExamined: number;
  command: { pipeline?: object[] };
}

/** What MongoDB's own profiler says of each query that this work sends. */
async function profiled(work: () => Promise<void>): Promise<Plan[]> {
  await service.db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await service.db.command({ profile: 0 });
  }
  return await service.db
    .collection<Plan>('system.profile')
    .find({ planSummary: { $exists: true }, ns: /\.(news|versions|ids|counts|staff)$/, op: { $in: ['query', 'command', 'update'] } })
    .toArray();
}
