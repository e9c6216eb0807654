/** What a news item is as somebody writes it, and what may be asked for. Names and limits are told in the OpenAPI document. */
import { z } from 'zod';

export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];
export const categories = ['products', 'calibration', 'company', 'exhibitions'] as const;
export type Category = (typeof categories)[number];
/** `unpublished`: visitors have seen it and see it no more. */
export const states = ['draft', 'scheduled', 'published', 'unpublished'] as const;
export type State = (typeof states)[number];

// White space as JavaScript trims it, written out: other readers of the OpenAPI document have another idea of \s.
const blank = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const space = `\\t-\\r${blank}`;
const control = '\\u0000-\\u001f\\u007f-\\u009f';
// Blanks before the first other character are named apart: no text takes long to refuse.
const onePattern = `^[${blank}]*[^${control}${blank}][^${control}]*$`;
const oneLine = new RegExp(onePattern);
const somePattern = `[^${space}]`;

/** Length in characters, as JSON Schema and MongoDB count; zod counts UTF-16 units. */
const characters = (value: string) => [...value].length;
const atMost = (max: number) => [(value: string) => characters(value) <= max, `must have at most ${max} characters`] as const;

/** Text in one line. */
const line = (max: number) =>
  z
    .string()
    .refine(...atMost(max))
    .refine((value) => oneLine.test(value), 'must be text in one line')
    .meta({ openapi: { type: 'string', minLength: 1, maxLength: max, pattern: onePattern } });

/** A number in a query: written with digits only, so that each has one spelling. */
const whole = (min: number, max: number, preset?: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,9})$/, `must be a number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a number from ${min} to ${max}`)
    .meta({ openapi: { type: 'integer', minimum: min, maximum: max, default: preset } });

/** A moment, RFC 3339, of the years 1000 to 2999: as written, and in UTC, by whose years lists are filtered. */
const moment = z.iso
  .datetime({ offset: true, error: 'must be a date and time such as 2026-12-01T09:00:00+01:00' })
  .regex(/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d/, 'must be a date and time such as 2026-12-01T09:00:00+01:00')
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 1000 && year <= 2999;
  }, 'must be in one of the years 1000 to 2999 in UTC')
  .meta({ openapi: { type: 'string', format: 'date-time', pattern: '^[12][0-9]{3}-' } });

const idPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
/** An id is a slug: it stands in the address of the page. */
export const newsIdSchema = z
  .string()
  .max(100)
  .regex(new RegExp(idPattern), 'must be small letters a to z and digits, in words joined by single hyphens')
  .meta({ openapi: { type: 'string', maxLength: 100, pattern: idPattern } });

/** What may be changed of an item. */
export const changeSchema = z.strictObject({
  title: line(200),
  language: z.enum(languages),
  category: z.enum(categories),
  excerpt: line(500),
  /** Markdown. */
  body: z
    .string()
    .refine(...atMost(100_000))
    .meta({ openapi: { type: 'string', maxLength: 100_000, description: 'Markdown' } }),
  /** The date shown; the moment of its first publishing where nobody gives one. Never later than that moment. */
  publishedAt: moment.optional(),
});
export type NewsChange = z.infer<typeof changeSchema>;

/** A new item. */
export const draftSchema = changeSchema.extend({ newsId: newsIdSchema });
export type NewsDraft = z.infer<typeof draftSchema>;

export const scheduleSchema = z.strictObject({ publishAt: moment });
export const renameSchema = z.strictObject({ newsId: newsIdSchema });

/** No list is read deeper: the filters by year, category and words lead to the rest. */
export const maxPages = 100;
const page = whole(1, 999_999, 1).default(1);
/** Items on a page; fewer for a short list such as the home page's. */
const limit = whole(1, 20, 20).default(20);

/** The query of the public list. Keys that nobody knows are refused: a mistyped filter must not look like an empty result. */
export const listQuerySchema = z.strictObject({
  page,
  limit,
  category: z.enum(categories, `must be one of ${categories.join(', ')}`).optional(),
  year: whole(1000, 2999).optional(),
  /** Words that all have to occur. */
  q: z
    .string()
    .refine(...atMost(100))
    .refine((value) => value.trim() !== '', 'must not be empty')
    .meta({ openapi: { type: 'string', minLength: 1, maxLength: 100, pattern: somePattern } })
    .optional(),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

/** The query of the staff's list. */
export const deskQuerySchema = z.strictObject({ page, limit, state: z.enum(states, `must be one of ${states.join(', ')}`).optional() });
export type DeskQuery = z.infer<typeof deskQuerySchema>;

export const versionsQuerySchema = z.strictObject({ page, limit });

/** The query of the newest items. */
export const latestQuerySchema = z.strictObject({ limit });

/** The query of the list of all published items: where to read on. */
export const publishedQuerySchema = z.strictObject({
  after: z
    .string()
    .regex(/^[0-9a-f]{24}$/, 'must be the next of an earlier answer')
    .optional(),
});

export const newsParams = z.object({ newsId: newsIdSchema });
const revisionPattern = /^[1-9]\d{0,8}$/;
export const versionParams = newsParams.extend({
  revision: z
    .string()
    .regex(revisionPattern)
    .transform(Number)
    .meta({ openapi: { type: 'integer', minimum: 1, maximum: 999_999_999 } }),
});

/** `If-Match` of a change: the ETag of what the change was made from. */
export const ifMatchPattern = /^"r([1-9]\d{0,8})"$/;
