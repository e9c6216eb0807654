import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mongod, startMongod } from '@colonnade/stack/mongo/mongod';
import { MongoClient, type WriteConcernSettings } from 'mongodb';
import { expect, test } from 'playwright/test';

const writers = 8;
const trials = 6;
/** Acknowledged writes before the kill. */
const enough = 200;

let dataDir: string;
let mongod: Mongod;
test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-write-concern-'));
  mongod = await startMongod({ dataDir, port: 0, log: () => {} });
});
test.afterAll(async () => {
  await mongod.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Writes, kills mongod in the middle of it, starts it again, and counts the acknowledged documents that are gone. */
async function lost(writeConcern: WriteConcernSettings): Promise<number> {
  const acknowledged: string[] = [];
  const name = `trial-${crypto.randomUUID()}`;
  {
    await using client = new MongoClient(mongod.uris.inquiry, { serverSelectionTimeoutMS: 5000, retryWrites: false });
    const collection = client.db().collection<{ _id: string }>(name, { writeConcern });
    let ended = false;
    const all = Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let i = 0; !ended; i++) {
          const _id = `${writer}-${i}`;
          await collection.insertOne({ _id }).then(
            () => acknowledged.push(_id),
            () => (ended = true),
          );
        }
      }),
    );
    await expect.poll(() => acknowledged.length, { intervals: [20] }).toBeGreaterThan(enough);
    process.kill(mongod.pid, 'SIGKILL');
    await mongod.exited;
    await all;
  }
  mongod = await startMongod({ dataDir, port: mongod.port, log: () => {} });
  await using client = new MongoClient(mongod.uris.inquiry);
  const kept = new Set((await client.db().collection<{ _id: string }>(name).find().toArray()).map(({ _id }) => _id));
  return acknowledged.filter((id) => !kept.has(id)).length;
}

test('writes that one member has in memory only are lost with it, although they were acknowledged', async () => {
  test.setTimeout(90_000);
  let found = 0;
  for (let trial = 0; trial < trials && found === 0; trial++) found = await lost({ w: 1, j: false });
  expect(found).toBeGreaterThan(0);
});

test('writes that wait for a majority and its journal are not', async () => {
  test.setTimeout(60_000);
  expect(await lost({ w: 'majority', j: true })).toBe(0);
});
