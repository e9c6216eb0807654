import type { Tree } from '@colonnade/content/tree';
import { type Context, type HandlerArgs, notFound, type Params } from '@colonnade/mfe';
import { askNews, itemAnswer, listAnswer, type Neighbour, type NewsSummary } from '../news-api.ts';

/** What the page of one item shows. */
export interface NewsItem extends NewsSummary {
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
  const { items } = listAnswer.parse(await askNews(context, '/api/news?limit=1'));
  return { newsId: items[0]?.newsId ?? notFound() };
}
