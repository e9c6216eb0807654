/** What happens to a request, in order. */
import { type Database, databaseErrors } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { Metrics } from '@colonnade/service/metrics';
import { opsRoutes } from '@colonnade/service/ops';
import { methodNotAllowed, notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { recordRequests, requestContext } from '@colonnade/service/request';
import express, { type Express } from 'express';
import { FormTokens } from './abuse/form-token.ts';
import { visitorOf } from './abuse/visitor.ts';
import { VisitorLimit } from './abuse/visitor-limit.ts';
import { VisitorWaits } from './abuse/visitor-waits.ts';
import { badIdempotencyKey, inquiryNotFound, invalidFields } from './errors.ts';
import { jsonBody } from './json-body.ts';
import { openapi } from './openapi.ts';
import { newReference, referencePattern } from './reference.ts';
import type { Erasure } from './retention/erasure.ts';
import { fieldErrors } from './schema.ts';
import { staffRoutes } from './staff/routes.ts';
import { InquiryStore } from './store.ts';
import { submissionSchema } from './submission.ts';

export interface InquiryAppOptions {
  database: Database;
  log: Log;
  metrics: Metrics;
  version: string;
  /** How many inquiries one visitor may send (0: any number), and who may name the visitor. */
  visitors: { limit: number; windowMs: number; trustedPeers: readonly string[] };
  /** Wrong staff tokens from one address. */
  attemptsPerMinute?: number;
  erasure: Erasure;
  /** There are mails to send. */
  onMail(): void;
}

/** The inquiry service as an Express application. */
export function inquiryApp(options: InquiryAppOptions): Express {
  const { database, log, metrics, version, visitors, attemptsPerMinute, erasure, onMail } = options;
  const store = new InquiryStore(database);
  const tokens = new FormTokens(database.db);
  const limit = new VisitorLimit(database.db, visitors);
  const waits = new VisitorWaits();
  const visitor = visitorOf(visitors.trustedPeers);
  const document = openapi(version);
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');

  app.use(requestContext(recordRequests({ log, metrics })));
  app.use(opsRoutes({ name: 'inquiry', version, checks: { mongodb: database.ping }, registry: metrics }));
  app.get('/openapi.json', (_req, res) => void res.json(document));
  app.all('/openapi.json', methodNotAllowed('GET', 'HEAD'));

  app.post('/api/inquiries', database.gate, ...jsonBody, async (req, res) => {
    const key = req.get('idempotency-key');
    if (key !== undefined && !/^[\x21-\x7e]{1,100}$/.test(key)) throw badIdempotencyKey();
    const parsed = submissionSchema.safeParse(req.body);
    if (!parsed.success) throw invalidFields(fieldErrors(parsed.error));
    const { website, startedAt, ...inquiry } = parsed.data;
    res.set('Cache-Control', 'no-store');
    if (website) {
      // A robot that is told would come back without it: to the caller this looks as it always does.
      log.info({ requestId: req.id }, 'inquiry of a robot dropped');
      res.status(201).json({ reference: newReference() });
      return;
    }
    // A repeated submit is not a second inquiry: it is answered before anything is counted, and without a wait.
    const known = key === undefined ? undefined : await database.within(store.known(inquiry, key));
    if (known !== undefined) {
      res.status(201).json({ reference: known });
      return;
    }
    const who = visitor(req);
    const admitted = who === undefined ? undefined : limit.admit(who);
    const [counted, waitMs] = await database.within(Promise.all([admitted, tokens.waitMs(startedAt)]));
    // Who waits holds a place in the gateway: only who may send at all does.
    await waits.wait(who, waitMs);
    const reference = await database.within(store.store(inquiry, { key, counted }));
    log.info({ requestId: req.id, reference }, 'inquiry stored');
    res.status(201).json({ reference });
    onMail();
  });
  app.all('/api/inquiries', methodNotAllowed('POST'));

  // These two are for the shell only, and the gateway does not expose them: what the form needs, and what the page of thanks does.
  app.get('/api/inquiries/form-token', database.gate, async (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ startedAt: await database.within(tokens.create()) });
  });
  app.all('/api/inquiries/form-token', methodNotAllowed('GET', 'HEAD'));
  app.get('/api/inquiries/:reference', database.gate, async (req, res) => {
    const reference = String(req.params.reference);
    const receipt = referencePattern.test(reference) ? await database.within(store.receipt(reference)) : null;
    if (receipt === null) throw inquiryNotFound();
    res.set('Cache-Control', 'no-store').json(receipt);
  });
  app.all('/api/inquiries/:reference', methodNotAllowed('GET', 'HEAD'));

  app.use(staffRoutes({ database, attemptsPerMinute, erasure, log, onMail }));

  app.use(notFoundHandler);
  app.use(databaseErrors);
  app.use(problemHandler(log));
  return app;
}
