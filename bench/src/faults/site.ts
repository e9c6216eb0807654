import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readStackEnv } from '@colonnade/stack/env';
import { type Site, startSite } from '@colonnade/stack/site';

const base = 18_000;
/** Where the registry of `withSite` listens. */
export const registryPort = base + 203;

/** Runs a measurement against a whole site of its own, away from the ports of every other, and takes it down. */
export async function withSite<T>(extraEnv: Record<string, string>, measure: (site: Site) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-bench-'));
  const env = {
    ...readStackEnv(),
    PORT: base,
    OPS_PORT: base + 1,
    SHELL_PORT: base + 100,
    NEWS_PORT: base + 201,
    INQUIRY_PORT: base + 202,
    REGISTRY_PORT: registryPort,
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
