import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@colonnade/stack/parts';
import { freePort } from '@colonnade/stack/ports';
import type { Site } from '@colonnade/stack/site';
import { printTable } from '../table.ts';
import { buildBundled } from './bundled-shell.ts';
import { inTurns, type Target } from './rounds.ts';
import { somePage } from './some-page.ts';

const limit = 1.05;
const rounds = 9;

/**
 * What it costs per request that the pages' code comes from live releases: a worker of the shell with the site's releases
 * beside a worker of the same code in one bundle, for the same set, asked directly and in turns.
 * @returns whether it is at most 5 % more processor time on every page
 */
export async function federation(site: Site): Promise<boolean> {
  const bundle = await buildBundled();
  const set = await liveSet(site);
  const workers = [
    await startWorker('releases', path.join(root, 'shell/dist/server/worker.mjs'), site, set),
    await startWorker('one bundle', bundle, site, set),
  ];
  try {
    const rows: string[][] = [];
    let worst = 0;
    for (const page of ['/company', '/news', await somePage(site.origin)]) {
      const [live, bundled] = await inTurns(
        workers.map(({ target }) => target),
        page,
        rounds,
      );
      const ratio = (live?.cpuMs ?? Number.NaN) / (bundled?.cpuMs ?? Number.NaN);
      worst = Math.max(worst, ratio);
      rows.push([page, `${live?.cpuMs.toFixed(2)} ms`, `${bundled?.cpuMs.toFixed(2)} ms`, `${ratio.toFixed(3)}×`]);
    }
    printTable(['CPU of the worker per request', 'live releases', 'one bundle', `ratio (≤ ${limit})`], rows);
    return worst <= limit;
  } finally {
    await Promise.all(workers.map(({ stop }) => stop()));
  }
}

interface LiveSet {
  id: string;
  mfes: Record<string, string>;
}

async function liveSet(site: Site): Promise<LiveSet> {
  const shell = site.parts.find(({ name }) => name === 'shell')?.address;
  const { set } = (await (await fetch(`${shell}/readyz`)).json()) as { set: string };
  const { live } = JSON.parse(readFileSync(path.join(site.dataDir, 'shell/last-good.json'), 'utf8')) as { live: Record<string, string> };
  return { id: set, mfes: live };
}

async function startWorker(name: string, file: string, site: Site, { id, mfes }: LiveSet) {
  const port = await freePort();
  const address = (part: string) => site.parts.find((each) => each.name === part)?.address;
  const child = spawn(process.execPath, [file], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATA_DIR: site.dataDir,
      SITE_ORIGIN: site.origin,
      SERVICES: `news=${address('news service')},inquiry=${address('inquiry service')}`,
      WORKER_SET: id,
      WORKER_MFES: JSON.stringify(mfes),
      WORKER_PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the worker of ${name} ended with ${code}`))),
  ]);
  const target: Target = { name, origin: `http://127.0.0.1:${port}`, pids: { worker: child.pid as number } };
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { target, stop };
}
