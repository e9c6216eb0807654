import type { Log } from '@colonnade/service/log';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Registry } from 'prom-client';
import { tellTiming } from '../server-timing.ts';
import type { ChosenSet, SetKind, ShellSets } from '../shell-sets.ts';
import { send } from './answer.ts';
import { type CachedPage, cachedPage } from './cached-page.ts';
import { Copies, type Copy } from './copies.ts';
import { Feed, type Purge } from './feed.ts';
import { type Filled, Fills } from './fills.ts';
import { pageCacheMetrics } from './metrics.ts';
import type { SharedCaches, SharedFields } from './shared-caches.ts';

/** How long a visitor waits for a new page where there is a copy. Longer than a page whose service does not answer takes. */
const patienceMs = 2000;

export interface PageCacheOptions {
  sets: Pick<ShellSets, 'choose' | 'forPage' | 'isResident' | 'kindOf'>;
  /** The site's public origin. */
  origin: string;
  /** Memory for the copies, packed variants included. */
  maxBytes: number;
  /** Streams of changes by the service's name. */
  changes: Record<string, string>;
  /** Caches in front of this site that may keep pages too. */
  shared?: Pick<SharedCaches, 'allow' | 'purge'>;
  metrics: Registry;
  log: Log;
  /** A clock that never goes back, in milliseconds. */
  now?: () => number;
}

/** A copy that answers a request at once. */
export interface Hit {
  copy: Copy;
  /** Of the set that the request belongs to. */
  kind: SetKind;
  /** Fields that say where the answer comes from. */
  told: { cacheStatus: string; age: string; shared: SharedFields };
  count(): void;
}

/** URLs in the spellings that visitors use; more of them are looked at anew. */
const maxKnown = 2000;

export interface PageCache {
  /** Answers page requests; those of which no copy may be kept go on to the shell. */
  handler: RequestHandler;
  /**
   * The fresh copy that a GET of this URL is answered with, where it was before, in the same spelling.
   * @param askedHost as it was sent
   */
  fresh(url: string, askedHost: string | undefined): Hit | null;
  /** Listens for changes until it is stopped. While it does not hear them, no copy that they could touch is fresh. */
  follow(): void;
  stop(): void;
}

/**
 * Keeps the pages that visitors get, for as long as their routes say, and the last good one for when the shell or what
 * is behind it fails.
 * @see docs/decisions/0011-page-cache.md
 */
