import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { releasesIn } from '@colonnade/e2e/support/page-releases.ts';
import type { Site } from '@colonnade/stack/site';
import { closedLoop, percentile } from './open-loop.ts';
import { mfe, publishTelling, shownVersion } from './page-versions.ts';
import { processTree, treeMemoryMb } from './process-tree.ts';
import { pidOf, registryOfSite } from './site.ts';

const count = 200;
/** By then all that a first time needs has been taken. */
const settledAfter = 10;
const growthLimit = 1.05;
/** By then the workers that serve all along have their usual size. */
const warmMs = 20_000;
const visitors = 2;
const betweenVisitsMs = 100;
const giveUpMs = 30_000;
const settleMs = 60_000;
const page = '/company';
const uncached = '/inquiry';

/**
 * Activations of new versions and rollbacks in turn, under light load: failed requests, pages of which a part is of another
 * release, the time from the command to the first page that shows it, and the memory of the shell's processes.
 * @returns whether no request failed, no page was mixed and memory is at most 5 % above that after the first ten
 */
export async function swaps(site: Site): Promise<boolean> {
  const registry = registryOfSite(site);
  const shell = pidOf(site, 'shell');
  const shown = async () => shownVersion.exec(await (await fetch(site.origin + page)).text())?.[1];
  /** The time from the command to the first page that shows its version. */
  const goLive = async (version: string, command: () => ReturnType<typeof registry.activate>): Promise<number> => {
    const started = performance.now();
    let refused: unknown;
    const commanded = command().then(({ state, reasons }) => {
      if (state !== 'live') refused = `${version} is ${state}: ${reasons.map(({ reason }) => reason)}`;
    });
    while ((await shown()) !== version) {
      if (refused || performance.now() - started > giveUpMs) throw new Error(`${refused ?? `${page} does not show ${version}`}`);
      await pause(20);
    }
    const tookMs = performance.now() - started;
    await commanded;
    return tookMs;
  };

  await publishTelling(registry, '2.0.0');
  await goLive('2.0.0', () => registry.activate(mfe, '2.0.0'));
  await closedLoop({ origin: site.origin, path: () => uncached, connections: 4, durationMs: warmMs });
  const load = visit(site.origin);
  const took = { activation: [] as number[], rollback: [] as number[] };
  let early = Number.NaN;
  for (let done = 0; done < count; done += 2) {
    const version = `2.${done / 2 + 1}.0`;
    await publishTelling(registry, version);
    took.activation.push(await goLive(version, () => registry.activate(mfe, version)));
    took.rollback.push(await goLive('2.0.0', () => registry.rollBack(mfe)));
    if (done + 2 === settledAfter) early = await settledMemoryMb(shell);
  }
  const late = await settledMemoryMb(shell);
  const { mixed, answers } = await load();

  for (const [kind, times] of Object.entries(took))
    console.log(
      `  ${kind}: command to the first page that shows it: median ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms (${times.length})`,
    );
  console.log(
    `  answers: ${[...answers].map(([status, times]) => `${status} × ${times}`).join(', ')}; mixed pages: ${mixed.length} ${mixed.slice(0, 3)}`,
  );
  console.log(`  memory of the shell's processes: ${early.toFixed(0)} MiB after ${settledAfter}, ${late.toFixed(0)} MiB after ${count}`);
  return [...answers.keys()].every((status) => status === 200) && mixed.length === 0 && late <= early * growthLimit;
}

/** Loads pages and the data of their sets, as tabs do, until the returned function is called. */
function visit(origin: string) {
  let ended = false;
  const mixed: string[] = [];
  const answers = new Map<number, number>();
  const get = async (path: string) => {
    const response = await fetch(origin + path).catch(() => null);
    const status = response?.status ?? 0;
    answers.set(status, (answers.get(status) ?? 0) + 1);
    return { set: response?.headers.get('x-release-set') ?? null, text: (await response?.text().catch(() => '')) ?? '' };
  };
  const all = Array.from({ length: visitors }, async () => {
    for (; !ended; await pause(betweenVisitsMs)) {
      const { set, text } = await get(page);
      const { versions, sets } = releasesIn(text, set, { mfe, shown: shownVersion });
      if (versions.size !== 1 || sets.size !== 1) mixed.push([...versions, ...sets].join(' '));
      const data = await get(`${page}?_data=${set}`);
      if (!data.text.includes(`"set":"${set}"`)) mixed.push(`data of ${data.set} for ${set}`);
    }
  });
  return async () => {
    ended = true;
    await Promise.all(all);
    return { mixed, answers };
  };
}

/** Of the live set's workers and the one of the set before, when what has left has ended. */
async function settledMemoryMb(shell: number): Promise<number> {
  const wanted = 1 + availableParallelism() + 1;
  const samples: number[] = [];
  for (const until = performance.now() + settleMs; samples.length < 20; await pause(500)) {
    if (processTree(shell).length === wanted) samples.push(treeMemoryMb(shell));
    else samples.length = 0;
    if (performance.now() > until) throw new Error(`the shell has ${processTree(shell).length} processes, not ${wanted}`);
  }
  return percentile(samples, 0.5);
}
