import express from 'express';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { type Listener, listen } from './listener.ts';
import { createLog } from './log.ts';
import { problemHandler } from './problem.ts';
import { createStaff, listStaff, prepareStaff, requireStaff, revokeStaff } from './staff.ts';

const client = new MongoClient(inject('mongodbAdminUri'));
const db = client.db('kit_staff_test');
const database = { db, within: <T>(work: Promise<T>) => work };
const listeners: Listener[] = [];

/** A service of its own for each test: it remembers wrong tokens. */
async function service() {
  const app = express();
  app.use(requireStaff({ database, realm: 'test', roles: ['editor', 'admin'] }));
  app.get('/', (req, res) => void res.json(req.staff));
  app.use(problemHandler(createLog('test')));
  const listener = await listen(app, { port: 0, host: '127.0.0.1' });
  listeners.push(listener);
  return async (authorization?: string) => {
    const res = await fetch(`http://127.0.0.1:${listener.port}/`, { headers: authorization === undefined ? {} : { authorization } });
    return { status: res.status, headers: res.headers, body: (await res.json()) as Document };
  };
}

beforeAll(() => prepareStaff(db));
beforeEach(async () => {
  await db.collection('staff').deleteMany({});
});
afterAll(async () => {
  await Promise.all(listeners.map((listener) => listener.drain()));
  await db.dropDatabase();
  await client.close();
});

it('lets a token in and says whose it is', async () => {
  const ask = await service();
  const token = await createStaff(db, { name: 'Anna', role: 'editor' });
  expect(token).toMatch(/^cst_[0-9a-f]{12}_[\w-]{43}$/);
  expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 200, body: { id: token.slice(4, 16), name: 'Anna', role: 'editor' } });
  expect((await ask(`bearer ${token}`)).status).toBe(200);
});

it('stores nothing from which a token could be made', async () => {
  const token = await createStaff(db, { name: 'Anna', role: 'admin' });
  expect(JSON.stringify(await db.collection('staff').find().toArray())).not.toContain(token.slice(17));
  expect(Object.keys((await listStaff(db))[0] ?? {}).toSorted()).toEqual(['_id', 'createdAt', 'name', 'revokedAt', 'role']);
});

it('refuses at once what was revoked, by name or by id, and nothing else', async () => {
  const ask = await service();
  const [first, second, other] = await Promise.all(['Anna', 'Anna', 'Bert'].map((name) => createStaff(db, { name, role: 'editor' })));
  expect(await revokeStaff(db, 'Anna')).toBe(2);
  for (const token of [first, second]) expect((await ask(`Bearer ${token}`)).status).toBe(401);
  expect((await ask(`Bearer ${other}`)).status).toBe(200);
  expect(await revokeStaff(db, other?.slice(4, 16) ?? '')).toBe(1);
  expect((await ask(`Bearer ${other}`)).status).toBe(401);
  expect(await revokeStaff(db, 'Bert')).toBe(0);
});

it('answers 401 with a challenge to no token and to every wrong one, 403 to another role', async () => {
  const ask = await service();
  const token = await createStaff(db, { name: 'Olaf', role: 'office' });
  expect(await ask()).toMatchObject({ status: 401, body: { title: 'Unauthorized' } });
  expect((await ask()).headers.get('www-authenticate')).toBe('Bearer realm="test"');
  const other = await createStaff(db, { name: 'Anna', role: 'editor' });
  for (const wrong of [
    '',
    token,
    `Basic ${token}`,
    'Bearer x',
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${other.slice(0, 17)}${token.slice(17)}`,
  ]) {
    const { status, headers } = await ask(wrong);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="test", error="invalid_token"']);
  }
  const { status, headers } = await ask(`Bearer ${token}`);
  expect([status, headers.get('www-authenticate')]).toEqual([403, 'Bearer realm="test", error="insufficient_scope"']);
});

it('answers 429 to more than ten wrong tokens of one address, counts nothing else, and lets a good one through', async () => {
  const ask = await service();
  const token = await createStaff(db, { name: 'Anna', role: 'editor' });
  for (let i = 0; i < 15; i++) {
    await ask();
    await ask(`Bearer ${token}`);
  }
  for (let i = 0; i < 10; i++) expect((await ask('Bearer wrong')).status).toBe(401);
  const { status, headers } = await ask('Bearer wrong');
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect((await ask(`Bearer ${token}`)).status).toBe(200);
});
