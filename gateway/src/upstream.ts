import { Agent, type IncomingMessage } from 'node:http';
import { Ending } from '@colonnade/service/ending';
import type { Log } from '@colonnade/service/log';
import { traceparent } from '@colonnade/service/trace';
import { connectionsTo, TooLarge, type WholeAnswer, wholeRequest } from '@colonnade/service/whole-request';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import { Registry } from 'prom-client';
import { Breaker } from './breaker.ts';
import { atItsLimit, leftAlone, UpstreamUnavailable } from './errors.ts';
import { answeredHeaders, forwardedHeaders } from './forwarded-headers.ts';
import { InFlight, NoPlace } from './in-flight.ts';
import { hasBody } from './middleware/ordinary-request.ts';
import { relay, setHead } from './relay.ts';
import { Culprit, withRetries } from './retries.ts';
import { tellTiming } from './server-timing.ts';
import { breakerLevel, type Refusal, refusals, removeUpstream, type UpstreamMetrics, upstreamMetrics } from './upstream-metrics.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The body of a POST, read whole before anything is sent on: empty where there is none, undefined only where nobody has read it. */
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
  /** How long a request waits for a place. Default: 500 ms. */
  queueMs?: number;
  metrics: UpstreamMetrics;
  log: Log;
  /** Whether a worker was killed because of that request. */
  wasCulprit?(requestId: string): boolean;
  /** Told of each request that got no answer, be it that nobody was there to answer. Not where there was no place, the visitor left or it ended its worker. */
  unanswered?(): void;
}

/** Its headers: with the internal ones, without those of the connection. */
export type UpstreamAnswer = WholeAnswer;

export interface WholeGet {
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
}

export interface Upstream {
  /** Passes a visitor's request on, with `res.locals.body`, and the answer back. Calls `next` with a Problem where there is none, with an Error where there is a body that nobody has read. */
  proxy: RequestHandler;
  /** The same for a page or its data, 2 MB at most: a GET or HEAD is answered at half the cost, once the answer is whole. */
  page: RequestHandler;
  /** A GET of the gateway's own. @throws UpstreamUnavailable (503) where there is no whole answer */
  fetch(request: WholeGet): Promise<UpstreamAnswer>;
  /** Where it is from now on. Requests that nobody has taken yet go there too. */
  moveTo(target: string): void;
  /** It is gone, and nothing is measured about it any more. Requests under way end as they would have. */
  forget(): void;
}

/** Of one page: no more is held of it at once. */
const maxPageBytes = 2_000_000;
/** Given to the rest of an answer when it was the visitor who had to be waited for. */
const slowVisitorMs = 20_000;
const visitorLeft = new Error('the visitor has left');

/** A request, from its arrival to its end. */
interface Flight {
  id: string;
  method: string;
  /** At the deadline, and when the visitor leaves. */
  ending: Ending;
}
/** What the one that carries a request can do about its limits. */
interface Controls {
  /** Tries it by the rules of `withRetries`, on a kept connection or on a new one. */
  tries<T>(attempt: (connection: 'pooled' | 'fresh') => Promise<T>): Promise<T>;
  /** The upstream has to wait for the visitor: somebody else may have the place. */
  stalled(): void;
  /** The answer is a stream without an end. */
  endless(): void;
}
/** One try to send a request through the proxy library. */
interface Attempt {
  ending: Ending;
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
  const { name, deadlineMs, maxInFlight, maxQueued, queueMs = 500, log, wasCulprit = () => false, unanswered = () => {} } = options;
  let { target, metrics } = options;
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
  // A counter that is absent until it counts hides its first increase from an alert on it.
  for (const reason of refusals) metrics.refused.inc({ upstream: name, reason }, 0);
  metrics.retries.inc({ upstream: name }, 0);

  // No limit of their own: a queue in an agent would know no deadline.
  const pooled = new Agent({ keepAlive: true, scheduling: 'lifo' });
  // A kept connection may be closing at this very moment. What must not be sent twice, and what was lost that way, gets a new one.
  const fresh = new Agent({ keepAlive: false });
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const proxies = { pooled: proxyThrough(pooled), fresh: proxyThrough(fresh) };
  let connections = connectionsOf(target);

