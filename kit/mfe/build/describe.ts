/**
 * Loads a built server container as the shell would and writes what the microfrontend says about itself, as JSON, to file
 * descriptor 3: what its modules print is theirs.
 * Usage: `node describe.ts <mfe folder> <server/remote.cjs>`
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mfe } from '../src/contract.ts';
import type { Release } from '../src/release.ts';

type Described<T> = Omit<T, 'files'>;
export interface Description {
  contract: number;
  routes: Described<Release['routes'][number]>[];
  slots: Described<Release['slots'][number]>[];
  nav: Release['nav'];
}

interface Container {
  init(scope: Record<string, unknown>): unknown;
  get(module: string): Promise<() => { default?: Mfe }>;
}

const [dir, entry] = process.argv.slice(2) as [string, string];
const require = createRequire(path.join(dir, 'package.json'));
const container = require(entry) as Container;
await container.init(await shareScope());
const mfe = (await container.get('./mfe'))().default;
if (!mfe) throw new Error('./mfe has no default export');
writeFileSync(3, JSON.stringify(description(mfe)));
// A module may have left a timer behind; its description is complete.
process.exit(0);

function description({ contract, routes, slots, nav }: Mfe): Description {
  const ids = new Set<string>();
  for (const { id, path, trial, hydrate, action } of routes) {
    if (ids.has(id)) throw new Error(`route id ${id} is used twice`);
    ids.add(id);
    if (path.includes(':') && !trial) throw new Error(`route ${id}: ${path} has a parameter, so it needs a trial`);
    if (hydrate === false && action) throw new Error(`route ${id}: a page that takes a form has to hydrate`);
  }
  return {
    contract,
    routes: routes.map((r) => ({
      id: r.id,
      path: r.path,
      slots: r.slots ?? [],
      cache: r.cache && r.cache !== 'none' ? { freshS: r.cache.freshS, staleS: r.cache.staleS } : 'none',
      query: r.query ?? [],
      loader: !!r.loader,
      action: !!r.action,
      trial: !!r.trial,
      hydrate: r.hydrate !== false,
    })),
    slots: slots.map((s) => ({ name: s.name, loader: !!s.loader, hydrate: s.hydrate !== false })),
    nav,
  };
}

/** The shared modules in webpack's share-scope form, as the microfrontend's own folder resolves them. */
async function shareScope() {
  const scope: Record<string, unknown> = {};
  const provide = (name: string, version: string, module: unknown) => {
    scope[name] = { [version]: { get: () => () => module, loaded: 1, from: 'describe' } };
  };
  const react = (require('react') as { version: string }).version;
  for (const name of ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom']) provide(name, react, require(name));
  const kit = await import(pathToFileURL(path.join(import.meta.dirname, '../src/index.ts')).href);
  provide('@colonnade/mfe', (createRequire(import.meta.url)('../package.json') as { version: string }).version, kit);
  return scope;
}
