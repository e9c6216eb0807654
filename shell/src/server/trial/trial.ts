import type { Resident } from '../resident.ts';
import type { TrialPaths } from './trial-paths.ts';

/** Longer than the deadline of a route's loader. */
const pageMs = 4000;
const atOnce = 4;

/** What a set answers for a page. */
interface Page {
  /** Null: nothing came. */
  status: number | null;
  /** Slots on it that failed. */
  failedSlots: string[];
}

type TriedSet = Pick<Resident, 'port' | 'routes' | 'trialPaths'>;

/**
 * Asks a set for a page of each of its routes, before it serves anybody. It fails where the live set passes: what a
 * service's outage does to both is no fault of a release. A page that the live set does not have must not end with 500,
 * nor without an answer.
 * @returns what fails, in words for whoever releases it; null where nothing does
 */
export async function trial(fresh: TriedSet, live: TriedSet | undefined): Promise<string | null> {
  const fails: string[] = [];
  const [named, liveNamed] = await Promise.all([fresh.trialPaths(), namedBy(live)]);
  const waiting = fresh.routes.map(({ path }) => path);
  const tryNext = async () => {
    for (let pattern = waiting.shift(); pattern !== undefined; pattern = waiting.shift()) {
      const reason = await tryRoute(pattern);
      if (reason !== null) fails.push(reason);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, tryNext));
  return fails.length === 0 ? null : fails.join('; ');

  async function tryRoute(pattern: string): Promise<string | null> {
    const known = live?.routes.some(({ path }) => path === pattern) ? live : undefined;
    let path = pattern;
    if (pattern.includes('/:')) {
      const [own, other] = [named[pattern], liveNamed[pattern]];
      if (own && 'path' in own) path = own.path;
      else if (known ? other && 'path' in other : !own?.away) return `${pattern}: ${own?.error ?? 'names no page to try'}`;
      else return null;
    }
    const page = await ask(fresh.port, path);
    if (passes(page) && page.failedSlots.length === 0) return null;
    const before = known && (await ask(known.port, path));
    if (!passes(page)) {
      const status = page.status === null ? `does not answer within ${pageMs / 1000} s` : `answers ${page.status}`;
      if (!before) return page.status === 500 || page.status === null ? `${path} ${status}` : null;
      return passes(before) ? `${path} ${status}, and ${before.status} from the live set` : null;
    }
    const lost = before && passes(before) ? page.failedSlots.filter((slot) => !before.failedSlots.includes(slot)) : [];
    return lost.length > 0 ? `${path}: ${lost.join(', ')} fails, and does not in the live set` : null;
  }
}

function passes({ status }: Page): boolean {
  return status !== null && status !== 404 && status < 500;
}

async function namedBy(live: TriedSet | undefined): Promise<TrialPaths> {
  return (await live?.trialPaths().catch(() => undefined)) ?? {};
}

/** The document as a visitor would get it. What its slots came to is in the JSON that the browser begins with. */
async function ask(port: number, path: string): Promise<Page> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      redirect: 'manual',
      // A connection that is kept would hold up the end of the worker.
      headers: { Connection: 'close', 'X-Request-Id': 'trial' },
      signal: AbortSignal.timeout(pageMs),
    });
    const text = await response.text();
    const boot = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(text)?.[1];
    const { slots = {} } = JSON.parse(boot ?? '{}') as { slots?: Record<string, unknown> };
    return { status: response.status, failedSlots: Object.keys(slots).filter((name) => slots[name] === null) };
  } catch {
    return { status: null, failedSlots: [] };
  }
}
