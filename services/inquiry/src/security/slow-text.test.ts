/** Texts that are meant to keep a pattern busy: each field is checked in no time, however long the text. */
import { expect, it } from 'vitest';
import { inquirySchema } from '../schema.ts';
import { assignBody, exportQuery, listQuery, noteBody, statusBody } from '../staff/schema.ts';
import { submissionSchema } from '../submission.ts';

const long = 50_000;
/** Repeated, then ended by what does not fit. */
const pumps = [' ', '\t', '\n', '\u2028', 'a', '.', '-', '@', 'a.', 'a@', "'", 'a-', ' a', '\u3000', '\ufeff', '\ud800', 'none', '0', '+'];
const ends = ['', '\0', '\u0085', '!', '@', ' ', '@a.example\0', '-'];
const texts = pumps.flatMap((pump) => ends.map((end) => pump.repeat(long / pump.length) + end));
const limitMs = 1000;

/** Of the processor: a machine that stalls is no fault of a pattern. */
const tookMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
};

it.each([
  ['an inquiry', inquirySchema],
  ['a submission', submissionSchema],
  ['an assignee', assignBody],
  ['a status', statusBody],
  ['a note', noteBody],
  ['a list', listQuery],
  ['an export', exportQuery],
])('checks each field of %s at once', (_what, schema) => {
  for (const field of Object.keys(schema.shape)) {
    for (const text of texts)
      expect(
        tookMs(() => schema.safeParse({ [field]: text })),
        `${field} ${JSON.stringify(text.slice(0, 5))}`,
      ).toBeLessThan(limitMs);
  }
});

it('would find a pattern that is kept busy', () => {
  const took = [10_000, 20_000, 40_000, 80_000].map((length) => tookMs(() => /\s+$/.test(`${' '.repeat(length)}x`)));
  // Four times as long for twice the text; another machine needs other lengths to pass the limit.
  expect((took.at(-1) ?? 0) / (took.at(0) ?? 1)).toBeGreaterThan(11);
}, 60_000);
