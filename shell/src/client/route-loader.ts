import type { Mfe } from '@colonnade/mfe';
import type { ComponentType } from 'react';
import type { Boot } from '../boot.ts';
import { pageFiles, type SetTable, type TableRoute } from '../set-table.ts';
import { type LoadedRoute, namedSlot } from '../view.ts';
import { alreadyLoaded, loadFiles } from './files.ts';
import { createHost } from './host.ts';

export interface RouteLoader {
  /** The set table. */
  whole(): Promise<SetTable>;
  /** The route of a pattern. @throws when the set table does not come */
  route(path: string): Promise<TableRoute>;
  /** The route of a pattern, where this document knows it already. */
  known(path: string): TableRoute | undefined;
  /** Loads a route's styles and code, and those of its slots. @throws when the page's own part fails */
  loadRoute(path: string): Promise<LoadedRoute>;
  /** Loads what only the error page looks like. Without it the page is plain, so it never fails. */
  loadErrorStyle(): Promise<void>;
}

/** Loads routes of the release set that rendered this document, from that set only. */
export function createRouteLoader(boot: Boot): RouteLoader {
  const load = createHost();
  const mfes = new Map<string, Promise<Mfe>>();
  const components = new Map<string, Promise<ComponentType>>();
  let table: SetTable = boot.table ?? { set: boot.set, entries: {}, routes: [], slots: {}, errorCss: [], integrity: {} };
  let whole: Promise<SetTable> | undefined;
  alreadyLoaded({ js: table.routes.flatMap((route) => pageFiles(table, route).js), css: boot.styles });
  return { whole: wholeTable, route: routeOf, known, loadRoute, loadErrorStyle };

  async function loadErrorStyle(): Promise<void> {
    try {
      const { errorCss, integrity } = await wholeTable();
      await loadFiles({ js: [], css: errorCss }, integrity);
    } catch (error) {
      console.error('error page without style', error);
    }
  }

  function known(path: string): TableRoute | undefined {
    return table.routes.find((route) => route.path === path);
  }

  async function routeOf(path: string): Promise<TableRoute> {
    const route = known(path) ?? (await wholeTable()).routes.find((r) => r.path === path);
    if (!route) throw new Error(`no route ${path}`);
    return route;
  }

  function wholeTable(): Promise<SetTable> {
    whole ??= fetchTable(boot).then(
      (fetched) => {
        table = fetched;
        return fetched;
      },
      (error) => {
        whole = undefined;
        throw error;
      },
    );
    return whole;
  }

  async function loadRoute(path: string): Promise<LoadedRoute> {
    const route = await routeOf(path);
    const [Component, slots] = await Promise.all([
      remember(components, `route:${route.mfe}/${route.id}`, () =>
        part(route.mfe, route.id, route.files, (mfe) => mfe.routes.find((r) => r.id === route.id)),
      ),
      Promise.all(route.slots.map(loadSlot)),
    ]);
    const own = (await mfe(route.mfe)).routes.find((r) => r.id === route.id);
    return { mfe: route.mfe, id: route.id, Component, meta: own?.meta, slots: Object.fromEntries(slots.flatMap((slot) => slot ?? [])) };
  }

  /** A slot whose code does not load is left out: the page shows its fallback. */
  async function loadSlot(name: string): Promise<[string, ComponentType][] | null> {
    const slot = table.slots[name];
    if (!slot) return null;
    try {
      // Another component for each view would lose what the visitor has done in it.
      const Component = await remember(components, `slot:${name}`, async () =>
        namedSlot(name, await part(slot.mfe, name, slot.files, (mfe) => mfe.slots.find((s) => s.name === name))),
      );
      return [[name, Component]];
    } catch (error) {
      console.error(`slot ${name}`, error);
      return null;
    }
  }

  async function part(
    mfeName: string,
    name: string,
    files: { js: string[]; css: string[] },
    find: (mfe: Mfe) => { load(): Promise<{ default: ComponentType }> } | undefined,
  ): Promise<ComponentType> {
    await loadFiles({ js: [table.entries[mfeName] as string, ...files.js], css: files.css }, table.integrity);
    const found = find(await mfe(mfeName));
    if (!found) throw new Error(`${mfeName} has no ${name}`);
    return (await found.load()).default;
  }

  function mfe(name: string): Promise<Mfe> {
    return remember(mfes, name, () => load(name, table.entries[name] as string));
  }
}

/** Like a cache that never keeps a failure. */
function remember<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) return known;
  const made = make();
  cache.set(key, made);
  made.catch(() => cache.delete(key));
  return made;
}

async function fetchTable({ set, integrity }: Boot): Promise<SetTable> {
  const response = await fetch(`/_mfe/sets/${set}.json`, { integrity });
  if (!response.ok) throw new Error(`set table: ${response.status}`);
  return response.json() as Promise<SetTable>;
}
