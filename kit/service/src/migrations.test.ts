import { MongoClient } from 'mongodb';
import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { type Migration, migrate } from './migrations.ts';

const clients = [1, 2, 3].map(() => new MongoClient(inject('mongodbAdminUri')));
const [client] = clients as [MongoClient];
const name = 'kit_migrations_test';
const db = client.db(name);

beforeEach(async () => {
  await db.dropDatabase();
});
afterAll(async () => {
  await db.dropDatabase();
  await Promise.all(clients.map((each) => each.close()));
});

const step = (id: string, ran: string[]): Migration => ({ id, run: async () => void ran.push(id) });

it('runs each step once and in order with several instances at once, and later only what is new', async () => {
  const ran: string[] = [];
  const steps = ['0001-a', '0002-b', '0003-c'].map((id) => step(id, ran));
  await Promise.all(clients.map((each) => migrate(each.db(name), each, steps.slice(0, 2))));
  expect(ran).toEqual(['0001-a', '0002-b']);
  await Promise.all(clients.map((each) => migrate(each.db(name), each, steps)));
  expect(ran).toEqual(['0001-a', '0002-b', '0003-c']);
  expect((await db.collection('migrations').distinct('_id')).toSorted()).toEqual(['0001-a', '0002-b', '0003-c']);
});

it('repeats a step that failed, and frees the others', async () => {
  const ran: string[] = [];
  let fail = true;
  const failing: Migration = {
    id: '0002-b',
    run: async () => {
      if (fail) throw new Error('no');
      ran.push('0002-b');
    },
  };
  await expect(migrate(db, client, [step('0001-a', ran), failing])).rejects.toThrow('no');
  fail = false;
  await migrate(db, client, [step('0001-a', ran), failing]);
  expect(ran).toEqual(['0001-a', '0002-b']);
});

it('takes over from an instance that died while it held the lock', async () => {
  const ran: string[] = [];
  const locks = db.collection<{ _id: string; owner: string; until: Date }>('migrations');
  await locks.insertOne({ _id: 'lock', owner: 'dead', until: new Date(Date.now() + 500) });
  await migrate(db, client, [step('0001-a', ran)]);
  expect(ran).toEqual(['0001-a']);
  expect(await locks.countDocuments({ _id: 'lock' })).toBe(0);
});
