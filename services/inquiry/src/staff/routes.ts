/** The staff API: for the company's office, on the service's own port; the public door does not lead here. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import { methodNotAllowed } from '@colonnade/service/problem';
import { requireStaff } from '@colonnade/service/staff';
import { type Request, type Response, Router } from 'express';
import type { z } from 'zod';
import { mailKinds } from '../documents.ts';
import { badPrecondition, inquiryNotFound, invalidFields, noPrecondition } from '../errors.ts';
import { jsonBody } from '../json-body.ts';
import { referencePattern } from '../reference.ts';
import type { Erasure } from '../retention/erasure.ts';
import { fieldErrors } from '../schema.ts';
import { InquiryChanges, type Target } from './changes.ts';
import { InquiryReading } from './reading.ts';
import { assignBody, entityTag, exportQuery, inquiryDetail, inquiryList, listQuery, noteBody, statusBody } from './schema.ts';

export interface StaffRoutesOptions {
  database: Database;
  /** Wrong tokens from one address until it has to wait. */
  attemptsPerMinute?: number;
  erasure: Erasure;
  log: Log;
  /** A mail was put back into the queue. */
  onMail(): void;
}

/** `/staff/inquiries…` for the roles office and admin. */
export function staffRoutes({ database, attemptsPerMinute, erasure, log, onMail }: StaffRoutesOptions): Router {
  const reading = new InquiryReading(database.db);
  const changes = new InquiryChanges(database);
  const router = Router({ caseSensitive: true, strict: true });
  const office = requireStaff({ database, realm: 'inquiry', roles: ['office', 'admin'], attemptsPerMinute });
  router.use('/staff', database.gate, office, (_req, res, next) => {
    // What is in here is about people.
    res.set('Cache-Control', 'no-store');
    next();
  });

  router.get('/staff/inquiries', async (req, res) => {
    const { cursor, limit, ...filter } = parse(listQuery, req.query);
    const list = await database.within(reading.list(filter, { cursor, limit }));
    log.info({ requestId: req.id, staff: req.staff.id, inquiries: list.items.length }, 'inquiries listed');
    res.json(inquiryList.parse(list));
  });
  router.all('/staff/inquiries', methodNotAllowed('GET', 'HEAD'));

  router.get('/staff/inquiries.csv', async (req, res) => {
    const { bom, ...filter } = parse(exportQuery, req.query);
    await database.within(changes.noteExport(actor(req)));
    log.info({ requestId: req.id, staff: req.staff.id }, 'inquiries exported');
    res.set('Content-Type', 'text/csv; charset=utf-8; header=present');
    res.set('Content-Disposition', 'attachment; filename="inquiries.csv"');
    await pipeline(Readable.from(reading.csv(filter, { bom: bom === 'true' }), { objectMode: true }), res);
  });
  router.all('/staff/inquiries.csv', methodNotAllowed('GET', 'HEAD'));

  const one = '/staff/inquiries/:reference';
  const show = async (req: Request, res: Response) => {
    const reference = referenceOf(req);
    const detail = await database.within(reading.detail(reference));
    if (detail === null) throw inquiryNotFound();
    res.set('ETag', `"${detail.version}"`).json(inquiryDetail.parse(detail));
  };
  /** After each change the caller gets the inquiry as it is now, with the ETag for the next. */
  const changed = async (req: Request, res: Response, what: string, work: Promise<unknown>) => {
    await database.within(work);
    log.info({ requestId: req.id, reference: req.params.reference, staff: req.staff.id }, `inquiry ${what}`);
    await show(req, res);
  };

  router.get(one, async (req, res) => {
    await show(req, res);
    log.info({ requestId: req.id, reference: req.params.reference, staff: req.staff.id }, 'inquiry read');
  });
  router.all(one, methodNotAllowed('GET', 'HEAD'));

  router.put(`${one}/assignee`, ...jsonBody, async (req, res) => {
    const target = targetOf(req);
    const { assignee } = parse(assignBody, req.body);
    await changed(req, res, 'assigned', changes.assign(target, assignee));
  });
  router.all(`${one}/assignee`, methodNotAllowed('PUT'));

  router.put(`${one}/status`, ...jsonBody, async (req, res) => {
    const target = targetOf(req);
    const { status, reason } = parse(statusBody, req.body);
    await changed(req, res, status, changes.setStatus(target, status, reason));
  });
  router.all(`${one}/status`, methodNotAllowed('PUT'));

  router.post(`${one}/notes`, ...jsonBody, async (req, res) => {
    const target = targetOf(req);
    const { text } = parse(noteBody, req.body);
    await changed(req, res, 'noted', changes.addNote(target, text));
  });
  router.all(`${one}/notes`, methodNotAllowed('POST'));

  router.post(`${one}/erase`, async (req, res) => {
    await changed(req, res, 'erased', erasure.erase(targetOf(req)));
  });
  router.all(`${one}/erase`, methodNotAllowed('POST'));

  router.post(`${one}/mails/:kind/resend`, async (req, res) => {
    const kind = mailKinds.find((known) => known === req.params.kind);
    if (kind === undefined) throw inquiryNotFound();
    await changed(req, res, 'mail put back', changes.resend(targetOf(req), kind));
    onMail();
  });
  router.all(`${one}/mails/:kind/resend`, methodNotAllowed('POST'));
  return router;
}

const actor = ({ staff }: Request) => ({ id: staff.id, name: staff.name });

/** Reads a query or a body. @throws Problem 422 with a message for each field */
function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidFields(fieldErrors(result.error));
}

/** What cannot be a reference is the reference of nothing. */
function referenceOf(req: Request): string {
  const reference = String(req.params.reference);
  if (referencePattern.test(reference)) return reference;
  throw inquiryNotFound();
}

/**
 * The inquiry and the version its caller has seen, from `If-Match`. A weak tag matches nothing (RFC 9110, 13.1.1).
 * @throws Problem 428 without one, 400 where it is not one entity tag
 */
function targetOf(req: Request): Target {
  const reference = referenceOf(req);
  const given = req.get('if-match');
  if (given === undefined) throw noPrecondition();
  if (!entityTag.test(given)) throw badPrecondition();
  return { reference, seen: given === '*' ? '*' : Number(/^"([0-9]{1,9})"$/.exec(given)?.[1] ?? -1), by: actor(req) };
}
