import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mongod, startMongod } from '@colonnade/stack/mongo/mongod';
import type { Site } from '@colonnade/stack/site';
import { databaseAway } from './database-away.ts';
import { frozen } from './frozen.ts';
import { leavers } from './leavers.ts';
import { overload } from './overload.ts';
import { withSite } from './site.ts';
import { slowClients } from './slow-clients.ts';

/** Without copies each request is rendered: what is measured is the site, not its cache. */
const uncached: [string, (site: Site) => Promise<boolean>][] = [
  ['three times more requests than it can render', overload],
  ['the news service stands still for 10 s', frozen],
  ['a thousand slow clients', slowClients],
  ['a thousand visitors who leave', leavers],
];

/** Overload, outages and slow clients, against a whole site on this machine. @returns whether each went as it should */
export async function faults(): Promise<boolean> {
  const failed: string[] = [];
  const judge = async (name: string, measure: () => Promise<boolean>) => {
    console.log(`\n${name}`);
    if (!(await measure())) failed.push(name);
  };
  await withSite({ PAGE_CACHE: 'off', FLOOD_LIMIT: '0' }, async (site) => {
    for (const [name, measure] of uncached) await judge(name, () => measure(site));
  });
  await judge('MongoDB is away for 30 s', awayForAWhile);
  if (failed.length > 0) console.log(`\nNot as it should be: ${failed.join('; ')}`);
  return failed.length === 0;
}

/** On a MongoDB of its own: the site's own would be started again at once. */
async function awayForAWhile(): Promise<boolean> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-bench-mongo-'));
  let mongod: Mongod = await startMongod({ dataDir, port: 0, log: () => {} });
  const restart = async () => {
    mongod = await startMongod({ dataDir, port: mongod.port, log: () => {} });
    return mongod;
  };
  try {
    return await withSite({ MONGODB_URI: mongod.adminUri, INQUIRY_LIMIT: '0' }, (site) => databaseAway(site, mongod, restart));
  } finally {
    await mongod.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
