import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Registry, registryOf } from '@colonnade/e2e/support/releases.ts';
import { readStackEnv } from '@colonnade/stack/env';
import { type Site, startSite } from '@colonnade/stack/site';

const firstPort = 18_000;

/** Runs a measurement against a whole site of its own, away from the ports of every other, and takes it down. */
export async function withSite<T>(extraEnv: Record<string, string>, measure: (site: Site) => Promise<T>, base = firstPort): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-bench-'));
  const env = {
    ...readStackEnv(),
    PORT: base,
    OPS_PORT: base + 1,
    SHELL_PORT: base + 100,
    NEWS_PORT: base + 201,
    INQUIRY_PORT: base + 202,
    REGISTRY_PORT: base + 203,
    MONGO_PORT: base + 217,
    DATA_DIR: dataDir,
    ...(extraEnv.MONGODB_URI ? { MONGODB_URI: extraEnv.MONGODB_URI } : {}),
  };
  const site = await startSite({ env, dev: false, tell: () => {}, extraEnv: { LOG_LEVEL: 'warn', ...extraEnv } });
  try {
    return await measure(site);
  } finally {
    await site.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The same with two sites, to be measured in turns. */
export function withSites<T>(
  firstEnv: Record<string, string>,
  secondEnv: Record<string, string>,
  measure: (first: Site, second: Site) => Promise<T>,
): Promise<T> {
  return withSite(firstEnv, (first) => withSite(secondEnv, (second) => measure(first, second), firstPort + 1000));
}

/** As its operator and its teams use it. */
export function registryOfSite({ dataDir, parts }: Site): Registry {
  const address = parts.find(({ name }) => name === 'registry')?.address;
  if (!address) throw new Error('no registry');
  return registryOf(dataDir, Number(new URL(address).port));
}

/** Process id of a part of the site by its name in the table that `pnpm start` prints. */
export function pidOf(site: Site, name: string): number {
  const pid = site.parts.find((part) => part.name === name)?.pid;
  if (pid === undefined) throw new Error(`no process ${name}`);
  return pid;
}

/** Resident memory of a process, in MiB. */
export function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
