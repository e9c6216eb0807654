import { Agent, type ClientRequest } from 'node:http';
import type { Log } from '@colonnade/service/log';
import { Problem } from '@colonnade/service/problem';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Breaker } from './breaker.ts';

/** Never forwarded in either direction: they concern one connection, or are said by this gateway only. */
const notForwarded = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade|forwarded|x-forwarded-.*|x-real-ip|x-colonnade-.*|x-powered-by)$/;

export interface UpstreamOptions {
  name: string;
  /** Base URL without a path. */
  target: string;
  /** Total time of a request, in milliseconds: bytes that trickle in do not extend it. */
  deadlineMs: number;
  /** Requests under way at once; one more is refused at once instead of queueing. */
  maxInFlight?: number;
  log: Log;
}

/** One proxied request. */
interface Flight {
  next: NextFunction;
  proxied?: ClientRequest;
  deadline?: NodeJS.Timeout;
  /** A refused connection is tried once more: nothing was sent on it. */
  retried: boolean;
}

/**
 * Proxies to one upstream through a connection pool, a deadline, a cap and a breaker of its own, so that its trouble is
 * nobody else's. The request goes on with the visitor's method, path, query and Host; everything said about the
 * visitor's connection is said anew by this gateway.
 */
export function createUpstream({ name, target, deadlineMs, maxInFlight = 256, log }: UpstreamOptions): RequestHandler {
  const flights = new Map<Request, Flight>();
  const breaker = new Breaker({ failures: 5, openMs: 1000, changed: (state) => log.warn({ upstream: name, state }, 'breaker') });
  const proxy = createProxyMiddleware<Request, Response>({
    target,
    agent: new Agent({ keepAlive: true, maxSockets: maxInFlight, scheduling: 'lifo' }),
    xfwd: false,
    changeOrigin: false,
    on: {
      proxyReq(proxied, req) {
        const flight = flights.get(req);
        if (flight) flight.proxied = proxied;
        // With `Expect: 100-continue` Node has sent the headers already.
        if (proxied.headersSent) return;
        for (const header of proxied.getHeaderNames())
          if (notForwarded.test(header) && header !== 'connection') proxied.removeHeader(header);
        proxied.setHeader('X-Request-Id', req.id);
        proxied.setHeader('X-Forwarded-For', req.socket.remoteAddress ?? '');
      },
      proxyRes(answer, req) {
        breaker.succeeded();
        // An event stream has no end to wait for.
        if (answer.headers['content-type']?.startsWith('text/event-stream')) clearTimeout(flights.get(req)?.deadline);
        for (const header of Object.keys(answer.headers)) if (notForwarded.test(header)) delete answer.headers[header];
      },
      error: (error, req, res) => failed(error, req, res as Response),
    },
  });

  return (req, res, next) => {
    if (flights.size >= maxInFlight) return next(unavailable('is at its limit', 1));
    if (!breaker.allows()) return next(unavailable('does not answer', 1));
    const flight: Flight = { next, retried: false };
    flights.set(req, flight);
    flight.deadline = setTimeout(() => flight.proxied?.destroy(new Error(`no whole answer within ${deadlineMs} ms`)), deadlineMs);
    res.once('close', () => {
      clearTimeout(flight.deadline);
      flights.delete(req);
      if (!res.headersSent) breaker.undecided();
      // The visitor has left, or has everything: nobody waits for the rest.
      flight.proxied?.destroy();
    });
    return proxy(req, res, next);
  };

  function failed(error: NodeJS.ErrnoException, req: Request, res: Response): void {
    const flight = flights.get(req);
    if (!flight || res.destroyed) return;
    if (error.code === 'ECONNREFUSED' && !flight.retried && hasNoBody(req)) {
      flight.retried = true;
      proxy(req, res, flight.next);
      return;
    }
    breaker.failed();
    log.warn({ upstream: name, requestId: req.id, err: error }, 'upstream failed');
    // Half an answer is out: cutting it is the only honest end.
    if (res.headersSent) res.destroy();
    else flight.next(unavailable('does not answer', 5, error));
  }
}

function hasNoBody({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function unavailable(what: string, retryAfterS: number, cause?: Error): Problem {
  return new Problem(503, 'Service unavailable', {
    detail: `A part of this site ${what}. Please try again shortly.`,
    headers: { 'Retry-After': String(retryAfterS) },
    cause,
  });
}
