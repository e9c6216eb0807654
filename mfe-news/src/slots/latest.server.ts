import type { HandlerArgs } from '@colonnade/mfe';
import { askNews, listAnswer, type NewsSummary } from '../news-api.ts';

/** What the slot shows. */
export interface Latest {
  items: NewsSummary[];
}

/** The newest three. */
export async function loader({ context }: HandlerArgs): Promise<Latest> {
  const { items } = listAnswer.parse(await askNews(context, '/api/news?limit=3'));
  return { items };
}
