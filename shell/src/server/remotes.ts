import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Mfe, MfeRoute, MfeSlot } from '@colonnade/mfe';
import * as contractKit from '@colonnade/mfe';
import kit from '@colonnade/mfe/package.json' with { type: 'json' };
import type { Release } from '@colonnade/mfe/release';
import { createInstance, type ModuleFederation } from '@module-federation/enhanced/runtime';
import type { ComponentType } from 'react';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';
import { type LoadedRoute, namedSlot } from '../view.ts';
import { doing } from './containment/work.ts';
import { verifyFiles } from './release-files.ts';
import { ReleaseBroken } from './release-set.ts';

const require = createRequire(import.meta.filename);

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
  mfes: { name: string; version: string; mfe: Mfe }[];
  routes: ServerRoute[];
  slots: Map<string, ServerSlot>;
}

/** A release that has not loaded by then never will. */
const loadMs = 5000;

/**
 * Loads every microfrontend of a set into this process. A process loads one set only: require cache, federation
 * globals and share scopes are per process.
 * @throws ReleaseBroken when a release is not what its manifest says, does not load, is of another contract, has other
 * routes or slots, or needs other shared versions
 */
export async function loadRemotes(releases: { release: Release; dir: string }[], dev: boolean): Promise<Remotes> {
  const host = createHost(dev);
  const loaded: LoadedRelease[] = [];
  for (const { release, dir } of releases) {
    const { name: mfe, version } = release;
    try {
      if (!dev) verifyFiles(dir, release.files);
      loaded.push(await doing({ mfe, version }, () => within(loadMs, loadRelease(host, release, dir))));
    } catch (error) {
      throw new ReleaseBroken(mfe, version, `${mfe}@${version}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  const slots = new Map(
    loaded.flatMap(({ release, mfe, components }) =>
      mfe.slots.map((slot) => [slot.name, { slot, release, Component: namedSlot(slot.name, component(components, slot)) }]),
    ),
  );
  const routes = loaded.flatMap(({ release, mfe, components }) =>
    mfe.routes.map((route): ServerRoute => {
      const placed = (route.slots ?? [])
        .flatMap((name) => slots.get(name) ?? [])
        .map(({ slot, Component }) => [slot.name, Component] as const);
      const { id, meta } = route;
      return { mfe: release.name, id, Component: component(components, route), meta, slots: Object.fromEntries(placed), route, release };
    }),
  );
  return { mfes: loaded.map(({ release, mfe }) => ({ name: release.name, version: release.version, mfe })), routes, slots };
}

interface LoadedRelease {
  release: Release;
  mfe: Mfe;
  components: Map<MfeRoute | MfeSlot, ComponentType>;
}

async function loadRelease(host: ModuleFederation, release: Release, dir: string): Promise<LoadedRelease> {
  const name = release.name.replaceAll('-', '_');
  // The default remote type is for script tags; the plugin below loads the entry, whatever its type.
  host.registerRemotes([{ name, entry: path.join(dir, release.server.entry) }]);
  const mfe = (await host.loadRemote<{ default?: Mfe }>(`${name}/mfe`))?.default;
  if (mfe?.contract !== 1) throw new Error(`contract ${mfe?.contract ?? 'missing'}, this shell knows 1`);
  // What was checked, for paths of other teams too, is what release.json says.
  if (!isDeepStrictEqual(partsOf(mfe), partsOf(release))) throw new Error('its routes and slots are not those of its release.json');
  const components = new Map<MfeRoute | MfeSlot, ComponentType>();
  for (const part of [...mfe.slots, ...mfe.routes]) {
    const { default: Component } = await part.load();
    if (!Component) throw new Error(`${'path' in part ? part.path : part.name} has no component`);
    components.set(part, Component);
  }
  return { release, mfe, components };
}

function partsOf({ routes, slots }: { routes: { id: string; path: string }[]; slots: { name: string }[] }): string[] {
  return [...routes.map(({ id, path }) => `${id} ${path}`), ...slots.map(({ name }) => name)].sort();
}

function component(components: LoadedRelease['components'], part: MfeRoute | MfeSlot): ComponentType {
  return components.get(part) as ComponentType;
}

async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not loaded within ${deadlineMs} ms`)), deadlineMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
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
