import { createHash } from 'node:crypto';
import type { Release } from '@colonnade/mfe/release';
import { compareSpecificity } from '@colonnade/mfe/routing';
import type { ReleaseSet } from '../release-set.ts';

/** What a page cache has to know of a route. */
export interface RoutePolicy {
  path: string;
  /** 12 hex digits over everything of the release set that takes part in the route's page: the same in two sets, the same page. */
  basis: string;
  cache: { freshS: number; staleS: number } | null;
  /** The query keys that the page depends on. */
  query: string[];
}

/**
 * The policies of a set's routes, most specific first.
 * @param origin of the canonical URLs in the pages
 */
export function routePolicies(set: ReleaseSet, origin: string): RoutePolicy[] {
  const routes = set.releases.flatMap(({ release, digest }) => release.routes.map((route) => ({ release, digest, route })));
  const digests = new Map(set.releases.map(({ release, digest }) => [release.name, `${release.name}@${release.version}:${digest}`]));
  const ownerOf = new Map(set.releases.flatMap(({ release }) => release.slots.map((slot) => [slot.name, release.name] as const)));
  // Every document has the navigation and all path patterns in it. The site's texts are part of the shell's build.
  const chrome = JSON.stringify([
    set.shell.hash,
    origin,
    [...set.releases.map(({ release }) => release), ...set.broken].flatMap(({ nav }) => nav),
    routes.map(({ route }) => route.path),
  ]);
  const basis = (release: Release, slots: string[]) => {
    const hash = createHash('sha256')
      .update(chrome)
      .update(`\n${digests.get(release.name)}`);
    for (const slot of slots) hash.update(`\n${slot} ${digests.get(ownerOf.get(slot) ?? '') ?? 'absent'}`);
    return hash.digest('hex').slice(0, 12);
  };
  return routes
    .map(({ release, route: { path, slots, cache, query } }) => ({
      path,
      basis: basis(release, slots),
      cache: cache === 'none' ? null : cache,
      query,
    }))
    .sort((a, b) => compareSpecificity(a.path, b.path));
}
