import type { Log } from '@colonnade/service/log';
import { methodNotAllowed, notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { requestContext } from '@colonnade/service/request';
import express, { type Express, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import { allowedHosts } from './middleware/allowed-hosts.ts';
import { canonicalPath } from './middleware/canonical-path.ts';
import { sameOrigin } from './middleware/same-origin.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { serverErrorPage } from './middleware/server-error-page.ts';
import type { ShellSets } from './shell-sets.ts';
import { createUpstream } from './upstream.ts';

export interface AppOptions {
  log: Log;
  metrics: Registry;
  /** The site's public origin. */
  origin: string;
  /** Host names beside the origin's own, lower case, without ports. */
  hosts: string[];
  upstreams: { news: string; inquiry: string };
  sets: ShellSets;
  deadlineMs: number;
  dev: boolean;
}

/** The public door: what happens to a request, in order. */
export function createApp({ log, metrics, origin, hosts, upstreams, sets, deadlineMs, dev }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  const news = createUpstream({ name: 'news', target: upstreams.news, deadlineMs, log });
  const inquiry = createUpstream({ name: 'inquiry', target: upstreams.inquiry, deadlineMs, log });

  app.use(requestContext({ log, metrics }));
  app.use(securityHeaders(origin));
  app.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').sendStatus(sets.available ? 200 : 503);
  });
  app.use(allowedHosts([new URL(origin).hostname, ...hosts]));
  app.use(canonicalPath);
  app.use(sameOrigin);

  app.route(['/api/news', '/api/news/:newsId']).get(named('/api/news', news)).all(methodNotAllowed('GET', 'HEAD'));
  app.route('/api/inquiries').post(named('/api/inquiries', inquiry)).all(methodNotAllowed('POST'));
  app.use('/api', notFoundHandler);
  app.use('/_mfe', methods('GET', 'HEAD'), whole(named('/_mfe', sets.forPage)));
  if (dev) app.get('/_dev/events', named('/_dev', sets.live));
  app.use(['/_mfe', '/_dev', '/_beacon', '/_preview'], notFoundHandler);
  app.use(methods('GET', 'HEAD', 'POST'), named('page', sets.forPage));

  app.use(serverErrorPage);
  app.use(problemHandler(log));
  return app;
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

/** Undoes what mounting does to `req.url`: upstreams get the path as the visitor sent it. */
function whole(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    req.url = req.originalUrl;
    return handler(req, res, next);
  };
}
