/** The news service's answers, as far as these pages use them. Server only: components import the types. */
import type { Context, ServiceAnswer } from '@colonnade/mfe';
import { gone, moved, notFound, unavailable } from '@colonnade/mfe';
import { z } from 'zod';
import { categories } from './categories.ts';

const language = z.enum(['en', 'ja']);
/** As the ledger shows it. What a schema does not name does not travel to browsers. */
const summary = z.object({
  newsId: z.string(),
  title: z.string(),
  language,
  excerpt: z.string(),
  category: z.enum(categories),
  publishedAt: z.iso.datetime(),
});
const neighbour = z.object({ newsId: z.string(), title: z.string(), language }).nullable();

/** `GET /api/news` */
export const listAnswer = z.object({
  items: z.array(summary),
  page: z.int().min(1),
  pages: z.int().min(0),
  total: z.int().min(0),
  /** Of a search that stopped at so many: there are, or may be, older ones. */
  more: z.literal(true).optional(),
  categories: z.record(z.enum(categories), z.int().min(0)),
  years: z.record(z.string().regex(/^\d{4}$/), z.int().min(0)),
});

/** `GET /latest?limit=` */
export const latestAnswer = listAnswer.pick({ items: true });

/** The same, for the feed. */
export const feedAnswer = z.object({
  items: z.array(summary.extend({ itemId: z.string(), updatedAt: z.iso.datetime() })),
});

/** `GET /api/news/{newsId}`. The body is a tree that the content kit has checked and renders. */
export const itemAnswer = summary.extend({
  updatedAt: z.iso.datetime(),
  body: z.array(z.any()),
  previous: neighbour,
  next: neighbour,
});

export type NewsSummary = z.infer<typeof summary>;
export type Neighbour = z.infer<typeof neighbour>;

/**
 * Asks the news service.
 * @returns the body of a 200
 * @throws StatusError 404 where the service knows no such thing, 410 where it was taken off, 503 where it does not
 * serve us; Redirect where an item has another id now
 */
export async function askNews(context: Context, path: string): Promise<unknown> {
  const news = context.services.news ?? unavailable();
  const answer: ServiceAnswer = await news.request(path);
  if (answer.status === 200) return answer.body;
  if (answer.status === 400 || answer.status === 404) notFound();
  if (answer.status === 410) gone();
  if (answer.status === 301 && answer.location) moved(answer.location.replace(/^\/api\//, '/'));
  unavailable(30, new Error(`news service answered ${answer.status}`));
}
