import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mongod, startMongod } from '@colonnade/stack/mongo/mongod';
import type { Site } from '@colonnade/stack/site';
import { databaseAway } from './database-away.ts';
import { frozen } from './frozen.ts';
import { badActivation, badCanary, goodCanary } from './guarded-releases.ts';
import { leavers } from './leavers.ts';
import { overload } from './overload.ts';
import { withSite } from './site.ts';
import { slowClients } from './slow-clients.ts';
import { swaps } from './swaps.ts';

interface Fault {
  what: string;
  measure(site: Site): Promise<boolean>;
}

/** Ten minutes are for people who watch; the guard's figures do not depend on it. */
const guardWindow = { GUARD_WINDOW_MS: '20000' };

/** By name, each group on a site of its own. */
const groups: { env: Record<string, string>; faults: Record<string, Fault> }[] = [
  {
    // Without copies each request is rendered: what is measured is the site, not its cache.
    env: { PAGE_CACHE: 'off', FLOOD_LIMIT: '0', ...guardWindow },
    faults: {
      overload: { what: 'three times more requests than it can render', measure: overload },
      frozen: { what: 'the news service stands still for 10 s', measure: frozen },
      'slow-clients': { what: 'a thousand slow clients', measure: slowClients },
      leavers: { what: 'a thousand visitors who leave', measure: leavers },
      'bad-activation': { what: 'a release that fails in 30 % of its renders goes live for all', measure: badActivation },
    },
  },
  {
    env: guardWindow,
    faults: {
      'bad-canary': { what: 'a canary that fails in 30 % of its renders, for 10 % of 1,000 visitors', measure: badCanary },
      'good-canary': { what: 'a canary that is good', measure: goodCanary },
    },
  },
  { env: {}, faults: { swaps: { what: '200 activations and rollbacks', measure: swaps } } },
];

/** What is measured on a database that is ended. */
const databaseFault = 'database-away';

/** The names of all. */
export const faultNames: readonly string[] = [...groups.flatMap(({ faults }) => Object.keys(faults)), databaseFault];

/**
 * Overload, outages, slow clients and releases, against a whole site on this machine.
 * @param wanted names of those to measure
 * @returns whether each went as it should
 */
export async function faults(wanted: readonly string[]): Promise<boolean> {
  const failed: string[] = [];
  const judge = async (name: string, what: string, measure: () => Promise<boolean>) => {
    console.log(`\n${name}: ${what}`);
    if (!(await measure())) failed.push(name);
  };
  for (const { env, faults: all } of groups) {
    const chosen = Object.entries(all).filter(([name]) => wanted.includes(name));
    if (chosen.length === 0) continue;
    await withSite(env, async (site) => {
      for (const [name, { what, measure }] of chosen) await judge(name, what, () => measure(site));
    });
  }
  if (wanted.includes(databaseFault)) await judge(databaseFault, 'MongoDB is away for 30 s', awayForAWhile);
  if (failed.length > 0) console.log(`\nNot as it should be: ${failed.join(', ')}`);
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
