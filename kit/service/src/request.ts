/** What every request gets before anything else: an id on every hop, one log line and one measurement. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { Histogram } from 'prom-client';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { inTrace, type Trace, traceOf } from './trace.ts';

declare global {
  namespace Express {
    interface Request {
      /** The id of the visitor's request, the same in each process it passes. Set by `requestContext` or `requestId`. */
      id: string;
      /** The id of the trace that it is part of. Set by `requestContext`. */
      traceId?: string | undefined;
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

export interface RecordOptions {
  log: Log;
  metrics: Metrics;
  /** Behind the gateway, whose line tells the same: reads that went well are told at level `debug` only. */
  inner?: boolean;
}

/**
 * Says what the request's id is (the caller's, where it looks like one) and, when it ends, writes its log line and measures it.
 * @param route what it is called in the metrics; asked when it ends
 */
export type RecordRequest = (req: IncomingMessage & { traceId?: string | undefined }, res: ServerResponse, route: () => string) => string;

/** Once for each process: the measurement has one name. */
export function recordRequests({ log, metrics, inner = false }: RecordOptions): RecordRequest {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  return (req, res, route) => {
    const started = performance.now();
    const requestId = requestIdOf(req);
    const { method = '', url = '' } = req;
    // 'close' comes in every case; 'finish' does not when the visitor has gone.
    res.once('close', () => {
      const ms = performance.now() - started;
      // 499 as nginx counts it: the caller left before there was an answer.
      const status = res.headersSent ? res.statusCode : 499;
      duration.observe({ method: methods.has(method) ? method : 'OTHER', route: route(), status }, ms / 1000);
      const path = (url.split('?', 1)[0] ?? '').slice(0, 200);
      if (quietPaths.has(path)) return;
      const aborted = res.writableFinished ? undefined : true;
      const level = inner && status < 500 && (method === 'GET' || method === 'HEAD') ? 'debug' : 'info';
      log[level]({ method, path, status, ms: Math.round(ms * 10) / 10, requestId, traceId: req.traceId, aborted }, 'request');
    });
    return requestId;
  };
}

/**
 * Gives each request its id and its trace, and records it.
 * @param traceFor by default the caller's, who is one of us
 */
export function requestContext(
  record: RecordRequest,
  traceFor: (req: Request) => Trace | undefined = (req) => traceOf(req.headers.traceparent),
): RequestHandler {
  return (req, res, next) => {
    req.id = record(req, res, () => routeName(req, res));
    res.setHeader('X-Request-Id', req.id);
    const trace = traceFor(req);
    req.traceId = trace?.id;
    inTrace(trace, next);
  };
}

/** Only the id, for a port that machines ask: nothing is recorded. */
export const requestId: RequestHandler = (req, res, next) => {
  req.id = requestIdOf(req);
  res.setHeader('X-Request-Id', req.id);
  next();
};

function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && knownId.test(given) ? given : randomUUID();
}

/** The pattern of the route, never the path itself: a label must not take as many values as visitors can think of. */
function routeName(req: Request, res: Response): string {
  const route: unknown = req.route;
  if (res.locals.route !== undefined) return res.locals.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : 'unmatched';
}
