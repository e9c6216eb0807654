import type { Log } from '@colonnade/service/log';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Registry } from 'prom-client';
import type { ChosenSet, ShellSets } from '../shell-sets.ts';
import { send } from './answer.ts';
import { type CachedPage, cachedPage } from './cached-page.ts';
import { Copies, type Copy } from './copies.ts';
import { Feed, type Purge } from './feed.ts';
import { type Filled, Fills } from './fills.ts';
import { pageCacheMetrics } from './metrics.ts';

/** How long a visitor waits for a new page where there is a copy. Longer than a page whose service does not answer takes. */
const patienceMs = 2000;

export interface PageCacheOptions {
  sets: Pick<ShellSets, 'choose' | 'forPage' | 'isResident'>;
  /** The site's public origin. */
  origin: string;
  /** Memory for the copies, packed variants included. */
  maxBytes: number;
  /** Streams of changes by the service's name. */
  changes: Record<string, string>;
  metrics: Registry;
  log: Log;
  /** A clock that never goes back, in milliseconds. */
  now?: () => number;
}

export interface PageCache {
  /** Answers page requests; those of which no copy may be kept go on to the shell. */
  handler: RequestHandler;
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
  metrics,
  log,
  now = () => performance.now(),
}: PageCacheOptions): PageCache {
  const { host } = new URL(origin);
  const copies = new Copies(maxBytes);
  const count = pageCacheMetrics(metrics, copies);
  const feeds = Object.entries(changes).map(([name, url]) => new Feed({ name, url, purge, log }));
  const fills = new Fills({ copies, feeds, now });

  function purge(purge: Purge): void {
    copies.purge(purge);
    fills.purge(purge);
  }

  const handler: RequestHandler = (req, res, next) => {
    const set = req.method === 'GET' || req.method === 'HEAD' ? sets.choose(req) : null;
    const page = set && cachedPage(req.originalUrl, set);
    if (!page) return sets.forPage(req, res, next);
    const copy = usable(page.key);
    if (copy) {
      const trusted = isTrusted(copy);
      if (trusted && now() < copy.freshUntil && sets.isResident(copy.set)) {
        count('hit');
        return sendCopy(req, res, copy, 'hit');
      }
      const failing = copy.retryAt !== null;
      if (trusted || failing) {
        if (copy.retryAt === null || copy.retryAt <= now()) begin(req, page, set);
        count(failing ? 'rescued' : 'stale');
        return sendCopy(req, res, copy, failing ? 'hit; detail=stale-if-error' : 'hit');
      }
    }
    return fillFirst(req, res, next, page, set);
  };

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
    const { filled, collapsed } = begin(req, page, set);
    let result = fwd === 'fwd=stale' ? await soon(filled) : await filled;
    if (result === null) fills.postpone(page.key);
    if (result === null || result.kind === 'failure' || result.kind === 'nothing') {
      const last = usable(page.key);
      if (last) {
        count('rescued');
        const status = result === null ? '' : `; fwd-status=${result.kind === 'failure' ? result.answer.status : 503}`;
        return sendCopy(req, res, last, `${fwd}${status}; detail=stale-if-error`);
      }
    }
    // Too late for the visitor's patience, and what there was has been withdrawn meanwhile.
    result ??= await filled;
    const told = `${fwd}${collapsed ? '; collapsed' : ''}`;
    if (result.kind === 'copy') {
      count('miss');
      return sendCopy(req, res, result.copy, result.stored ? `${told}; stored` : told);
    }
    count(result.kind === 'answer' ? 'miss' : 'failed');
    if (result.kind === 'nothing') return next(result.error);
    // Its page names the host that it was asked for: what the visitor called us, not what we call ourselves.
    if (result.answer.status === 500 && req.headers.host !== host) return void set.upstream.proxy(req, res, next);
    res.setHeader('Cache-Status', `colonnade; ${told}`);
    return send(req, res, result.answer);
  }

  function sendCopy(req: Request, res: Response, copy: Copy, how: string): void | Promise<void> {
    // The visitor may have left while the shell was asked.
    if (res.destroyed) return;
    const time = now();
    const ttlS = Math.floor((copy.freshUntil - time) / 1000);
    res.setHeader('Cache-Status', `colonnade; ${how}; ttl=${isTrusted(copy) ? ttlS : Math.min(0, ttlS)}`);
    res.setHeader('Age', Math.floor((time - copy.askedAt) / 1000));
    return send(req, res, copy.answer);
  }

  return {
    handler,
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
