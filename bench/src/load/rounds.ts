import type { Site } from '@colonnade/stack/site';
import { closedLoop, percentile, statuses } from '../faults/open-loop.ts';
import { pidOf } from '../faults/site.ts';
import { cpuMs } from './cpu.ts';

const connections = 8;
const roundMs = 3000;
const warmMs = 6000;

/** A server under measurement. */
export interface Target {
  name: string;
  origin: string;
  /** Process groups whose processor time counts, by what they are called. */
  pids: Record<string, number>;
}

/** A site with all of its processes that take part in a page. */
export const siteTarget = (site: Site): Target => ({
  name: site.origin,
  origin: site.origin,
  pids: {
    gateway: pidOf(site, 'site'),
    shell: pidOf(site, 'shell'),
    news: pidOf(site, 'news service'),
    MongoDB: pidOf(site, 'MongoDB'),
  },
});

export interface Measured {
  /** Milliseconds for each request: of all processes, and of each. */
  cpuMs: number;
  by: Record<string, number>;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Loads the targets in turns, each round in the other order, so that whatever else the machine does slows all.
 * @returns the median of the rounds of each target
 * @throws where an answer is not 200
 */
export async function inTurns(targets: readonly Target[], path: string, rounds = 5): Promise<Measured[]> {
  for (const target of targets) await closedLoop({ origin: target.origin, path: () => path, connections, durationMs: warmMs });
  const all = targets.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++) {
    const order = targets.map((_, i) => i);
    for (const i of round % 2 === 0 ? order : order.reverse()) all[i]?.push(await measure(targets[i] as Target, path));
  }
  return all.map(medians);
}

async function measure({ name, origin, pids }: Target, path: string): Promise<Measured> {
  const taken = () => Object.fromEntries(Object.entries(pids).map(([part, pid]) => [part, cpuMs([pid])]));
  const before = taken();
  const { outcomes, goodPerSecond } = await closedLoop({ origin, path: () => path, connections, durationMs: roundMs });
  const after = taken();
  if (outcomes.some(({ status }) => status !== 200)) throw new Error(`${name} ${path}: ${statuses(outcomes)}`);
  const by = Object.fromEntries(Object.keys(pids).map((part) => [part, ((after[part] ?? 0) - (before[part] ?? 0)) / outcomes.length]));
  const times = outcomes.map(({ ms }) => ms);
  return {
    cpuMs: Object.values(by).reduce((sum, ms) => sum + ms, 0),
    by,
    perSecond: goodPerSecond,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

function medians(rounds: Measured[]): Measured {
  const of = (value: (round: Measured) => number) => percentile(rounds.map(value), 0.5);
  return {
    cpuMs: of((round) => round.cpuMs),
    by: Object.fromEntries(Object.keys(rounds[0]?.by ?? {}).map((part) => [part, of((round) => round.by[part] ?? 0)])),
    perSecond: of((round) => round.perSecond),
    p50Ms: of((round) => round.p50Ms),
    p99Ms: of((round) => round.p99Ms),
  };
}
