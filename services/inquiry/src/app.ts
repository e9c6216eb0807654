/** What happens to a request, in order. */
import { type Database, databaseErrors } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { Metrics } from '@colonnade/service/metrics';
import { opsRoutes } from '@colonnade/service/ops';
import { methodNotAllowed, notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { requestContext } from '@colonnade/service/request';
import express, { type Express, type RequestHandler } from 'express';
import { badIdempotencyKey, inquiryNotFound, invalidInquiry, notAnObject, notJson } from './errors.ts';
import { referencePattern } from './reference.ts';
import { inquiryErrors, inquirySchema } from './schema.ts';
import { InquiryStore } from './store.ts';

/** The largest message, 5,000 characters, takes 30,000 bytes where a caller writes each as `\\uXXXX`. */
const bodyLimit = '32kb';

export interface InquiryAppOptions {
  database: Database;
  log: Log;
  metrics: Metrics;
  version: string;
}

/** The inquiry service as an Express application. */
export function inquiryApp({ database, log, metrics, version }: InquiryAppOptions): Express {
  const store = new InquiryStore(database.db);
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');

  app.use(requestContext({ log, metrics }));
  app.use(opsRoutes({ name: 'inquiry', version, checks: { mongodb: database.ping }, registry: metrics }));

  app.post('/api/inquiries', onlyJson, database.gate, express.json({ limit: bodyLimit, inflate: false }), async (req, res) => {
    const key = req.get('idempotency-key');
    if (key !== undefined && !/^[\x21-\x7e]{1,100}$/.test(key)) throw badIdempotencyKey();
    const body: unknown = req.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
    const errors = inquiryErrors(body);
    if (errors) throw invalidInquiry(errors);
    const reference = await database.within(store.store(inquirySchema.parse(body), key));
    log.info({ requestId: req.id, reference }, 'inquiry stored');
    res.status(201).set('Cache-Control', 'no-store').json({ reference });
  });
  app.all('/api/inquiries', methodNotAllowed('POST'));

  // For the shell's page of thanks only: the gateway does not expose it, and it tells nothing of the sender.
  app.get('/api/inquiries/:reference', database.gate, async (req, res) => {
    const reference = String(req.params.reference);
    const receipt = referencePattern.test(reference) ? await database.within(store.receipt(reference)) : null;
    if (receipt === null) throw inquiryNotFound();
    res.set('Cache-Control', 'no-store').json(receipt);
  });
  app.all('/api/inquiries/:reference', methodNotAllowed('GET', 'HEAD'));

  app.use(notFoundHandler);
  app.use(databaseErrors);
  app.use(problemHandler(log));
  return app;
}

/** A form of another site can send text/plain, but not application/json. body-parser would take any charset that begins with utf-. */
const onlyJson: RequestHandler = (req, _res, next) => {
  const type = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(req.get('content-type') ?? '');
  next(type ? undefined : notJson());
};
