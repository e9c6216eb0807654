/** What goes in and out of the staff API. */
import { z } from 'zod';
import { mailKinds, mailStates, statuses } from '../documents.ts';
import { referencePattern } from '../reference.ts';
import { categories, lineOfText, linesOfText } from '../schema.ts';

const reference = z.string().regex(referencePattern);
export const referenceParams = z.strictObject({ reference });
export const mailParams = z.strictObject({ reference, kind: z.enum(mailKinds) });

const lineOf = (max: number, pattern = lineOfText) =>
  z.string('Use plain text.').max(max, `Use at most ${max} characters.`).regex(pattern, 'Write something, in one line.');

/** `none` in a list means nobody; so nobody may be called that. */
const assignee = lineOf(100, new RegExp(`^(?!\\s*none\\s*$)${lineOfText.source.slice(1)}`));

export const assignBody = z.strictObject({ assignee: assignee.trim().nullable() });
export const statusBody = z.strictObject({
  status: z.enum(statuses, `Use one of ${statuses.join(', ')}.`),
  /** Kept with a closed inquiry; ignored otherwise. */
  reason: lineOf(500).trim().optional(),
});
export const noteBody = z.strictObject({
  text: z.string('Write the note.').max(5000, 'Use at most 5,000 characters.').regex(linesOfText, 'Write the note, as plain text.').trim(),
});

/** Which inquiries; the days are whole days in UTC, the last one included. */
const filterShape = {
  status: z.enum(statuses).optional(),
  category: z.enum(categories).optional(),
  /** A name, in small or large letters, or `none` for those that nobody has. */
  assignee: lineOf(100).optional(),
  from: z.iso.date('Write the day as in 2026-11-21.').optional(),
  to: z.iso.date('Write the day as in 2026-11-21.').optional(),
};
export type InquiryFilter = { [name in keyof typeof filterShape]?: z.infer<(typeof filterShape)[name]> };

export const listQuery = z.strictObject({
  ...filterShape,
  /** `next` of the page before. */
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'Use the cursor that a list gave.')
    .optional(),
  /** From 1 to 100. */
  limit: z
    .string()
    .regex(/^(?:[1-9][0-9]?|100)$/, 'Use a number from 1 to 100.')
    .transform(Number)
    .default(50),
});
export const exportQuery = z.strictObject({
  ...filterShape,
  /** `true` begins with a byte order mark, by which Excel recognises UTF-8. */
  bom: z.enum(['true', 'false']).default('false'),
});

const mailState = z.enum(mailStates);
const summaryShape = {
  reference,
  receivedAt: z.iso.datetime(),
  category: z.enum(categories),
  status: z.enum(statuses),
  assignee: z.string().nullable(),
  /** Of the visitor; null once the inquiry is erased. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  company: z.string().nullable(),
  closedAt: z.iso.datetime().nullable(),
  erased: z.boolean(),
};
export const inquiryList = z.strictObject({
  items: z.array(
    z.strictObject({
      ...summaryShape,
      /** What became of the mails; null for an inquiry from before there were any. */
      mails: z.strictObject({ office: mailState.nullable(), visitor: mailState.nullable() }),
    }),
  ),
  /** The cursor of the page that follows, or null. */
  next: z.string().nullable(),
});

const actor = z.strictObject({ id: z.string(), name: z.string() });
export const inquiryDetail = z.strictObject({
  ...summaryShape,
  message: z.string().nullable(),
  closingReason: z.string().nullable(),
  version: z.int(),
  notes: z.array(z.strictObject({ at: z.iso.datetime(), by: actor, text: z.string().nullable() })),
  mails: z.array(
    z.strictObject({
      kind: z.enum(mailKinds),
      state: mailState,
      attempts: z.int(),
      sentAt: z.iso.datetime().nullable(),
      /** The last failure, such as `550 RCPT TO`. */
      failure: z.string().nullable(),
    }),
  ),
  /** Who did what, oldest first, the last 200. */
  history: z.array(z.strictObject({ at: z.iso.datetime(), by: actor, action: z.string(), to: z.string().nullable() })),
});
export type InquiryList = z.infer<typeof inquiryList>;
export type InquiryDetail = z.infer<typeof inquiryDetail>;

/** `*`, or one entity tag as an answer's `ETag` has it. */
export const entityTag = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*")$/;
/** For the OpenAPI document: the header is read by hand, because a missing one is 428. */
export const ifMatchHeader = z.strictObject({ 'If-Match': z.string().regex(entityTag) });
