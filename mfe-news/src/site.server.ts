import type { Context, FeedEntry, SitemapPart } from '@colonnade/mfe';
import { z } from 'zod';
import { categoryLabels } from './categories.ts';
import { askNews, feedAnswer } from './news-api.ts';

/** `GET /published?after=`: every published item, in an order that does not change while one reads on. */
const publishedAnswer = z.object({
  items: z.array(z.object({ newsId: z.string(), updatedAt: z.iso.datetime() })),
  next: z.string().nullable(),
});

/** Every published item. */
export async function sitemap(context: Context, from?: string): Promise<SitemapPart> {
  const { items, next } = publishedAnswer.parse(await askNews(context, `/published${from ? `?after=${encodeURIComponent(from)}` : ''}`));
  return { entries: items.map(({ newsId, updatedAt }) => ({ path: `/news/${newsId}`, lastModified: updatedAt })), next: next ?? undefined };
}

/** The newest items. */
export async function feed(context: Context): Promise<FeedEntry[]> {
  const { items } = feedAnswer.parse(await askNews(context, '/latest?limit=20'));
  return items.map((item) => ({
    id: item.itemId,
    title: item.title,
    path: `/news/${item.newsId}`,
    summary: item.excerpt,
    language: item.language,
    category: categoryLabels[item.category],
    publishedAt: item.publishedAt,
    updatedAt: item.updatedAt,
  }));
}
