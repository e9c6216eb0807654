import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPublicKey } from '@colonnade/release/keys';
import { createLog } from '@colonnade/service/log';
import { expect, onTestFinished, test } from 'vitest';
import { root, startRegistry } from '../../fixtures/registry.ts';
import type { Env } from './env.ts';
import { RegistrySource } from './releases/registry-source.ts';
import { ResidentSets } from './resident-sets.ts';

const log = createLog('test');
const build = { hash: 'shell', entry: 'client.js', js: [], css: [], errorCss: [], fonts: [], files: {} };
/** Serves nothing: what is tested is whether it is there. */
const worker = `process.on('message', (message) => message === 'drain' && process.exit());
process.send({ ready: true, name: 'shell', port: 1 });`;

/** A shell's sets with a registry of their own, not yet started. */
async function someSets() {
  const dir = mkdtempSync(path.join(tmpdir(), 'colonnade-sets-'));
  const shellDir = path.join(dir, 'dist');
  mkdirSync(path.join(shellDir, 'client'), { recursive: true });
  mkdirSync(path.join(shellDir, 'server'));
  writeFileSync(path.join(shellDir, 'shell.json'), JSON.stringify(build));
  writeFileSync(path.join(shellDir, 'server/worker.mjs'), worker);
  const registry = await startRegistry();
  const source = new RegistrySource({ url: registry.url, rootKey: readPublicKey(root.publicKey), dataDir: dir, log });
  const env = { HOST: '127.0.0.1', DATA_DIR: dir, SHELL_PORT: 23_400, SHELL_WORKERS: 1, SITE_ORIGIN: 'https://www.nollvik.example' } as Env;
  const sets = new ResidentSets({ ...env, shellDir, source, log });
  onTestFinished(async () => {
    await sets.close();
    await registry.stop();
    rmSync(dir, { recursive: true });
  });
  return { dir, registry, sets };
}

test('a shell that is there before its registry, for the first time, has a live set when that comes', async () => {
  const { registry, sets } = await someSets();
  registry.away = true;
  await sets.start();
  expect(sets.state()).toMatchObject({ set: null, refused: { reason: expect.stringContaining('does not answer') } });
  registry.away = false;
  await expect.poll(() => sets.ready).toBe(true);
  expect(sets.state()).toMatchObject({ refused: null });
});

test('what could not be written of the live set is written at the next try', async () => {
  const { dir, registry, sets } = await someSets();
  // Where the file is to be lies a folder: it cannot be written, as on a full disk.
  const file = path.join(dir, 'shell/last-good.json');
  mkdirSync(file, { recursive: true });

  await sets.start();
  expect(sets.ready).toBe(true);
  expect(sets.state()).toMatchObject({ refused: { reason: expect.stringContaining('last-good.json') } });
  rmdirSync(file);
  registry.tell();
  await expect.poll(() => sets.state()).toMatchObject({ refused: null });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ live: {}, activation: 'aaaaaaaaaaaa' });
});
