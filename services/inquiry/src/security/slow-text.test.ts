/** Texts that are meant to keep a pattern busy: each field is checked in no time, however long the text. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { busyLimitMs, busySince } from '../../fixtures/busy.ts';
import { inquirySchema } from '../schema.ts';
import { assignBody, exportQuery, listQuery, noteBody, statusBody } from '../staff/schema.ts';
import { submissionSchema } from '../submission.ts';

const long = 50_000;
/** Repeated, then ended by what does not fit. */
const pumps = [' ', '\t', '\n', '\u2028', 'a', '.', '-', '@', 'a.', 'a@', "'", 'a-', ' a', '\u3000', '\ufeff', '\ud800', 'none', '0', '+'];
const ends = ['', '\0', '\u0085', '!', '@', ' ', '@a.example\0', '-'];
const texts = pumps.flatMap((pump) => ends.map((end) => pump.repeat(long / pump.length) + end));
const limitMs = busyLimitMs(long);

/** The fields of a schema that a text keeps busy, each with how that text begins. */
const slow = (schema: { shape: object; safeParse(fields: unknown): unknown }): string[] =>
  Object.keys(schema.shape).flatMap((field) =>
    texts.flatMap((text) => {
      const before = process.threadCpuUsage();
      schema.safeParse({ [field]: text });
      return busySince(before) < limitMs ? [] : [`${field} ${JSON.stringify(text.slice(0, 5))}`];
    }),
  );

it.each([
  ['an inquiry', inquirySchema],
  ['a submission', submissionSchema],
  ['an assignee', assignBody],
  ['a status', statusBody],
  ['a note', noteBody],
  ['a list', listQuery],
  ['an export', exportQuery],
])('checks each field of %s at once', (_what, schema) => {
  expect(slow(schema)).toEqual([]);
});

it('would find a pattern that is kept busy', () => {
  const found = slow(z.object({ busy: z.string().regex(/ +$/), quick: z.string().regex(/ $/) }));
  expect(new Set(found)).toEqual(new Set(['busy "     "']));
}, 60_000);
