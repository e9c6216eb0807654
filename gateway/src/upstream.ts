import { Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Log } from '@colonnade/service/log';
import type { RequestHandler } from 'express';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { Breaker } from './breaker.ts';
import { atItsLimit, leftAlone, UpstreamUnavailable } from './errors.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { InFlight, NoPlace } from './in-flight.ts';
import { relay } from './relay.ts';
import { Culprit, withRetries } from './retries.ts';
import { breakerLevel, type UpstreamMetrics } from './upstream-metrics.ts';
import { wholeGet } from './whole-get.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The body of a POST, read whole before anything is sent on. */
      body?: Buffer;
    }
  }
}

export interface UpstreamOptions {
  name: string;
  /** Base URL without a path. */
  target: string;
  /** Total time of a request from its arrival here, in milliseconds: neither bytes that trickle in nor retries extend it. */
  deadlineMs: number;
  /** Requests under way at once. */
  maxInFlight: number;
  /** Requests that wait for a place; one more is refused at once. */
  maxQueued: number;
  metrics: UpstreamMetrics;
  log: Log;
  /** Whether a worker was killed because of that request. */
  wasCulprit?(requestId: string): boolean;
  /** Told of each request that got no answer, be it that nobody was there to answer. Not where there was no place, the visitor left or it ended its worker. */
  unanswered?(): void;
}

export interface UpstreamAnswer {
  status: number;
  /** With the internal ones, without those of the connection. */
  headers: IncomingHttpHeaders;
  body: Buffer;
}
export interface WholeGet {
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
}

export interface Upstream {
  /** Passes a visitor's request on, with `res.locals.body`, and the answer back. Calls `next` with a Problem where there is none. */
  proxy: RequestHandler;
  /** A GET of the gateway's own. @throws UpstreamUnavailable (503) where there is no whole answer */
  fetch(request: WholeGet): Promise<UpstreamAnswer>;
}

/** How long a request waits for a place. */
const queueMs = 500;
/** Given to the rest of an answer when it was the visitor who had to be waited for. */
const slowVisitorMs = 20_000;
const visitorLeft = new Error('the visitor has left');

/** A request, from its arrival to its end. */
interface Flight {
  id: string;
  method: string;
  /** Aborts at the deadline and when the visitor leaves. */
  ending: AbortController;
}
/** What the one that carries a request can do about its limits. */
interface Controls {
  /** Tries it by the rules of `withRetries`, through one of the two agents. */
  tries<T>(attempt: (agent: 'pooled' | 'fresh') => Promise<T>): Promise<T>;
  /** The upstream has to wait for the visitor: somebody else may have the place. */
  stalled(): void;
  /** The answer is a stream without an end. */
  endless(): void;
}
/** One try to send a request through the proxy library. */
interface Attempt {
  signal: AbortSignal;
  body: Buffer | undefined;
  answered(answer: IncomingMessage): void;
  failed(error: Error): void;
}

