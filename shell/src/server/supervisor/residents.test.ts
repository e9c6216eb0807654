import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '@colonnade/service/log';
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtShell } from '../../../fixtures/built-shell.ts';
import { releaseOf } from '../../../fixtures/registry.ts';
import type { Env } from '../env.ts';
import { handOverMs, Residents } from './residents.ts';

/** A set without any microfrontend that has a worker. */
async function resident() {
  const dir = mkdtempSync(path.join(tmpdir(), 'colonnade-residents-'));
  vi.stubEnv('DATA_DIR', dir);
  const env = { HOST: '127.0.0.1', DATA_DIR: dir, SHELL_PORT: 23_500, SITE_ORIGIN: 'https://www.nollvik.example' } as Env;
  const residents = new Residents({ ...env, shellDir: builtShell(dir), log: createLog('test') });
  onTestFinished(async () => {
    await residents.close();
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true });
  });
  return { dir, residents, resident: await residents.get({}, 1, new Map()) };
}

vi.mock('./free-port.ts', () => ({
  // Finds the same for all who look at the same time.
  async freePort(_host: string, first: number, _count: number, taken: ReadonlySet<number>) {
    let port = first;
    while (taken.has(port)) port++;
    await pause(1);
    return port;
  },
}));

test('sets that start at once have a port each', async () => {
  const { dir, residents } = await resident();
  const get = (version: string) => {
    const release = path.join(dir, 'releases/mfe-a', version);
    mkdirSync(release, { recursive: true });
    writeFileSync(path.join(release, 'release.json'), Buffer.from(releaseOf('mfe-a', version).signed.manifest, 'base64'));
    return residents.get({ 'mfe-a': version }, 1, new Map());
  };
  const ports = (await Promise.all(['1.0.0', '2.0.0'].map(get))).map(({ port }) => port);
  expect(new Set(ports).size).toBe(2);
});

test('the workers of a set that is nothing any more end', async () => {
  const { residents, resident: unused } = await resident();
  residents.retireAllBut(new Set());
  await vi.waitFor(() => expect(residents.ofSet(unused.set.id)).toEqual([]), 5000);
  expect(unused.pool.readyCount).toBe(0);
});

test('they stay where it is used again before they have ended', async () => {
  const { residents, resident: used } = await resident();
  residents.retireAllBut(new Set());
  residents.retireAllBut(new Set([used]));
  await pause(handOverMs + 100);
  expect(used).toMatchObject({ ending: false, pool: { readyCount: 1 } });
});
