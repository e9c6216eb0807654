import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { runningMongodUri } from '@colonnade/stack/mongo/running-mongod';
import { MongoClient } from 'mongodb';
import { expect } from 'playwright/test';
import { signal } from '../../kit/service/fixtures/processes.ts';
import { submit } from './load.ts';
import { dataDir, test } from './site.ts';

const submissions = 2000;
const clients = 16;

test('no acknowledged inquiry is lost or stored twice while the service and MongoDB are killed', async ({ site }) => {
  test.setTimeout(90_000);
  await site.whole();
  const before = new Set(await stored());
  /** What was acknowledged: reference by key. */
  const ledger = new Map<string, string>();
  let repeated = 0;
  let next = 0;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = next++; i < submissions; i = next++) {
      const key = `ledger-${i}`;
      while (!ledger.has(key)) {
        const answer = await submit(key, agent).catch(() => undefined);
        if (answer?.status === 201) ledger.set(key, (JSON.parse(answer.body) as { reference: string }).reference);
        else {
          repeated++;
          await pause(100);
        }
      }
    }
    agent.destroy();
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  for (const [share, kind] of [
    [0.1, 'inquiry service'],
    [0.35, 'mongod'],
    [0.6, 'inquiry service'],
    [0.85, 'inquiry service'],
  ] as const) {
    await expect.poll(() => ledger.size, { timeout: 60_000, intervals: [5] }).toBeGreaterThan(submissions * share);
    signal(site.pids(kind)[0], 'SIGKILL');
  }
  await all;

  const references = (await stored()).filter((reference) => !before.has(reference));
  expect(ledger.size).toBe(submissions);
  const kept = new Set(references);
  expect([...ledger.values()].filter((reference) => !kept.has(reference))).toEqual([]);
  expect(new Set(ledger.values()).size).toBe(submissions);
  expect(references.length).toBe(submissions);
  // The kills were felt.
  expect(repeated).toBeGreaterThan(0);
});

async function stored(): Promise<string[]> {
  await using client = new MongoClient((await runningMongodUri(dataDir, 'inquiry')) ?? '');
  const found = await client
    .db()
    .collection('inquiries')
    .find({}, { projection: { reference: 1 } })
    .toArray();
  return found.map(({ reference }) => String(reference));
}
