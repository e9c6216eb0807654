import { markdownTree } from '@colonnade/content';
import { MongoClient } from 'mongodb';
import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { newsCollections } from './documents.ts';
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