export function createPageCache({
  sets,
  origin,
  maxBytes,
  changes,
  shared,
  metrics,
  log,
  now = () => performance.now(),
}: PageCacheOptions): PageCache {
  const { host } = new URL(origin);
  const copies = new Copies(maxBytes);
  const count = pageCacheMetrics(metrics, copies);
  const feeds = Object.entries(changes).map(
    ([name, url]) => new Feed({ name, url, purge, lost: (covers) => shared?.purge({ covers }), log }),
  );
  const fills = new Fills({ copies, feeds, now });
  /** What URLs mean that were answered from a copy, in the set that they belonged to. */
  const known = new Map<string, { page: CachedPage; set: ChosenSet }>();

  function purge(purge: Purge): void {
    copies.purge(purge);
    fills.purge(purge);
    shared?.purge(purge);
  }

  const handler: RequestHandler = (req, res, next) => {
    const set = req.method === 'GET' || req.method === 'HEAD' ? sets.choose(req) : null;
    const page = set && cachedPage(req.originalUrl, set);
    if (!page) return sets.forPage(req, res, next);
    const copy = usable(page.key);
    if (copy) {
      if (isFresh(copy)) {
        count('hit');
        if (known.size >= maxKnown) known.clear();
        known.set(req.originalUrl, { page, set });
        return sendCopy(req, res, page, copy, 'hit');
      }
      const trusted = isTrusted(copy);
      const failing = copy.retryAt !== null;
      if (trusted || failing) {
        if (copy.retryAt === null || copy.retryAt <= now()) begin(req, page, set);
        count(failing ? 'rescued' : 'stale');
        return sendCopy(req, res, page, copy, failing ? 'hit; detail=stale-if-error' : 'hit');
      }
    }
    return fillFirst(req, res, next, page, set);
  };

  function fresh(url: string, askedHost: string | undefined): Hit | null {
    const asked = known.get(url);
    const set = asked && sets.choose({ originalUrl: url });
    // Another object after each move of the pointer.
    if (!asked || set !== asked.set) return null;
    const copy = usable(asked.page.key);
    if (!copy || !isFresh(copy)) return null;
    return { copy, kind: sets.kindOf(set.id), told: told(url, askedHost, asked.page, copy, 'hit'), count: countHit };
  }
  const countHit = () => count('hit');

  /** Whether it may be served without anybody being asked. */
  function isFresh(copy: Copy): boolean {
    return isTrusted(copy) && now() < copy.freshUntil && sets.isResident(copy.set);
  }

  /** Whether it shows what the services have, as far as they have told. */
  function isTrusted({ marked, feeds }: Copy): boolean {
    return !marked && feeds.every((feed) => feed.current);
  }

  /** The copy that may be served if need be. */
  function usable(key: string): Copy | undefined {
    const copy = copies.get(key);
    return copy && now() < copy.keptUntil ? copy : undefined;
  }

  /** The same request whoever the visitor is: nothing of theirs gets into a copy. */
  function begin(req: Request, page: CachedPage, { upstream }: ChosenSet): ReturnType<Fills['fill']> {
    const headers = { host, 'accept-encoding': 'identity', 'x-request-id': req.id };
    return fills.fill(page, () => upstream.fetch({ path: page.target, headers }));
  }

  async function fillFirst(req: Request, res: Response, next: NextFunction, page: CachedPage, set: ChosenSet): Promise<void> {
    const fwd = usable(page.key) ? 'fwd=stale' : 'fwd=miss';
    const askedAt = performance.now();
    const { filled, collapsed } = begin(req, page, set);
    let result = fwd === 'fwd=stale' ? await soon(filled) : await filled;
    if (result === null) fills.postpone(page.key);
    if (result === null || result.kind === 'failure' || result.kind === 'nothing') {
      const last = usable(page.key);
      if (last) {
        count('rescued');
        tellTiming(res, askedAt);
        const status = result === null ? '' : `; fwd-status=${result.kind === 'failure' ? result.answer.status : 503}`;
        return sendCopy(req, res, page, last, `${fwd}${status}; detail=stale-if-error`);
      }
    }
    // Too late for the visitor's patience, and what there was has been withdrawn meanwhile.
    result ??= await filled;
    const told = `${fwd}${collapsed ? '; collapsed' : ''}`;
    if (result.kind !== 'nothing') tellTiming(res, askedAt);
    if (result.kind === 'copy') {
      count('miss');
      return sendCopy(req, res, page, result.copy, result.stored ? `${told}; stored` : told);
    }
    count(result.kind === 'answer' ? 'miss' : 'failed');
    if (result.kind === 'nothing') return next(result.error);
    // Its page names the host that it was asked for: what the visitor called us, not what we call ourselves.
    if (result.answer.status === 500 && req.headers.host !== host) return void set.upstream.page(req, res, next);
    res.setHeader('Cache-Status', `colonnade; ${told}`);
    return send(req, res, result.answer);
  }

  function sendCopy(req: Request, res: Response, page: CachedPage, copy: Copy, how: string): void | Promise<void> {
    // The visitor may have left while the shell was asked.
    if (res.destroyed) return;
    const { cacheStatus, age, shared } = told(req.originalUrl, req.headers.host, page, copy, how);
    res.setHeader('Cache-Status', cacheStatus);
    res.setHeader('Age', age);
    for (const [name, value] of shared) res.setHeader(name, value);
    // A shared cache would repeat it to visitors who have waited for nobody.
    if (shared.length > 0) res.removeHeader('Server-Timing');
    return send(req, res, copy.answer);
  }

  function told(url: string, askedHost: string | undefined, page: CachedPage, copy: Copy, how: string): Hit['told'] {
    const time = now();
    const ttlS = Math.floor((copy.freshUntil - time) / 1000);
    // A cache may have the host in its key, and pages are purged under the site's own.
    const sharable = shared !== undefined && askedHost === host && isFresh(copy) && copies.has(copy);
    const cacheStatus = `colonnade; ${how}; ttl=${isTrusted(copy) ? ttlS : Math.min(0, ttlS)}`;
    return {
      cacheStatus,
      age: String(Math.floor((time - copy.askedAt) / 1000)),
      shared: sharable ? shared.allow(url, page, copy, ttlS) : [],
    };
  }

  return {
    handler,
    fresh,
    follow: () => {
      for (const feed of feeds) void feed.follow();
    },
    stop: () => {
      for (const feed of feeds) feed.stop();
    },
  };
}

/** Null where it takes longer than a visitor waits who can have a copy. */
async function soon(filled: Promise<Filled>): Promise<Filled | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  try {
    return await Promise.race([filled, late]);
  } finally {
    clearTimeout(timer);
  }
}
