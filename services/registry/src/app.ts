/** What happens to a request, in order. */
import { type Database, databaseErrors } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { Metrics } from '@colonnade/service/metrics';
import { opsRoutes } from '@colonnade/service/ops';
import { notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { recordRequests, requestContext } from '@colonnade/service/request';
import express, { type Express } from 'express';
import { refuseBrowsers } from './body.ts';
import { refusals } from './errors.ts';
import { registryOpenapi } from './operations.ts';
import { operatorRoutes } from './operator-routes.ts';
import type { Registry } from './parts.ts';
import { publishRoutes } from './publish-routes.ts';
import { readingRoutes } from './reading-routes.ts';
import { shellRoutes } from './shell-routes.ts';

export interface RegistryAppOptions {
  registry: Registry;
  database: Database;
  log: Log;
  metrics: Metrics;
  version: string;
  /** Wrong operator tokens from one address; see `requireStaff`. */
  attemptsPerMinute?: number;
  /** See `requireShell`. */
  shellToken?: string | undefined;
}

/** The registry as an Express application. */
export function registryApp({ registry, database, log, metrics, version, attemptsPerMinute, shellToken }: RegistryAppOptions): Express {
  const { within, gate } = database;
  const openapi = registryOpenapi(version);
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');

  app.use(requestContext(recordRequests({ log, metrics })));
  app.use(opsRoutes({ name: 'registry', version, checks: { mongodb: database.ping }, registry: metrics }));
  app.get('/openapi.json', (_req, res) => void res.json(openapi));
  app.use(refuseBrowsers, gate, (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  // All on the application itself: a router of its own would answer OPTIONS for the methods it knows of.
  readingRoutes(app, { ...registry, within });
  shellRoutes(app, { ...registry, within, shellToken });
  publishRoutes(app, { publishing: registry.publishing, within });
  operatorRoutes(app, { ...registry, database, attemptsPerMinute });

  app.use(notFoundHandler);
  app.use(refusals);
  app.use(databaseErrors);
  app.use(problemHandler(log));
  return app;
}