/**
 * Sends requests to one upstream through a pool, a queue, a deadline and a breaker of its own, so that its trouble is
 * nobody else's. A visitor's request goes on with its method, path, query and Host; what is said about the visitor's
 * connection is said anew by this gateway.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { name, target, deadlineMs, maxInFlight, maxQueued, metrics, log, wasCulprit = () => false, unanswered = () => {} } = options;
  const places = new InFlight({ max: maxInFlight, maxQueued, waitMs: queueMs });
  const breaker = new Breaker({
    failures: 5,
    openMs: 1000,
    changed(state) {
      metrics.breaker.set({ upstream: name }, breakerLevel[state]);
      log.warn({ upstream: name, state }, 'breaker');
    },
  });
  metrics.breaker.set({ upstream: name }, breakerLevel.closed);

  // No limit of their own: a queue in an agent would know no deadline.
  const pooled = new Agent({ keepAlive: true, scheduling: 'lifo' });
  // A kept connection may be closing at this very moment. What must not be sent twice, and what was lost that way, gets a new one.
  const fresh = new Agent({ keepAlive: false });
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const proxies = { pooled: proxyThrough(pooled), fresh: proxyThrough(fresh) };

  async function fly<T>({ id, method, ending }: Flight, carry: (controls: Controls) => Promise<T>): Promise<T> {
    const repeatable = method === 'GET' || method === 'HEAD';
    const cut = () => ending.abort(new Error('no whole answer in time'));
    let deadline = setTimeout(cut, deadlineMs);
    let land = () => {};
    let slowVisitor = false;
    try {
      land = await place(ending.signal);
      if (!breaker.allows()) {
        unanswered();
        throw refused('breaker', leftAlone);
      }
      const result = await carry({
        tries: (attempt) =>
          withRetries((first) => attempt(first && repeatable ? 'pooled' : 'fresh'), {
            repeatable,
            wasCulprit: () => wasCulprit(id),
            signal: ending.signal,
            retrying: () => metrics.retries.inc({ upstream: name }),
          }),
        stalled() {
          slowVisitor = true;
          land();
          clearTimeout(deadline);
          deadline = setTimeout(cut, slowVisitorMs);
        },
        endless() {
          land();
          clearTimeout(deadline);
          breaker.succeeded();
        },
      });
      breaker.succeeded();
      return result;
    } catch (error) {
      throw judged(ending.signal.aborted ? ending.signal.reason : error, { id, slowVisitor });
    } finally {
      clearTimeout(deadline);
      land();
    }
  }

  async function place(signal: AbortSignal): Promise<() => void> {
    metrics.queued.inc({ upstream: name });
    try {
      const leave = await places.enter(signal);
      metrics.inFlight.inc({ upstream: name });
      let left = false;
      return () => {
        if (left) return;
        left = true;
        metrics.inFlight.dec({ upstream: name });
        leave();
      };
    } catch (error) {
      throw error instanceof NoPlace ? refused(error.reason, atItsLimit) : error;
    } finally {
      metrics.queued.dec({ upstream: name });
    }
  }

  function refused(reason: string, problem: UpstreamUnavailable): UpstreamUnavailable {
    metrics.refused.inc({ upstream: name, reason });
    return problem;
  }

  /** What a failure means: to the breaker, to the log, to whoever waits. */
  function judged(error: unknown, { id: requestId, slowVisitor }: { id: string; slowVisitor: boolean }): unknown {
    if (error instanceof UpstreamUnavailable) return error;
    // One who takes nothing says nothing of the upstream: else a few of them would open the breaker for all.
    if (error === visitorLeft || slowVisitor) {
      breaker.undecided();
      return error;
    }
    // One request's fault, not the upstream's.
    if (error instanceof Culprit) breaker.undecided();
    else {
      breaker.failed();
      unanswered();
    }
    log.warn({ upstream: name, requestId, err: error }, 'upstream failed');
    return new UpstreamUnavailable('does not answer', 5, error);
  }

  function proxyThrough(agent: Agent) {
    return createProxyMiddleware({
      target,
      agent,
      // Answers are handed on by `relay`: the library would set the visitor's `Connection` itself, and wait for slow readers.
      selfHandleResponse: true,
      // The others are for its log and its own error page.
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq(proxied, req) {
          const attempt = attempts.get(req);
          if (!attempt || attempt.signal.aborted) return void proxied.destroy();
          attempt.signal.addEventListener('abort', () => proxied.destroy(attempt.signal.reason));
          // The request itself has been read to its end: the library pipes nothing more than that end.
          if (attempt.body?.length) proxied.write(attempt.body);
        },
        proxyRes(answer, req) {
          const attempt = attempts.get(req);
          attempt?.signal.addEventListener('abort', () => answer.destroy(attempt.signal.reason));
          attempt?.answered(answer);
        },
        error: (error, req) => attempts.get(req)?.failed(error),
        econnreset: (error, req) => attempts.get(req)?.failed(error),
      },
    });
  }

  return {
    async proxy(req, res, next) {
      const ending = new AbortController();
      const { signal } = ending;
      const { body } = res.locals;
      const leave = () => res.writableFinished || ending.abort(visitorLeft);
      res.once('close', leave);
      try {
        await fly({ id: req.id, method: req.method, ending }, async ({ tries, stalled, endless }) => {
          req.url = req.originalUrl;
          req.headers = forwardedHeaders(req, body?.length ?? 0);
          // The library adds listeners with each attempt; a refused connection is tried for as long as the deadline lets it.
          for (const emitter of [req, res]) emitter.setMaxListeners(0);
          const answer = await tries((agent) => {
            const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
            attempts.set(req, { signal, body, answered: resolve, failed: reject });
            void proxies[agent](req, res);
            return promise;
          });
          if (answer.headers['content-type']?.startsWith('text/event-stream')) endless();
          await relay(answer, res, stalled);
        });
      } catch (error) {
        if (error === visitorLeft) return;
        // Half an answer is out: cutting it is the only honest end.
        if (res.headersSent) res.destroy();
        else next(error);
      } finally {
        res.off('close', leave);
      }
    },
    fetch: ({ path, headers }) => {
      const ending = new AbortController();
      return fly({ id: headers['x-request-id'] ?? '', method: 'GET', ending }, ({ tries }) =>
        tries((agent) => wholeGet(target, { path, headers }, { agent: agent === 'pooled' ? pooled : fresh, signal: ending.signal })),
      );
    },
  };
}
