/**
 * Starts the site, builds the microfrontends of `fixtures/`, and releases them into it while it runs. `mfe-late` and
 * `mfe-rival` are installed only: a test says what becomes of them.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readStackEnv } from '@colonnade/stack/env';
import { installRelease, writeReleaseSet } from '@colonnade/stack/release';
import { type Site, startSite } from '@colonnade/stack/site';
import { type Configuration, rspack } from '@rspack/core';

const installedOnly = ['mfe-late', 'mfe-rival'];
const givingUp = new AbortController();
let site: Site | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

const tell = (line: string) => console.log(line);
site = await startSite({ env: readStackEnv(), dev: false, tell, signal: givingUp.signal });
const { mfes } = JSON.parse(readFileSync(path.join(site.dataDir, 'release-set.json'), 'utf8')) as { mfes: Record<string, string> };
for (const file of globSync('fixtures/mfe-*/rspack.config.ts', { cwd: import.meta.dirname })) {
  const dir = path.join(import.meta.dirname, path.dirname(file));
  const name = path.basename(dir);
  await build(((await import(path.join(import.meta.dirname, file))) as { default: Configuration[] }).default);
  installRelease(site.dataDir, { name, dir, kind: 'mfe' }, '1.0.0');
  if (!installedOnly.includes(name)) mfes[name] = '1.0.0';
}
writeReleaseSet(site.dataDir, mfes);
tell('fixtures released');

function build(configs: Configuration[]): Promise<void> {
  return new Promise((resolve, reject) => {
    rspack(configs).run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString({ all: false, errors: true })));
      else resolve();
    });
  });
}

async function end(): Promise<void> {
  givingUp.abort();
  await site?.stop();
  process.exit(0);
}
