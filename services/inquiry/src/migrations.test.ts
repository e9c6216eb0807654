import { createHash } from 'node:crypto';
import { migrate } from '@colonnade/service/migrations';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { inquiriesOf, outboxOf } from './collections.ts';
import { migrations } from './migrations.ts';

let clients: MongoClient[];
let db: Db;
beforeAll(async () => {
  const uri = new URL(inject('mongodbAdminUri'));
  uri.pathname = '/inquiry_migrations_test';
  clients = await Promise.all([1, 2, 3].map(() => new MongoClient(uri.href).connect()));
  db = (clients[0] as MongoClient).db();
});
afterAll(async () => {
  await db.dropDatabase();
  await Promise.all(clients.map((client) => client.close()));
});

/** As version 1 of this service left it. */
async function firstVersion(count: number) {
  const first = await db.createCollection<{ _id: string }>('inquiries', {
    validator: { $jsonSchema: { bsonType: 'object', properties: { schemaVersion: { enum: [1] }, _id: { bsonType: 'string' } } } },
  });
  await first.createIndexes([{ key: { reference: 1 }, unique: true }, { key: { receivedAt: -1, _id: -1 } }]);
  const inquiry = { name: 'A', email: 'a@b.example', category: 'other', message: 'Hello.', consent: true, status: 'new', schemaVersion: 1 };
  await first.insertMany(
    Array.from({ length: count }, (_, i) => ({
      _id: createHash('sha256').update(String(i)).digest('hex'),
      ...inquiry,
      reference: `NV-0000-${String(i).padStart(4, '0')}`,
      receivedAt: new Date(Date.UTC(2026, 0, 1, 0, i)),
    })),
  );
}

it('brings inquiries of version 1 to this one, once, with several instances starting together', async () => {
  await firstVersion(450);
  await Promise.all(clients.map((client) => migrate(client.db(), client, migrations)));
  const inquiries = await inquiriesOf(db).find().sort({ order: 1 }).toArray();
  expect(inquiries).toHaveLength(450);
  expect(inquiries[7]).toEqual({
    _id: expect.anything(),
    submission: createHash('sha256').update('7').digest('hex'),
    order: '2026-01-01T00:07:00.000Z NV-0000-0007',
    reference: 'NV-0000-0007',
    receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 7)),
    ...{ name: 'A', email: 'a@b.example', category: 'other', message: 'Hello.', consent: true },
    ...{ status: 'new', assignee: null, notes: [], version: 1, closedAt: null, erased: false, schemaVersion: 2 },
  });
  // Nobody gets a mail about an inquiry of long ago.
  expect(await outboxOf(db).countDocuments()).toBe(0);
  const indexes = (await inquiriesOf(db).indexes()).map(({ name }) => name);
  expect(indexes).not.toContain('receivedAt_-1__id_-1');
  await Promise.all(clients.map((client) => migrate(client.db(), client, migrations)));
  expect(await inquiriesOf(db).countDocuments()).toBe(450);
});
