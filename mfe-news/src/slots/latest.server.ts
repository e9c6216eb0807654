import type { HandlerArgs } from '@colonnade/mfe';
import { askNews, latestAnswer, type NewsSummary } from '../news-api.ts';

/** What the slot shows. */
export interface Latest {
  items: NewsSummary[];
}

/** The newest three. */
export async function loader({ context }: HandlerArgs): Promise<Latest> {
  const { items } = latestAnswer.parse(await askNews(context, '/latest?limit=3'));
  return { items };
}
