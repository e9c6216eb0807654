/** What a news item is: as it is written, as it is stored and as it leaves. */
import { markdownTree, type Tree } from '@colonnade/content';
import { z } from 'zod';

export const languages = ['en', 'ja'] as const;
export const categories = ['products', 'calibration', 'company', 'exhibitions'] as const;
export type Category = (typeof categories)[number];

/** An id is a slug: it stands in the address of the page. */
export const newsIdSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

/** An item as somebody writes it; the body is Markdown. */
export const newsItemSchema = z.strictObject({
  newsId: newsIdSchema,
  title: z.string().min(1).max(200),
  language: z.enum(languages),
  category: z.enum(categories),
  excerpt: z.string().min(1).max(500),
  body: z.string().max(100_000),
  publishedAt: z.iso.datetime({ offset: true }).or(z.iso.date()),
});
export type NewsItem = z.infer<typeof newsItemSchema>;

/** An item as it is stored. Its tree is made when it is written, not each time somebody reads it. */
export interface NewsDocument {
  /** The newsId. */
  _id: string;
  title: string;
  language: (typeof languages)[number];
  category: Category;
  excerpt: string;
  body: string;
  tree: Tree;
  publishedAt: Date;
  schemaVersion: 1;
}

/** Checks an item and makes its document. */
export function newsDocument(item: NewsItem): NewsDocument {
  const { newsId, publishedAt, ...rest } = newsItemSchema.parse(item);
  return { _id: newsId, ...rest, tree: markdownTree(rest.body), publishedAt: new Date(publishedAt), schemaVersion: 1 };
}

/** The query of the list. Keys that nobody knows are refused: a mistyped filter must not look like an empty result. */
export const listQuerySchema = z.strictObject({
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a number from 1')
    .transform(Number)
    .default(1),
  /** Items on a page; fewer for a short list such as the home page's. */
  limit: z
    .string()
    .regex(/^(?:[1-9]|1\d|20)$/, 'must be a number from 1 to 20')
    .transform(Number)
    .default(20),
  category: z.enum(categories, `must be one of ${categories.join(', ')}`).optional(),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

const link = z.object({ newsId: z.string(), title: z.string(), language: z.enum(languages) });
const summary = link.extend({ excerpt: z.string(), category: z.enum(categories), publishedAt: z.iso.datetime() });

/**
 * What leaves. Checked on every answer: it costs some 10 µs, drops whatever else a document may hold, and an item that was
 * written around this service is found here and not in a visitor's browser. The tree is checked as a list only: it is
 * made by `markdownTree` and the collection's validator keeps its place.
 */
export const newsListSchema = z.object({
  items: z.array(summary),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
  /** Items by category, whatever the filter: for the filter's own links. */
  categories: z.record(z.enum(categories), z.number()),
});
export type NewsList = z.infer<typeof newsListSchema>;

export const newsDetailSchema = summary.extend({
  body: z.custom<Tree>(Array.isArray, 'must be a tree'),
  /** The next older item. */
  previous: link.nullable(),
  /** The next newer item. */
  next: link.nullable(),
});
export type NewsDetail = z.infer<typeof newsDetailSchema>;
