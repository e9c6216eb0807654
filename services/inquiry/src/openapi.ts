/** The OpenAPI document of this service, from the schemas that its routes check with. */
import { type Operation, openapiDocument } from '@colonnade/service/openapi';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { referencePattern } from './reference.ts';
import {
  assignBody,
  exportQuery,
  ifMatchHeader,
  inquiryDetail,
  inquiryList,
  listQuery,
  mailParams,
  noteBody,
  referenceParams,
  statusBody,
} from './staff/schema.ts';
import { submissionSchema } from './submission.ts';

const reference = z.string().regex(referencePattern);
/**
 * Without the trap for robots: a caller has no business with it, and one that is told of it is no longer caught.
 * Built with zod/mini, because the schema travels to the browser; what is asked of it here both kinds have.
 */
const documentedBody = mini.omit(submissionSchema, { website: true }) as unknown as z.ZodType;
const notFound = { 404: 'There is no inquiry with this reference.' };
const badBody = { 400: 'The body is no JSON object.', 413: 'The body is over 32 kB.', 415: 'The body is not application/json in UTF-8.' };
const invalid = { 422: 'Fields that do not fit, by name.' };

const detail = { description: 'The inquiry. Its ETag is the If-Match of the next change.', schema: inquiryDetail, headers: ['ETag'] };
const change = {
  staff: true,
  headers: ifMatchHeader,
  answers: { 200: detail },
} as const;
const changeProblems = {
  400: 'If-Match is no entity tag.',
  ...notFound,
  409: 'Not in this state.',
  412: 'Changed since it was read.',
  428: 'Without If-Match.',
};
const one = '/staff/inquiries/{reference}';

const operations: Operation[] = [
  {
    method: 'post',
    path: '/api/inquiries',
    id: 'sendInquiry',
    summary: 'Send an inquiry. With an Idempotency-Key it may be sent again without being stored twice.',
    headers: z.strictObject({
      'Idempotency-Key': z
        .string()
        .regex(/^[\x21-\x7e]{1,100}$/)
        .optional(),
    }),
    body: documentedBody,
    answers: { 201: { description: 'Stored.', schema: z.strictObject({ reference }) } },
    problems: { ...badBody, ...invalid, 429: 'This visitor has sent enough for now.' },
  },
  {
    method: 'get',
    path: '/api/inquiries/form-token',
    id: 'formToken',
    summary: 'A token that says when a form was shown.',
    answers: { 200: { description: 'The token.', schema: z.strictObject({ startedAt: z.string() }) } },
    problems: {},
  },
  {
    method: 'get',
    path: '/api/inquiries/{reference}',
    id: 'receipt',
    summary: 'Whether and when an inquiry has arrived.',
    params: referenceParams,
    answers: { 200: { description: 'It has.', schema: z.strictObject({ reference, receivedAt: z.iso.datetime() }) } },
    problems: notFound,
  },
  {
    method: 'get',
    path: '/staff/inquiries',
    id: 'listInquiries',
    summary: 'A page of inquiries, newest first.',
    staff: true,
    query: listQuery,
    answers: { 200: { description: 'The page.', schema: inquiryList } },
    problems: invalid,
  },
  {
    method: 'get',
    path: '/staff/inquiries.csv',
    id: 'exportInquiries',
    summary: 'All inquiries that the filter lets through, as CSV.',
    staff: true,
    query: exportQuery,
    answers: { 200: { description: 'RFC 4180, in UTF-8.', type: 'text/csv', schema: z.string() } },
    problems: invalid,
  },
  {
    method: 'get',
    path: one,
    id: 'showInquiry',
    summary: 'One inquiry with its notes, mails and history.',
    staff: true,
    params: referenceParams,
    answers: { 200: detail },
    problems: notFound,
  },
  put('assignee', 'assignInquiry', 'Say who answers; null is nobody.', assignBody),
  put('status', 'setStatus', 'Move forward: new, in-progress, answered, closed. Steps may be left out.', statusBody),
  { ...put('notes', 'addNote', 'Add a note.', noteBody), method: 'post' },
  {
    ...change,
    method: 'post',
    path: `${one}/erase`,
    id: 'eraseInquiry',
    summary: 'Erase everything personal. The reference, the dates and what the staff did remain.',
    params: referenceParams,
    problems: changeProblems,
  },
  {
    ...change,
    method: 'post',
    path: `${one}/mails/{kind}/resend`,
    id: 'resendMail',
    summary: 'Send a mail again that was given up.',
    params: mailParams,
    problems: changeProblems,
  },
];

function put(last: string, id: string, summary: string, body: z.ZodType): Operation {
  const problems = { ...changeProblems, ...badBody, ...invalid, 400: 'The body is no JSON object, or If-Match no entity tag.' };
  return { ...change, method: 'put', path: `${one}/${last}`, id, summary, params: referenceParams, body, problems };
}

/** The document of this version. */
export function openapi(version: string): object {
  const description = 'Receives inquiries; gives the office those it has. Only POST /api/inquiries is reachable from outside.';
  return openapiDocument({ title: 'Colonnade inquiry service', version, description, operations });
}
