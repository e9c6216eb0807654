/**
 * What leaves. Checked on every answer: it costs some 10 µs, drops whatever else a document may hold, and an item that was
 * written around this service is found here and not in a visitor's browser.
 */
import type { Tree } from '@colonnade/content';
import { z } from 'zod';
import { categories, languages, states } from './schema.ts';

const count = z.int().min(0);
const date = z.iso.datetime();
const link = z.object({ newsId: z.string(), title: z.string(), language: z.enum(languages) });
/** `itemId` stays when the item gets another id: feeds know items by it. */
const summary = link.extend({
  itemId: z.string().regex(/^[0-9a-f]{24}$/),
  excerpt: z.string(),
  category: z.enum(categories),
  publishedAt: date,
  updatedAt: date,
});

/** `GET /api/news`. `categories` and `years` count all published items, whatever the filter: for the filter's own links. */
export const newsListSchema = z.object({
  items: z.array(summary),
  page: z.int().min(1),
  pages: count.max(100),
  total: count,
  more: z
    .literal(true)
    .optional()
    .meta({ description: 'Only of a search that stopped: older items may fit as well, and `total` is how many of the newest were found.' }),
  categories: z.record(z.enum(categories), count),
  years: z.record(z.string().regex(/^\d{4}$/), count),
});
export type NewsList = z.infer<typeof newsListSchema>;

/** `GET /latest` */
export const latestSchema = newsListSchema.pick({ items: true });

/**
 * `GET /api/news/{newsId}`. The tree is checked as a list only: it is made by `markdownTree`, and the collection's validator
 * keeps its place.
 */
export const newsDetailSchema = summary.extend({
  body: z
    .custom<Tree>(Array.isArray, 'must be a tree')
    .meta({ openapi: { type: 'array', items: { $ref: '#/components/schemas/TreeNode' } } }),
  /** The next older item. */
  previous: link.nullable(),
  /** The next newer item. */
  next: link.nullable(),
});
export type NewsDetail = z.infer<typeof newsDetailSchema>;

/** The body of a 301. */
export const movedSchema = z.object({ newsId: z.string() });

/** `GET /published`: every published item; the order does not change while one reads on. */
export const publishedSchema = z.object({
  items: z.array(z.object({ newsId: z.string(), updatedAt: date })),
  next: z.string().nullable(),
});
export type Published = z.infer<typeof publishedSchema>;

const deskSummary = link.extend({
  category: z.enum(categories),
  state: z.enum(states),
  revision: z.int().min(1),
  publishedAt: date.nullable(),
  publishAt: date.nullable(),
  updatedAt: date,
});

/** An item as the staff sees it: its body is the Markdown. */
export const deskItemSchema = deskSummary.extend({ excerpt: z.string(), body: z.string() });
export type DeskItem = z.infer<typeof deskItemSchema>;

const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), page: z.int().min(1), pages: count.max(100), total: count });

/** `GET /staff/news`, last changed first. */
export const deskListSchema = pageOf(deskSummary);
export type DeskList = z.infer<typeof deskListSchema>;

export const changes = ['created', 'changed', 'published', 'scheduled', 'unpublished', 'renamed'] as const;
const version = z.object({
  revision: z.int().min(1),
  /** The item's id at that time. */
  newsId: z.string(),
  what: z.enum(changes),
  who: z.object({ id: z.string(), name: z.string() }),
  at: date,
});

/** `GET /staff/news/{newsId}/versions`, newest first. */
export const versionListSchema = pageOf(version);
/** One version with the item as it was after the change. */
export const versionSchema = version.extend({ snapshot: deskItemSchema.omit({ revision: true, updatedAt: true }) });

/** A body's nodes, for the OpenAPI document: the form of `@colonnade/content/tree`. */
export const treeNodeSchema = (() => {
  const tree = { type: 'array', items: { $ref: '#/components/schemas/TreeNode' } };
  const text = { type: 'string' };
  const node = (tags: string[], properties: Record<string, object>) => ({
    type: 'object',
    required: ['tag', ...Object.keys(properties)],
    properties: { tag: { enum: tags }, ...properties },
    additionalProperties: false,
  });
  return {
    oneOf: [
      text,
      node(['p', 'em', 'strong', 'code', 'blockquote', 'ul', 'ol', 'li', 'h2', 'h3', 'h4'], { children: tree }),
      node(['a'], { href: text, children: tree }),
      node(['img'], { src: text, alt: text }),
      node(['pre'], { text }),
      node(['hr', 'br'], {}),
      node(['table'], { head: { type: 'array', items: tree }, rows: { type: 'array', items: { type: 'array', items: tree } } }),
    ],
  };
})();
