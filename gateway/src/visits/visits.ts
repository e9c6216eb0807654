import { Problem, sendProblem } from '@colonnade/service/problem';
import type { Request, RequestHandler, Response } from 'express';
import { dataSetOf } from '../data-request.ts';
import { UpstreamUnavailable } from '../errors.ts';
import { Culprit } from '../retries.ts';
import type { SetKind, ShellSets } from '../shell-sets.ts';
import { bucketOf } from './bucket.ts';
import { type Cookie, setCookie } from './cookies.ts';
import { ownAnswer } from './own-answer.ts';
import type { Previews } from './previews.ts';

export interface VisitsOptions {
  sets: Pick<ShellSets, 'choose' | 'live' | 'canary' | 'preview' | 'kindOf'>;
  /** Answers from a copy, or from the set that `ShellSets` chooses. */
  pages: RequestHandler;
  previews: Pick<Previews, 'seenBy' | 'set'>;
  https: boolean;
  /** Counts a page view. */
  count(kind: SetKind, status: number): void;
}

/** Where a page request goes, and whose its answer is. */
interface Visit {
  kind: SetKind;
  /** Asks a set directly: no copy is kept of what it answers. Null: `pages` answers. */
  ask: RequestHandler | null;
  /** Of an answer that is this visitor's alone; null: it is everybody's. */
  own: { cookies: Cookie[]; storable: boolean } | null;
}

/**
 * Gives each visitor their release set: that of the preview they hold a token for, else the one that a data request
 * names, else the canary for the buckets below its percentage, else the live one.
 * @see docs/decisions/0021-canary-buckets-and-previews.md
 */
export function visits({ sets, pages, previews, https, count }: VisitsOptions): RequestHandler {
  return async (req, res, next) => {
    // A preview is all that can fail to be chosen.
    let kind: SetKind = 'preview';
    res.once('close', () => {
      if (res.headersSent) count(kind, res.statusCode);
    });
    let visit: Visit;
    try {
      visit = isData(req) ? forData(req) : await forDocument(req);
    } catch (error) {
      // Not the page that says that the site is away: the preview is.
      return error instanceof Problem ? sendProblem(req, res, error) : next(error);
    }
    const { ask, own } = visit;
    kind = visit.kind;
    if (own) ownAnswer(res, { cookies: own.cookies.map((cookie) => setCookie(cookie, https)), storable: own.storable });
    if (!ask) return pages(req, res, next);
    if (req.method !== 'POST') res.setHeader('Cache-Status', 'colonnade; fwd=bypass');
    return ask(req, res, (error) => {
      if (kind !== 'canary' || !mayComeFromLive(req, res, error)) return next(error);
      kind = 'live';
      res.removeHeader('Cache-Status');
      pages(req, res, next);
    });
  };

  async function forDocument(req: Request): Promise<Visit> {
    const { release, deletion } = previews.seenBy(req);
    if (release !== null) {
      const { upstream } = await previews.set(release);
      return { kind: 'preview', ask: upstream.page, own: { cookies: [], storable: false } };
    }
    const cookies = deletion ? [deletion] : [];
    const { canary } = sets;
    if (!canary) return { kind: 'live', ask: null, own: deletion ? { cookies, storable: true } : null };
    const { bucket, cookie } = bucketOf(req);
    if (cookie) cookies.push(cookie);
    // The live page too: a shared cache that has it would give it to those in the canary.
    const own = { cookies, storable: true };
    return bucket < canary.percent ? { kind: 'canary', ask: canary.set.upstream.page, own } : { kind: 'live', ask: null, own };
  }

  function forData(req: Request): Visit {
    const chosen = sets.choose(req);
    const kind = chosen ? sets.kindOf(chosen.id) : 'live';
    if (chosen && kind === 'canary') return { kind, ask: chosen.upstream.page, own: { cookies: [], storable: true } };
    if (!chosen || kind !== 'preview') return { kind, ask: null, own: null };
    const own = { cookies: [], storable: false };
    const { release } = previews.seenBy(req);
    if (release !== null && sets.preview(release)?.id === chosen.id) return { kind, ask: chosen.upstream.page, own };
    // Whose token has expired, or who only knows the set's id, is told by the live one to load the document.
    return { kind: 'live', ask: sets.live, own };
  }
}

/** A canary that gives no answer is no reason for its visitors to go without a page; unless it was this very request that ended its worker. */
function mayComeFromLive(req: Request, res: Response, error: unknown): boolean {
  const unavailable = error instanceof UpstreamUnavailable && !(error.cause instanceof Culprit);
  return unavailable && req.method !== 'POST' && !isData(req) && !res.headersSent;
}

function isData({ originalUrl }: Request): boolean {
  return dataSetOf(originalUrl) !== null;
}
