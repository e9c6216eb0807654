/** What happens to a request, in order. */
import { type Database, databaseErrors } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { Metrics } from '@colonnade/service/metrics';
import { opsRoutes } from '@colonnade/service/ops';
import { methodNotAllowed, notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { recordRequests, requestContext } from '@colonnade/service/request';
import express, { type Express, type Response } from 'express';
import { latestSchema, movedSchema, newsDetailSchema, newsListSchema, publishedSchema } from './answers.ts';
import { changeFeed } from './changes.ts';
import { invalidQuery, newsGone, newsNotFound } from './errors.ts';
import { newsOpenapi } from './operations.ts';
import { latestQuerySchema, listQuerySchema, newsIdSchema, publishedQuerySchema } from './schema.ts';
import { staffRoutes } from './staff-routes.ts';
import { NewsStore } from './store.ts';

/** Two changes in one second have one Last-Modified: it is told when that second has passed. */
const settledMs = 2000;

export interface NewsAppOptions {
  database: Database;
  log: Log;
  metrics: Metrics;
  version: string;
  /** Told when something was scheduled. */
  onScheduled?: () => void;
  /** Wrong staff tokens from one address; see `requireStaff`. */
  attemptsPerMinute?: number;
}

/** The news service as an Express application. */
export function newsApp({ database, log, metrics, version, onScheduled = () => {}, attemptsPerMinute }: NewsAppOptions): Express {
  const store = new NewsStore(database.db);
  const openapi = newsOpenapi(version);
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');

  app.use(requestContext(recordRequests({ log, metrics, inner: true })));
  app.use(opsRoutes({ name: 'news', version, checks: { mongodb: database.ping }, registry: metrics }));

  app.get('/api/news', database.gate, async (req, res) => {
    const query = listQuerySchema.safeParse(req.query);
    if (!query.success) throw invalidQuery(query.error);
    const { list, changedAt } = await database.within(store.list(query.data));
    conditional(res, changedAt).json(newsListSchema.parse(list));
  });
  app.get('/api/news/:newsId', database.gate, async (req, res) => {
    const newsId = newsIdSchema.safeParse(req.params.newsId);
    const found = newsId.success ? await database.within(store.find(newsId.data)) : null;
    if (found === null) throw newsNotFound();
    if (found === 'gone') throw newsGone();
    if ('moved' in found) {
      res.status(301).location(`/api/news/${found.moved}`).set('Cache-Control', 'no-cache');
      res.json(movedSchema.parse({ newsId: found.moved }));
      return;
    }
    conditional(res, found.changedAt).json(newsDetailSchema.parse(found.detail));
  });
  // What a page shows beside its own content asks for no more than it shows. For the shell only, as are the addresses below: the gateway
  // does not expose them.
  app.get('/latest', database.gate, async (req, res) => {
    const query = latestQuerySchema.safeParse(req.query);
    if (!query.success) throw invalidQuery(query.error);
    res.json(latestSchema.parse(await database.within(store.latest(query.data.limit))));
  });
  // For the sitemap.
  app.get('/published', database.gate, async (req, res) => {
    const query = publishedQuerySchema.safeParse(req.query);
    if (!query.success) throw invalidQuery(query.error);
    res.json(publishedSchema.parse(await database.within(store.published(query.data.after))));
  });
  app.get('/changes', database.gate, changeFeed({ db: database.db, log }));
  app.get('/openapi.json', (_req, res) => void res.json(openapi));
  app.all(['/api/news', '/api/news/:newsId', '/latest', '/published', '/changes', '/openapi.json'], methodNotAllowed('GET', 'HEAD'));

  app.use('/staff', staffRoutes({ database, onScheduled, attemptsPerMinute }));

  app.use(notFoundHandler);
  app.use(databaseErrors);
  app.use(problemHandler(log));
  return app;
}

/** An answer may change with any item (counts, neighbours): its date is that of the last change of all. Express adds the ETag and the 304. */
function conditional(res: Response, changedAt: Date): Response {
  res.set('Cache-Control', 'no-cache');
  return Date.now() - changedAt.getTime() < settledMs ? res : res.set('Last-Modified', changedAt.toUTCString());
}
