import type { Tree } from '@colonnade/content/tree';
import { type Context, type HandlerArgs, type Json, notFound, type Params, type Site } from '@colonnade/mfe';
import { breadcrumbs, publisher } from '../json-ld.ts';
import { askNews, itemAnswer, latestAnswer, type Neighbour, type NewsSummary } from '../news-api.ts';

/** What the page of one item shows. */
export interface NewsItem extends NewsSummary {
  updatedAt: string;
  body: Tree;
  newer: Neighbour;
  older: Neighbour;
}

/** @throws StatusError 404 for an id the news service does not know */
export async function loader({ params, context }: HandlerArgs): Promise<NewsItem> {
  const answer = await askNews(context, `/api/news/${encodeURIComponent(params.newsId ?? '')}`);
  const { previous, next, ...item } = itemAnswer.parse(answer);
  return { ...item, newer: next, older: previous };
}

/** The newest item: every database that holds news has one. */
export async function trial(context: Context): Promise<Params> {
  const { items } = latestAnswer.parse(await askNews(context, '/latest?limit=1'));
  return { newsId: items[0]?.newsId ?? notFound() };
}

export function jsonLd({ data, site }: { data: NewsItem; site: Site }): { [key: string]: Json }[] {
  const path = `/news/${data.newsId}`;
  return [
    {
      '@type': 'NewsArticle',
      headline: data.title,
      description: data.excerpt,
      inLanguage: data.language,
      datePublished: data.publishedAt,
      dateModified: data.updatedAt,
      articleSection: data.category,
      mainEntityOfPage: site.origin + path,
      author: publisher(site),
      publisher: publisher(site),
    },
    breadcrumbs(site, [
      ['News', '/news'],
      [data.title, path],
    ]),
  ];
}
