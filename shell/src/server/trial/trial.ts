import { isIPv6 } from 'node:net';
import type { Resident } from '../supervisor/resident.ts';
import { failureHeader, missingHeader, spoiledHeader, trialHeader } from './trial-headers.ts';
import type { TrialPaths } from './trial-paths.ts';

/** Longer than the deadline of a route's loader. */
const pageMs = 4000;
const atOnce = 4;
/** Pages in which nothing is new are tried for as long as others may wait for it. */
const unchangedMs = 5000;
/** Each release may have its part in them. */
const listPaths = ['/feed.xml', '/sitemap.xml'];

/** What a set answers for a page. */
interface Page {
  /** Null: nothing came. */
  status: number | null;
  /** Slots on it that failed, or whose entries a feed or sitemap lacks. */
  missing: string[];
  /** In the words of its error. */
  failure?: string | undefined;
  /** Because of what its release did. */
  spoiled: boolean;
}

type TriedSet = Pick<Resident, 'set' | 'host' | 'port' | 'routes' | 'trialPaths'>;

/**
 * Asks a set for its feed, its sitemap and a page of each of its routes, before it serves anybody: first those in which something is new. It fails
 * where the live set passes: what a service's outage does to both is no fault of a release. A page that the live set does not
 * have must not fail by its release's own doing, and none that is new may end without an answer, as the worker then hangs or dies.
 * @returns what fails, in words for whoever releases it; null where nothing does
 */
export async function trial(fresh: TriedSet, live: TriedSet | undefined): Promise<string | null> {
  const fails: string[] = [];
  const until = performance.now() + unchangedMs;
  const [named, liveNamed] = await Promise.all([fresh.trialPaths(), namedBy(live)]);
  const [parts, liveParts] = [partsOf(fresh), live ? partsOf(live) : new Map<string, string>()];
  const isNew = (pattern: string) => parts.get(pattern) !== liveParts.get(pattern);
  // What was taken away or left out is meant to be missing.
  const isOfSet = (part: string) => fresh.set.releases.some(({ release }) => release.name === part.split('/')[0]);
  const all = fresh.routes.map(({ path }) => path);
  await tryAll([...listPaths, ...all.filter(isNew)]);
  if (fails.length === 0) await tryAll(all.filter((pattern) => !isNew(pattern)));
  return fails.length === 0 ? null : fails.join('; ');

  async function tryAll(patterns: string[]): Promise<void> {
    const tryNext = async () => {
      for (let pattern = patterns.shift(); pattern !== undefined; pattern = patterns.shift()) {
        if (!isNew(pattern) && performance.now() > until) return;
        const reason = await tryRoute(pattern);
        if (reason !== null) fails.push(reason);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, tryNext));
  }

  async function tryRoute(pattern: string): Promise<string | null> {
    const isList = listPaths.includes(pattern);
    const known = isList || live?.routes.some(({ path }) => path === pattern) ? live : undefined;
    let path = pattern;
    if (pattern.includes('/:')) {
      const [own, other] = [named[pattern], liveNamed[pattern]];
      if (own && 'path' in own) path = own.path;
      else if (known ? other && 'path' in other : !own?.away) return `${pattern}: ${own?.error ?? 'names no page to try'}`;
      else return null;
    }
    const page = await ask(fresh, path);
    const silent = `${path} does not answer, or not within ${pageMs / 1000} s`;
    // Where nothing is new, the live set hangs or dies of it as well: that is not to be tried.
    if (page.status === null && !isList) return isNew(pattern) ? silent : null;
    if (passes(page) && page.missing.length === 0) return null;
    const before = known && (await ask(known, path));
    if (!passes(page)) {
      const answers = `${path} answers ${page.status}${page.failure ? ` (${page.failure})` : ''}`;
      if (!before) return page.status === 500 || page.spoiled ? answers : null;
      if (!passes(before)) return null;
      return page.status === null ? silent : `${answers}, and ${before.status} from the live set`;
    }
    const lost = before && passes(before) ? page.missing.filter((part) => isOfSet(part) && !before.missing.includes(part)) : [];
    return lost.length > 0 ? `${path}: ${lost.join(', ')} fails, and does not in the live set` : null;
  }
}

/** By pattern: the releases that take part in the route's page, exactly. */
function partsOf({ set: { releases } }: TriedSet): Map<string, string> {
  const digests = new Map(releases.flatMap(({ release, digest }) => release.slots.map((slot) => [slot.name, digest] as const)));
  return new Map(
    releases.flatMap(({ release, digest }) =>
      release.routes.map(({ path, slots }) => [path, [digest, ...slots.map((slot) => digests.get(slot) ?? '')].join()] as const),
    ),
  );
}

function passes({ status }: Page): boolean {
  return status !== null && status !== 404 && status < 500;
}

async function namedBy(live: TriedSet | undefined): Promise<TrialPaths> {
  return (await live?.trialPaths().catch(() => undefined)) ?? {};
}

/** Asks for the document as a visitor would get it, made now: an outage that is over by then is in neither set's answer. */
async function ask({ host, port }: TriedSet, path: string): Promise<Page> {
  try {
    const response = await fetch(`http://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`, {
      redirect: 'manual',
      // A connection that is kept would hold up the end of the worker.
      headers: { Connection: 'close', [trialHeader]: '1' },
      signal: AbortSignal.timeout(pageMs),
    });
    // A page that breaks off has not come.
    await response.arrayBuffer();
    const { headers } = response;
    const failure = headers.get(failureHeader);
    return {
      status: response.status,
      missing: headers.get(missingHeader)?.split(' ') ?? [],
      failure: failure ? decodeURIComponent(failure) : undefined,
      spoiled: headers.has(spoiledHeader),
    };
  } catch {
    return { status: null, missing: [], spoiled: false };
  }
}
