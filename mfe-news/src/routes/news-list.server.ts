import { type HandlerArgs, type Json, notFound, type Site } from '@colonnade/mfe';
import { type Category, categories, type ListFilter } from '../categories.ts';
import { breadcrumbs } from '../json-ld.ts';
import { askNews, listAnswer, type NewsSummary } from '../news-api.ts';

/** What the list page shows. */
export interface NewsList {
  items: NewsSummary[];
  page: number;
  pages: number;
  /** Items that the filter lets through. */
  total: number;
  /** Of a search: these are the newest, and there are, or may be, older ones. */
  more?: true;
  /** All items by category and by year. */
  categories: Record<Category, number>;
  years: Record<string, number>;
  filter: ListFilter;
}

/** As long as the news service takes. */
const longestQuery = 100;

/** @throws StatusError 404 for a page or filter that does not exist or is not written as our links write it, and a year without news */
export async function loader({ request, context }: HandlerArgs): Promise<NewsList> {
  const query = new URL(request.url).searchParams;
  const page = readPage(one(query, 'page'));
  const filter: ListFilter = {
    category: readCategory(one(query, 'category')),
    year: readYear(one(query, 'year')),
    q: readQuery(one(query, 'q')),
  };
  const asked = new URLSearchParams({ page: String(page) });
  for (const [key, value] of Object.entries(filter)) if (value !== undefined) asked.set(key, String(value));
  const answer = listAnswer.parse(await askNews(context, `/api/news?${asked}`));
  if (page > Math.max(1, answer.pages)) notFound();
  // There are as many years as somebody may write. A search is no page of its own, and says that it found nothing.
  if (filter.year !== undefined && filter.q === undefined && answer.total === 0) notFound();
  return { ...answer, filter };
}

export function jsonLd({ site }: { site: Site }): { [key: string]: Json }[] {
  return [breadcrumbs(site, [['News', '/news']])];
}

function one(query: URLSearchParams, key: string): string | undefined {
  const values = query.getAll(key);
  if (values.length > 1) notFound();
  return values[0];
}

function readPage(value: string | undefined): number {
  if (value === undefined) return 1;
  // nine digits stay exact and within what any database takes as an offset
  if (!/^[1-9]\d{0,8}$/.test(value)) notFound();
  return Number(value);
}

function readCategory(value: string | undefined): Category | undefined {
  if (value === undefined) return undefined;
  return categories.find((name) => name === value) ?? notFound();
}

function readYear(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[12]\d{3}$/.test(value)) notFound();
  return Number(value);
}

/** An empty search field asks for everything. */
function readQuery(value: string | undefined): string | undefined {
  const q = value?.trim().replace(/\s+/g, ' ');
  if (q && q.length > longestQuery) notFound();
  return q || undefined;
}
