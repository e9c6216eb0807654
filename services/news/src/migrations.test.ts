import { markdownTree } from '@colonnade/content';
import { MongoClient } from 'mongodb';
import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { draft } from '../fixtures/service.ts';
import { newsCollections, publishedDocument } from './documents.ts';
import { prepareNews } from './migrations.ts';
import { NewsStore } from './store.ts';

const name = 'news_migrations_test';
const clients = [1, 2, 3].map(() => new MongoClient(inject('mongodbAdminUri')));
const [client] = clients as [MongoClient];
const db = client.db(name);
const { news, versions, ids } = newsCollections(db);
const prepareAll = () => Promise.all(clients.map((each) => prepareNews(each.db(name), each)));

beforeEach(async () => {
  await db.dropDatabase();
});
afterAll(async () => {
  await db.dropDatabase();
  await Promise.all(clients.map((each) => each.close()));
});

/** As the first version of this service stored it. */
function firstShape(number: number) {
  return {
    _id: `item-${String(number).padStart(3, '0')}`,
    title: `Item ${number}`,
    language: 'en',
    category: number % 2 ? 'company' : 'products',
    excerpt: 'Short.',
    body: 'Some *text*.',
    tree: markdownTree('Some *text*.'),
    publishedAt: new Date(Date.UTC(2020 + (number % 5), 1, 1)),
    schemaVersion: 1,
  };
}

it('prepares an empty database once, with several instances at once', async () => {
  await prepareAll();
  const indexes = (await news.indexes()).map((index) => index.name).toSorted();
  expect(indexes).toEqual([
    '_id_',
    'newsId_1',
    'publishAt_1',
    'state_1__id_1_newsId_1_updatedAt_1',
    'state_1_category_1_publishedAt_-1_newsId_-1',
    'state_1_publishedAt_-1_newsId_-1',
    'state_1_updatedAt_-1__id_-1',
    'updatedAt_-1__id_-1',
    'words_1_publishedAt_-1_newsId_-1',
  ]);
  expect((await new NewsStore(db).list({ page: 1, limit: 20 })).list.total).toBe(0);
});

it('brings a database of the first version over, with several instances at once, and loses nothing', async () => {
  const old = db.collection<{ _id: string }>('news');
  await old.createIndexes([{ key: { publishedAt: -1, _id: -1 } }, { key: { category: 1, publishedAt: -1, _id: -1 } }]);
  await old.insertMany(Array.from({ length: 250 }, (_, i) => firstShape(i)));
  await prepareAll();
  await prepareAll();
  const { list } = await new NewsStore(db).list({ page: 13, limit: 20 });
  expect(list).toMatchObject({ total: 250, pages: 13, categories: { company: 125, products: 125 }, years: { 2020: 50, 2024: 50 } });
  expect(list.items).toHaveLength(10);
  expect(await new NewsStore(db).find('item-007')).toMatchObject({ detail: { title: 'Item 7', publishedAt: '2022-02-01T00:00:00.000Z' } });
  expect([
    await news.countDocuments({ schemaVersion: 2, revision: 1 }),
    await versions.countDocuments(),
    await ids.countDocuments(),
  ]).toEqual([250, 250, 250]);
  expect((await news.indexes()).map((index) => index.name)).not.toContain('publishedAt_-1__id_-1');
});

it('goes on where an instance died in the middle', async () => {
  const old = db.collection<{ _id: string }>('news');
  await old.insertMany(Array.from({ length: 150 }, (_, i) => firstShape(i)));
  await prepareNews(db, client);
  // As it was when 150 items had been brought over and 50 had not.
  await db.collection<{ _id: string }>('migrations').deleteMany({ _id: { $gte: '0003' } });
  await news.dropIndexes();
  await old.insertMany(
    Array.from({ length: 50 }, (_, i) => firstShape(200 + i)),
    { bypassDocumentValidation: true },
  );
  await prepareAll();
  expect((await new NewsStore(db).list({ page: 1, limit: 20 })).list.total).toBe(200);
  expect([await news.countDocuments({ schemaVersion: 2 }), await versions.countDocuments(), await ids.countDocuments()]).toEqual([
    200, 200, 200,
  ]);
});

it('makes the words of items anew that an older version has stored, in every state, with several instances at once', async () => {
  await prepareNews(db, client);
  const stored = Array.from({ length: 120 }, (_, i) =>
    publishedDocument({ ...draft(i, { title: `Łódź ${i}` }), publishedAt: '2026-04-01T08:00:00Z' }, new Date()),
  );
  await news.insertMany(stored.map((item) => ({ ...item, words: item.words.map((word) => word.replace('lodz', 'łodz')) })));
  await news.updateOne({ newsId: 'item-007' }, { $set: { state: 'unpublished', words: [] } });
  await db.collection<{ _id: string }>('migrations').deleteOne({ _id: { $gte: '0006', $lt: '0007' } });
  const search = async (q: string) => (await new NewsStore(db).list({ page: 1, limit: 20, q })).list.items.map(({ newsId }) => newsId);
  expect(await search('Lodz 119')).toEqual([]);
  await prepareAll();
  for (const q of ['Lodz 119', 'Łódź 119', 'łodz 119']) expect(await search(q), q).toEqual(['item-119']);
  expect(await search('Lodz 7')).toEqual([]);
  expect(await news.findOne({ newsId: 'item-119' }, { projection: { updatedAt: 1, revision: 1 } })).toMatchObject({
    updatedAt: stored[119]?.updatedAt,
    revision: 1,
  });
});
