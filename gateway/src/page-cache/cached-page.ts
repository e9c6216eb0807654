import { matchPath } from '@colonnade/mfe/routing';
import type { ChosenSet } from '../shell-sets.ts';

/** A page of a cacheable route, or its data: what a copy of it is kept under, and what the shell is asked for. */
export interface CachedPage {
  key: string;
  /** Canonical path and query. */
  target: string;
  freshMs: number;
  staleMs: number;
}

/**
 * Whether copies may be kept of what a GET asks for is said by its route in the release, and by nothing in the request.
 * Query keys that the route does not know are dropped, and only the first of a repeated key counts: from the key and
 * from what the shell is asked alike, so that no visitor can put into a copy what its URL does not say.
 * @param url path and query as the visitor sent them
 * @returns null where no copy may be kept
 */
export function cachedPage(url: string, { id, routes }: Pick<ChosenSet, 'id' | 'routes'>): CachedPage | null {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  // Most specific first, as the shell matches.
  const route = routes.find((route) => matchPath(route.path, path));
  if (!route?.cache) return null;
  const lifetime = { freshMs: route.cache.freshS * 1000, staleMs: route.cache.staleS * 1000 };
  if (at < 0) return { key: `${route.basis} ${path}`, target: path, ...lifetime };

  const given = new URLSearchParams(url.slice(at + 1));
  const query = new URLSearchParams();
  for (const name of route.query) {
    const value = given.get(name);
    if (value !== null) query.set(name, value);
  }
  const set = given.get('_data');
  const page = query.size > 0 ? `${path}?${query}` : path;
  if (set === null) return { key: `${route.basis} ${page}`, target: page, ...lifetime };
  // A set that is not resident any more: its 409 is the shell's to say.
  if (set !== id) return null;
  query.set('_data', id);
  // Another name space: no path begins with `data`.
  return { key: `${id} data ${page}`, target: `${path}?${query}`, ...lifetime };
}
