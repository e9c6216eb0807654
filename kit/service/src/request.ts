/** What every request gets before anything else: an id on every hop, one log line and one measurement. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { Histogram } from 'prom-client';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

declare global {
  namespace Express {
    interface Request {
      /** The id of the visitor's request, the same in each process it passes. Set by `requestContext`. */
      id: string;
    }
    interface Locals {
      /** What a handler without a route of its own (a proxy, a page renderer) is called in the metrics: one of a few names. */
      route?: string;
    }
  }
}

const knownId = /^[A-Za-z0-9_-]{8,64}$/;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Asked every few seconds by machines: they would drown the log. */
const quietPaths = new Set(['/livez', '/readyz', '/metrics']);

/** Gives a request its id (the caller's, where it looks like one) and, when it ends, writes its log line and measures it. */
export function requestContext({ log, metrics }: { log: Log; metrics: Metrics }): RequestHandler {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  return (req, res, next) => {
    const started = performance.now();
    const given = req.get('x-request-id');
    req.id = given !== undefined && knownId.test(given) ? given : randomUUID();
    res.setHeader('X-Request-Id', req.id);
    // 'close' comes in every case; 'finish' does not when the visitor has gone.
    res.once('close', () => {
      const ms = performance.now() - started;
      // 499 as nginx counts it: the caller left before there was an answer.
      const status = res.headersSent ? res.statusCode : 499;
      const method = methods.has(req.method) ? req.method : 'OTHER';
      duration.observe({ method, route: routeName(req, res), status }, ms / 1000);
      const path = (req.originalUrl.split('?', 1)[0] ?? '').slice(0, 200);
      if (quietPaths.has(path)) return;
      const aborted = res.writableFinished ? undefined : true;
      log.info({ method: req.method, path, status, ms: Math.round(ms * 10) / 10, requestId: req.id, aborted }, 'request');
    });
    next();
  };
}

/** The pattern of the route, never the path itself: a label must not take as many values as visitors can think of. */
function routeName(req: Request, res: Response): string {
  const route: unknown = req.route;
  if (res.locals.route !== undefined) return res.locals.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'unmatched';
}
