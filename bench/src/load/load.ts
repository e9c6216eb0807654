import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '@colonnade/stack/parts';
import { withSite, withSites } from '../faults/site.ts';
import { cached } from './cached.ts';
import { federation } from './federation.ts';
import { growth } from './growth.ts';
import { manyMfes } from './many-mfes.ts';
import { processes } from './processes.ts';

const rendered = { PAGE_CACHE: 'off', FLOOD_LIMIT: '0' };
const one = { GATEWAY_WORKERS: '1', SHELL_WORKERS: '1' };
const two = { GATEWAY_WORKERS: '2', SHELL_WORKERS: '2' };

/** By name: what it is, and how it is measured. */
const measurements: Record<string, { what: string; measure(): Promise<boolean> }> = {
  federation: { what: 'live releases beside the same code in one bundle', measure: () => withSite({ ...rendered, ...one }, federation) },
  cached: { what: 'cached pages beside bare node:http with the same bytes', measure: () => withSite({ FLOOD_LIMIT: '0', ...one }, cached) },
  growth: { what: 'a page when there are 100,000 items instead of 200', measure: () => withSite({ ...rendered, ...one }, growth) },
  mfes: {
    what: 'a page when there are 20 microfrontends instead of 3',
    measure: () => withSites({ ...rendered, ...one }, { ...rendered, ...one }, manyMfes),
  },
  processes: {
    what: 'two workers of gateway and shell instead of one of each',
    measure: () => withSites({ ...rendered, ...one }, { ...rendered, ...two }, processes),
  },
  store: {
    what: 'the news service alone with 1,000 and with 100,000 items',
    measure: async () => spawnSync(process.execPath, [path.join(root, 'services/news/bench/growth.ts')], { stdio: 'inherit' }).status === 0,
  },
};

/** The names of all. */
export const loadNames: readonly string[] = Object.keys(measurements);

/** @returns whether every figure that has a target reaches it */
export async function load(wanted: readonly string[]): Promise<boolean> {
  const missed: string[] = [];
  for (const [name, { what, measure }] of Object.entries(measurements)) {
    if (!wanted.includes(name)) continue;
    console.log(`\n${name}: ${what}`);
    if (!(await measure())) missed.push(name);
  }
  if (missed.length > 0) console.log(`\nNot on target: ${missed.join(', ')}`);
  return missed.length === 0;
}
