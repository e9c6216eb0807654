import type { RequestListener } from 'node:http';
import type { Log } from '@colonnade/service/log';
import { methodNotAllowed, notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { recordRequests, requestContext } from '@colonnade/service/request';
import { newTrace, type Trace, traceOf } from '@colonnade/service/trace';
import express, { type Request, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import { allowedHosts } from './middleware/allowed-hosts.ts';
import { canonicalPath } from './middleware/canonical-path.ts';
import { floodLimit } from './middleware/flood-limit.ts';
import { ordinaryRequest } from './middleware/ordinary-request.ts';
import { sameOrigin } from './middleware/same-origin.ts';
import { securityFields, securityHeaders } from './middleware/security-headers.ts';
import { serverErrorPage } from './middleware/server-error-page.ts';
import { upstreamUnavailable } from './middleware/upstream-unavailable.ts';
import { wholeBody } from './middleware/whole-body.ts';
import { type CopiesFirstOptions, copiesFirst } from './page-cache/copies-first.ts';
import type { ShellSets } from './shell-sets.ts';
import type { Upstream } from './upstream.ts';

export interface AppOptions {
  log: Log;
  metrics: Registry;
  /** The site's public origin. */
  origin: string;
  /** Host names beside the origin's own, lower case, without ports. */
  hosts: string[];
  trustedProxies: string[];
  /** Requests of one address in a minute; 0: no limit. */
  floodPerMinute: number;
  services: { news: Upstream; inquiry: Upstream };
  sets: Pick<ShellSets, 'available' | 'forFile' | 'known' | 'live'>;
  /** Answers page requests: from a copy, or from the shell. */
  pages: RequestHandler;
  /** Where copies are kept: what is answered from them before all the rest. */
  first?: Pick<CopiesFirstOptions, 'copies' | 'count' | 'isDivided'>;
  /** Takes what browsers report, as `res.locals.body`. */
  beacon: RequestHandler;
  /** Turns a link to a preview into the visitor's cookie. */
  preview: RequestHandler;
  dev: boolean;
}

const apiBodyBytes = 128 * 1024;
/** Only a proxy that may say who the visitor is may say which request and which trace this is: fences and logs tell requests apart by it. */
const ids = ['x-request-id', 'traceparent'];
/** As much as a form of the shell's takes. */
const pageBodyBytes = 64 * 1024;
const beaconBodyBytes = 2048;

/** The public door: what happens to a request, in order. */
export function createApp({
  log,
  metrics,
  origin,
  hosts,
  trustedProxies,
  floodPerMinute,
  services,
  sets,
  pages,
  first,
  beacon,
  preview,
  dev,
}: AppOptions): RequestListener {
  const record = recordRequests({ log, metrics });
  const names = new Set([new URL(origin).hostname, ...hosts]);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // A path has one spelling here too.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustedProxies.length > 0 && trustedProxies);

  app.use(requestContext(record, traceFor));
  app.use(securityHeaders(origin));
  app.use(ordinaryRequest);
  app.get('/healthz', sets.known, (_req, res) => {
    res.set('Cache-Control', 'no-store').sendStatus(sets.available ? 200 : 503);
  });
  if (floodPerMinute > 0) app.use(floodLimit({ perMinute: floodPerMinute, exemptLoopback: trustedProxies.length === 0 }));
  app.use(allowedHosts(names));
  app.use(canonicalPath);
  app.use(sameOrigin);

  app.route(['/api/news', '/api/news/:newsId']).get(named('/api/news', services.news.proxy)).all(methodNotAllowed('GET', 'HEAD'));
  app.route('/api/inquiries').post(wholeBody(apiBodyBytes), named('/api/inquiries', services.inquiry.proxy)).all(methodNotAllowed('POST'));
  app.use('/api', notFoundHandler);
  app.use(sets.known);
  app.use('/_mfe', methods('GET', 'HEAD'), named('/_mfe', sets.forFile));
  if (dev) app.get('/_dev/events', named('/_dev', sets.live));
  app.route('/_beacon').post(wholeBody(beaconBodyBytes), named('/_beacon', beacon)).all(methodNotAllowed('POST'));
  app.use('/_preview', methods('GET', 'HEAD'), named('/_preview', preview));
  app.use(['/_mfe', '/_dev', '/_beacon', '/_preview'], notFoundHandler);
  app.use(methods('GET', 'HEAD', 'POST'));
  // The braces: `/*page` alone is every path but `/`.
  app.post('/{*page}', wholeBody(pageBodyBytes));
  app.use(named('page', pages));

  app.use(serverErrorPage);
  app.use(upstreamUnavailable);
  app.use(problemHandler(log));
  const isTrusted: (address: string | undefined, hop: number) => boolean = app.get('trust proxy fn');
  const serve = first ? copiesFirst(app, { ...first, hosts: names, fields: securityFields(origin), record }) : app;
  return (req, res) => {
    for (const name of ids) if (name in req.headers && !isTrusted(req.socket.remoteAddress, 0)) delete req.headers[name];
    serve(req, res);
  };
}

function traceFor(req: Request): Trace {
  return traceOf(req.headers.traceparent) ?? newTrace();
}

function named(route: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    res.locals.route = route;
    return handler(req, res, next);
  };
}

function methods(...allowed: string[]): RequestHandler {
  const refuse = methodNotAllowed(...allowed);
  return (req, res, next) => (allowed.includes(req.method) ? next() : refuse(req, res, next));
}
