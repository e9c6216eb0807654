/** What happens to a request, in order. */
import { type Database, databaseErrors } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { Metrics } from '@colonnade/service/metrics';
import { opsRoutes } from '@colonnade/service/ops';
import { methodNotAllowed, notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { requestContext } from '@colonnade/service/request';
import express, { type Express } from 'express';
import { invalidQuery, newsNotFound } from './errors.ts';
import { listQuerySchema, newsDetailSchema, newsIdSchema, newsListSchema } from './schema.ts';
import { NewsStore } from './store.ts';

export interface NewsAppOptions {
  database: Database;
  log: Log;
  metrics: Metrics;
  version: string;
}

/** The news service as an Express application. */
export function newsApp({ database, log, metrics, version }: NewsAppOptions): Express {
  const store = new NewsStore(database.db);
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');

  app.use(requestContext({ log, metrics }));
  app.use(opsRoutes({ name: 'news', version, checks: { mongodb: database.ping }, registry: metrics }));

  app.get('/api/news', database.gate, async (req, res) => {
    const query = listQuerySchema.safeParse(req.query);
    if (!query.success) throw invalidQuery(query.error);
    res.json(newsListSchema.parse(await database.within(store.list(query.data))));
  });
  app.get('/api/news/:newsId', database.gate, async (req, res) => {
    const newsId = newsIdSchema.safeParse(req.params.newsId);
    const item = newsId.success ? await database.within(store.detail(newsId.data)) : null;
    if (item === null) throw newsNotFound();
    res.json(newsDetailSchema.parse(item));
  });
  app.all(['/api/news', '/api/news/:newsId'], methodNotAllowed('GET', 'HEAD'));

  app.use(notFoundHandler);
  app.use(databaseErrors);
  app.use(problemHandler(log));
  return app;
}
