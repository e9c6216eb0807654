import { runningMongodUri } from '@colonnade/stack/mongo/running-mongod';
import type { Site } from '@colonnade/stack/site';
import { MongoClient } from 'mongodb';
import { fill } from '../../../services/news/bench/fill.ts';
import { printTable } from '../table.ts';
import { inTurns, siteTarget } from './rounds.ts';
import { somePage } from './some-page.ts';

const sizes = [200, 100_000] as const;
/** Noise of a busy machine; what grows with the items would be far above it. */
const allowed = 1.25;

/** Processor time per request of the whole site, rendered each time, with few and with many items. @returns whether it stays the same */
export async function growth(site: Site): Promise<boolean> {
  const uri = await runningMongodUri(site.dataDir, 'news');
  const client = await MongoClient.connect(uri ?? '');
  const target = siteTarget(site);
  const rows: string[][] = [];
  const first = new Map<string, number>();
  let worst = 0;
  try {
    for (const size of sizes) {
      await fill(client.db(), size);
      const item = await somePage(site.origin);
      for (const [name, path] of [
        ['/news', '/news'],
        ['an item', item],
      ] as const) {
        const [measured] = await inTurns([target], path);
        if (!measured) continue;
        const ratio = measured.cpuMs / (first.get(name) ?? measured.cpuMs);
        first.set(name, first.get(name) ?? measured.cpuMs);
        worst = Math.max(worst, ratio);
        const by = Object.values(measured.by).map((ms) => ms.toFixed(2));
        rows.push([`${name}, ${size} items`, ...by, `${measured.cpuMs.toFixed(2)} ms`, `${ratio.toFixed(2)}×`]);
      }
    }
  } finally {
    await client.close();
  }
  printTable(['CPU per request', ...Object.keys(target.pids), 'all', `ratio (≤ ${allowed})`], rows);
  return worst <= allowed;
}
