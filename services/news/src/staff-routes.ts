/** The desk: what the company's editors do with news, on this service's own port. */
import type { Database } from '@colonnade/service/database';
import { jsonBody } from '@colonnade/service/json-body';
import { methodNotAllowed } from '@colonnade/service/problem';
import { requireStaff } from '@colonnade/service/staff';
import { type Request, type Response, Router } from 'express';
import type { z } from 'zod';
import { deskItemSchema, deskListSchema, versionListSchema, versionSchema } from './answers.ts';
import { Desk, type Target } from './desk.ts';
import { DeskReader, deskItem } from './desk-reader.ts';
import type { NewsDocument } from './documents.ts';
import { badIfMatch, invalidBody, invalidQuery, itemNotFound, needsIfMatch, notInFuture, versionNotFound } from './errors.ts';
import {
  changeSchema,
  deskQuerySchema,
  draftSchema,
  ifMatchPattern,
  newsIdSchema,
  renameSchema,
  scheduleSchema,
  versionParams,
  versionsQuerySchema,
} from './schema.ts';

/** 100,000 Japanese characters are 300 kB. */
const json = jsonBody('512kb');

export interface StaffRoutesOptions {
  database: Database;
  /** Told when something was scheduled. */
  onScheduled: () => void;
  attemptsPerMinute?: number;
}

/** Routes below `/staff`; all of them need a token of an editor or an admin. */
export function staffRoutes({ database, onScheduled, attemptsPerMinute }: StaffRoutesOptions): Router {
  const desk = new Desk(database.db, database.client);
  const reader = new DeskReader(database.db);
  const { within } = database;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(database.gate, requireStaff({ database, realm: 'news', roles: ['editor', 'admin'], attemptsPerMinute }));
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });

  router.get('/news', async (req, res) => {
    res.json(deskListSchema.parse(await within(reader.list(query(deskQuerySchema, req)))));
  });
  router.post('/news', json, async (req, res) => {
    const document = await within(desk.create(body(draftSchema, req), req.staff));
    res.location(`/staff/news/${document.newsId}`);
    sendItem(res.status(201), document);
  });
  router.all('/news', methodNotAllowed('GET', 'HEAD', 'POST'));

  router.get('/news/:newsId', async (req, res) => sendItem(res, await found(req)));
  router.put('/news/:newsId', json, async (req, res) => {
    const change = body(changeSchema, req);
    sendItem(res, await within(desk.change(await target(req), change)));
  });
  router.all('/news/:newsId', methodNotAllowed('GET', 'HEAD', 'PUT'));

  router.post('/news/:newsId/publish', async (req, res) => sendItem(res, await within(desk.publish(await target(req)))));
  router.post('/news/:newsId/unpublish', async (req, res) => sendItem(res, await within(desk.unpublish(await target(req)))));
  router.post('/news/:newsId/schedule', json, async (req, res) => {
    const publishAt = new Date(body(scheduleSchema, req).publishAt);
    const from = await target(req);
    if (publishAt.getTime() <= Date.now()) throw notInFuture();
    const document = await within(desk.schedule(from, publishAt));
    onScheduled();
    sendItem(res, document);
  });
  router.post('/news/:newsId/rename', json, async (req, res) => {
    const { newsId } = body(renameSchema, req);
    const document = await within(desk.rename(await target(req), newsId));
    res.location(`/staff/news/${document.newsId}`);
    sendItem(res, document);
  });
  const actions = ['publish', 'unpublish', 'schedule', 'rename'].map((action) => `/news/:newsId/${action}`);
  router.all(actions, methodNotAllowed('POST'));

  router.get('/news/:newsId/versions', async (req, res) => {
    const page = query(versionsQuerySchema, req);
    res.json(versionListSchema.parse(await within(reader.versions(await found(req), page))));
  });
  router.get('/news/:newsId/versions/:revision', async (req, res) => {
    const params = versionParams.safeParse(req.params);
    const version = params.success ? await within(reader.version(await found(req), params.data.revision)) : null;
    if (version === null) throw versionNotFound();
    res.json(versionSchema.parse(version));
  });
  router.all(['/news/:newsId/versions', '/news/:newsId/versions/:revision'], methodNotAllowed('GET', 'HEAD'));
  return router;

  async function found(req: Request): Promise<NewsDocument> {
    const newsId = newsIdSchema.safeParse(req.params.newsId);
    const item = newsId.success ? await within(reader.find(newsId.data)) : null;
    if (item === null) throw itemNotFound();
    if ('moved' in item) throw itemNotFound(item.moved);
    return item;
  }

  /** What a change is for, as far as its request says. Without `If-Match` two people would overwrite each other. */
  async function target(req: Request): Promise<Target> {
    const ifMatch = req.get('if-match');
    if (ifMatch === undefined) throw needsIfMatch();
    const [, revision] = ifMatchPattern.exec(ifMatch) ?? [];
    if (revision === undefined) throw badIfMatch();
    const { newsId } = await found(req);
    return { newsId, revision: Number(revision), who: { id: req.staff.id, name: req.staff.name } };
  }
}

function sendItem(res: Response, document: NewsDocument): void {
  res.set('ETag', `"r${document.revision}"`).json(deskItemSchema.parse(deskItem(document)));
}

function query<T extends z.ZodType>(schema: T, req: Request): z.infer<T> {
  const result = schema.safeParse(req.query);
  if (!result.success) throw invalidQuery(result.error);
  return result.data;
}

function body<T extends z.ZodType>(schema: T, req: Request): z.infer<T> {
  const result = schema.safeParse(req.body);
  if (!result.success) throw invalidBody(result.error);
  return result.data;
}
