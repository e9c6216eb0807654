/** A site of its own whose processes are killed, stopped and asked to end. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { test as base, expect } from 'playwright/test';
import { processes } from '../../kit/service/fixtures/processes.ts';
import { startedSite } from '../support/started-site.ts';

const port = 15_000;
export const origin = `http://localhost:${port}`;
export const opsOrigin = `http://127.0.0.1:${port + 1}`;
export const dataDir = path.join(import.meta.dirname, '../.data-faults');
const root = path.join(import.meta.dirname, '../..');

/** What a process's command line holds. */
const commands = {
  'gateway primary': 'gateway/src/main.ts',
  'gateway worker': 'gateway/src/worker.ts',
  'shell supervisor': 'shell/src/server/main.ts',
  'shell worker': 'server/worker.mjs',
  'news service': 'services/news/src/main.ts',
  'inquiry service': 'services/inquiry/src/main.ts',
  mongod: '--dbpath',
} as const;
export type Kind = keyof typeof commands;

export interface FaultySite {
  /** Process ids of a kind, the oldest first. */
  pids(kind: Kind): number[];
  /** Every part says that it is well, and there are as many processes as at the start. */
  whole(): Promise<void>;
}

export const test = base.extend<object, { site: FaultySite }>({
  site: [
    async ({ browserName: _ }, use) => {
      rmSync(dataDir, { recursive: true, force: true });
      const { pid: ancestor, stop } = await startedSite({
        root,
        env: {
          DATA_DIR: dataDir,
          PORT: String(port),
          OPS_PORT: String(port + 1),
          SHELL_PORT: String(port + 100),
          NEWS_PORT: String(port + 201),
          INQUIRY_PORT: String(port + 202),
          REGISTRY_PORT: String(port + 203),
          MONGO_PORT: String(port + 217),
          // No limit per visitor: all load comes from one address. And no cache in front of what fails.
          INQUIRY_LIMIT: '0',
          FLOOD_LIMIT: '0',
          PAGE_CACHE: 'off',
          LOG_LEVEL: 'info',
        },
      });
      const atStart = kinds().map((kind) => [kind, pidsOf(ancestor, kind).length] as const);
      await use({
        pids: (kind) => pidsOf(ancestor, kind),
        whole: async () => {
          await expect
            .poll(() => kinds().map((kind) => [kind, pidsOf(ancestor, kind).length]), { timeout: 20_000, intervals: [50] })
            .toEqual(atStart);
          await expect.poll(async () => (await fetch(`${opsOrigin}/health`)).status, { timeout: 20_000, intervals: [50] }).toBe(200);
        },
      });
      await stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

function kinds(): Kind[] {
  return Object.keys(commands) as Kind[];
}

/** Those below a process. */
function pidsOf(ancestor: number, kind: Kind): number[] {
  const all = processes();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const below = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || below(parent));
  };
  const found = all.filter(({ pid, command }) => command.includes(commands[kind]) && below(pid));
  return found.map(({ pid }) => pid).sort((a, b) => a - b);
}
