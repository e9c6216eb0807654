/**
 * Builds the microfrontends of `fixtures/` and starts the site with them, released as the site's own. `mfe-late`,
 * `mfe-rival` and the two versions of `mfe-order` are built only: tests say what becomes of them.
 */
import { globSync } from 'node:fs';
import path from 'node:path';
import { readStackEnv } from '@colonnade/stack/env';
import { type Site, startSite } from '@colonnade/stack/site';
import { type Configuration, rspack } from '@rspack/core';

const builtOnly = ['mfe-late', 'mfe-order-v1', 'mfe-order-v2', 'mfe-rival'];
const givingUp = new AbortController();
let site: Site | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

const dirs = globSync('fixtures/mfe-*/rspack.config.ts', { cwd: import.meta.dirname })
  .sort()
  .map((file) => path.join(import.meta.dirname, path.dirname(file)));
for (const dir of dirs) await build(((await import(path.join(dir, 'rspack.config.ts'))) as { default: Configuration[] }).default);
const releases = dirs
  .map((dir) => ({ name: path.basename(dir), version: '1.0.0', dir: path.join(dir, 'dist') }))
  .filter(({ name }) => !builtOnly.includes(name));
const tell = (line: string) => console.log(line);
site = await startSite({ env: readStackEnv(), dev: false, tell, signal: givingUp.signal, releases });
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