  async function fly<T>({ id, method, ending }: Flight, carry: (controls: Controls) => Promise<T>): Promise<T> {
    const repeatable = isRead(method);
    const cut = () => ending.end(new Error('no whole answer in time'));
    let deadline = setTimeout(cut, deadlineMs);
    let land = () => {};
    let slowVisitor = false;
    try {
      land = await place(ending);
      if (!breaker.allows()) {
        unanswered();
        throw refused('breaker', leftAlone);
      }
      const result = await carry({
        tries: (attempt) =>
          withRetries((first) => attempt(first && repeatable ? 'pooled' : 'fresh'), {
            repeatable,
            wasCulprit: () => wasCulprit(id),
            ending,
            retrying: () => metrics.retries.inc({ upstream: name }),
          }),
        stalled() {
          // It has answered, and is ahead of the visitor: a probe that waits for one would keep all others waiting.
          if (!slowVisitor) breaker.succeeded();
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
      throw judged(ending.reason ?? error, { id, slowVisitor });
    } finally {
      clearTimeout(deadline);
      land();
    }
  }

  async function place(ending: Ending): Promise<() => void> {
    metrics.queued.inc({ upstream: name });
    try {
      const leave = await places.enter(ending);
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

  function refused(reason: Refusal, problem: UpstreamUnavailable): UpstreamUnavailable {
    metrics.refused.inc({ upstream: name, reason });
    return problem;
  }

  /** What a failure means: to the breaker, to the log, to whoever waits. */
  function judged(error: unknown, { id: requestId, slowVisitor }: { id: string; slowVisitor: boolean }): unknown {
    if (error instanceof UpstreamUnavailable) return error;
    // The upstream was judged when the visitor fell behind: else a few who take nothing would open the breaker for all.
    if (slowVisitor) return error;
    if (error === visitorLeft) {
      breaker.undecided();
      return error;
    }
    // One request's fault, not the upstream's.
    if (error instanceof Culprit || error instanceof TooLarge) breaker.undecided();
    else breaker.failed();
    if (!(error instanceof Culprit)) unanswered();
    log.warn({ upstream: name, requestId, err: error }, 'upstream failed');
    return new UpstreamUnavailable('does not answer', 5, error);
  }

  function proxyThrough(agent: Agent) {
    return createProxyMiddleware({
      router: () => target,
      agent,
      // Answers are handed on by `relay`: the library would set the visitor's `Connection` itself, and wait for slow readers.
      selfHandleResponse: true,
      // The others are for its log and its own error page.
      ejectPlugins: true,
      plugins: [proxyEventsPlugin],
      on: {
        proxyReq(proxied, req) {
          const attempt = attempts.get(req);
          if (!attempt || attempt.ending.reason) return void proxied.destroy();
          attempt.ending.onEnd((reason) => proxied.destroy(reason));
          // The request itself has been read to its end: the library pipes nothing more than that end.
          if (attempt.body?.length) proxied.write(attempt.body);
        },
        proxyRes(answer, req) {
          const attempt = attempts.get(req);
          attempt?.ending.onEnd((reason) => answer.destroy(reason));
          attempt?.answered(answer);
        },
        error: (error, req) => attempts.get(req)?.failed(error),
        econnreset: (error, req) => attempts.get(req)?.failed(error),
      },
    });
  }

  /** Carries a visitor's request for as long as the visitor stays. */
  function forVisitor(carry: (req: Request, res: Response, ending: Ending, controls: Controls) => Promise<void>): RequestHandler {
    return async (req, res, next) => {
      // While something else was waited for: nothing would tell of it any more.
      if (res.destroyed) return;
      const ending = new Ending();
      const leave = () => res.writableFinished || ending.end(visitorLeft);
      res.once('close', leave);
      try {
        await fly({ id: req.id, method: req.method, ending }, (controls) => carry(req, res, ending, controls));
      } catch (error) {
        if (error === visitorLeft) return;
        // Half an answer is out: cutting it is the only honest end.
        if (res.headersSent) res.destroy();
        else next(error);
      } finally {
        res.off('close', leave);
      }
    };
  }

  const passOn = forVisitor(async (req, res, ending, { tries, stalled, endless }) => {
    const { body } = res.locals;
    req.url = req.originalUrl;
    req.headers = forwardedHeaders(req, body?.length ?? 0);
    // The library adds listeners with each attempt; a refused connection is tried for as long as the deadline lets it.
    for (const emitter of [req, res]) emitter.setMaxListeners(0);
    const answer = await tries((agent) => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      attempts.set(req, { ending, body, answered: resolve, failed: reject });
      void proxies[agent](req, res);
      return promise;
    });
    if (answer.headers['content-type']?.startsWith('text/event-stream')) endless();
    await relay(answer, res, stalled);
  });

  const proxy: RequestHandler = (req, res, next) => {
    // The library would pipe it on after a head that tells another length. Whoever forgets `wholeBody` on a route learns it here.
    if (res.locals.body === undefined && (!isRead(req.method) || hasBody(req.headers))) return next(new Error('nobody has read the body'));
    return passOn(req, res, next);
  };

  const readPage = forVisitor(async (req, res, ending, { tries }) => {
    const request = { method: req.method as 'GET' | 'HEAD', path: req.originalUrl, headers: forwardedHeaders(req, 0) };
    const askedAt = performance.now();
    const { status, headers, body } = await tries((kind) => wholeRequest(connections[kind], request, { ending, maxBytes: maxPageBytes }));
    setHead(res, status, headers);
    tellTiming(res, askedAt);
    res.end(body);
  });

  return {
    proxy,
    page: (req, res, next) => (isRead(req.method) ? readPage : proxy)(req, res, next),
    fetch: ({ path, headers }) => {
      const ending = new Ending();
      const request = { method: 'GET', path, headers: { ...headers, ...traceparent() } } as const;
      return fly({ id: headers['x-request-id'] ?? '', method: 'GET', ending }, async ({ tries }) => {
        const answer = await tries((kind) => wholeRequest(connections[kind], request, { ending, maxBytes: maxPageBytes }));
        return { ...answer, headers: answeredHeaders(answer.headers) };
      });
    },
    moveTo(next) {
      target = next;
      connections = connectionsOf(next);
      // What failed where it was says nothing of where it is.
      breaker.succeeded();
    },
    forget() {
      removeUpstream(metrics, name);
      // What ends later is counted where nobody looks.
      metrics = upstreamMetrics(new Registry());
    },
  };
}

function connectionsOf(target: string): Record<'pooled' | 'fresh', ReturnType<typeof connectionsTo>> {
  return { pooled: connectionsTo(target), fresh: connectionsTo(target, { kept: false }) };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
