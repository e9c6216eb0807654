import { createRequire } from 'node:module';
import path from 'node:path';
import type { Mfe, MfeRoute, MfeSlot } from '@colonnade/mfe';
import * as contractKit from '@colonnade/mfe';
import kit from '@colonnade/mfe/package.json' with { type: 'json' };
import type { Release } from '@colonnade/mfe/release';
import { createInstance, type ModuleFederation } from '@module-federation/enhanced/runtime';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { type LoadedRoute, namedSlot } from '../view.ts';

const require = createRequire(import.meta.url);

/** A route with its code loaded, and its handlers. */
export interface ServerRoute extends LoadedRoute {
  route: MfeRoute;
  release: Release;
}
export interface ServerSlot {
  slot: MfeSlot;
  release: Release;
  Component: LoadedRoute['Component'];
}
export interface Remotes {
  mfes: { name: string; mfe: Mfe }[];
  routes: ServerRoute[];
  slots: Map<string, ServerSlot>;
}

/**
 * Loads every microfrontend of a set into this process. A process loads one set only: require cache, federation
 * globals and share scopes are per process.
 * @throws when a release does not load, is of another contract or needs other shared versions
 */
export async function loadRemotes(releases: { release: Release; dir: string }[], dev: boolean): Promise<Remotes> {
  const host = createHost(dev);
  const slots = new Map<string, ServerSlot>();
  const mfes: { mfe: Mfe; release: Release }[] = [];
  for (const { release, dir } of releases) {
    const mfe = await loadMfe(host, release, dir);
    mfes.push({ mfe, release });
    for (const slot of mfe.slots) slots.set(slot.name, { slot, release, Component: namedSlot(slot.name, (await slot.load()).default) });
  }
  const routes: ServerRoute[] = [];
  for (const { mfe, release } of mfes) {
    for (const route of mfe.routes) {
      const { default: Component } = await route.load();
      const placed = (route.slots ?? []).flatMap((name) => {
        const slot = slots.get(name);
        return slot ? [[name, slot.Component] as const] : [];
      });
      routes.push({ mfe: release.name, id: route.id, Component, meta: route.meta, slots: Object.fromEntries(placed), route, release });
    }
  }
  return { mfes: mfes.map(({ mfe, release }) => ({ name: release.name, mfe })), routes, slots };
}

async function loadMfe(host: ModuleFederation, release: Release, dir: string): Promise<Mfe> {
  const name = release.name.replaceAll('-', '_');
  // The default remote type is for script tags; the plugin below loads the entry, whatever its type.
  host.registerRemotes([{ name, entry: path.join(dir, release.server.entry) }]);
  const loaded = await host.loadRemote<{ default?: Mfe }>(`${name}/mfe`);
  const mfe = loaded?.default;
  if (mfe?.contract !== 1)
    throw new Error(`${release.name}@${release.version}: contract ${mfe?.contract ?? 'missing'}, this shell knows 1`);
  return mfe;
}

function createHost(dev: boolean): ModuleFederation {
  const share = (version: string, module: unknown) => ({
    version,
    lib: () => module,
    shareConfig: { singleton: true, requiredVersion: `^${version}` },
    scope: ['default'],
  });
  return createInstance({
    name: 'shell',
    remotes: [],
    shareStrategy: 'loaded-first',
    shared: {
      react: share(React.version, React),
      'react/jsx-runtime': share(React.version, jsxRuntime),
      ...(dev ? { 'react/jsx-dev-runtime': share(React.version, require('react/jsx-dev-runtime')) } : {}),
      'react-dom': share(React.version, ReactDOM),
      '@colonnade/mfe': share(kit.version, contractKit),
    },
    plugins: [
      {
        name: 'from-disk',
        async loadEntry({ remoteInfo }) {
          return require(remoteInfo.entry);
        },
        errorLoadRemote({ error }) {
          throw error;
        },
      },
    ],
  });
}
