/** What shells have counted, by set and stretch of time. */

import type { CountsReport } from '@colonnade/release/api';
import type { Collections } from './collections.ts';
import type { Counts } from './guard.ts';

const stretchMs = 5000;
const stretchOf = (ms: number) => Math.floor(ms / stretchMs) * stretchMs;

/** Adds a shell's report. */
export async function addCounts({ counts, activations }: Collections, report: CountsReport): Promise<void> {
  const at = new Date(stretchOf(Date.now()));
  for (const { of, pages, errors, beacons = 0 } of report.counts) {
    const filter = { _id: `${of}:${at.getTime()}` };
    await counts.updateOne(filter, { $inc: { pages, errors }, $setOnInsert: { of, at } }, { upsert: true });
    if (beacons > 0) await activations.updateOne({ _id: of }, { $max: { beacons } });
  }
}

/** What one set has counted since a moment. */
export async function countsOf({ counts }: Collections, of: string, since: Date): Promise<Counts> {
  const [sum] = await counts
    .aggregate<Counts>([
      { $match: { of, at: { $gte: new Date(stretchOf(since.getTime())) } } },
      { $group: { _id: null, pages: { $sum: '$pages' }, errors: { $sum: '$errors' } } },
    ])
    .toArray();
  return { pages: sum?.pages ?? 0, errors: sum?.errors ?? 0 };
}
