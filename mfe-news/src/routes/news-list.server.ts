import { type HandlerArgs, notFound } from '@colonnade/mfe';
import { type Category, categories } from '../categories.ts';
import { askNews, listAnswer, type NewsSummary } from '../news-api.ts';

/** What the list page shows. */
export interface NewsList {
  items: NewsSummary[];
  page: number;
  pages: number;
  /** Items in the chosen category. */
  total: number;
  /** Items by category. */
  counts: Record<Category, number>;
  /** The chosen one; null: all. */
  category: Category | null;
}

/** @throws StatusError 404 for a page or category that does not exist or is not written as our links write it */
export async function loader({ request, context }: HandlerArgs): Promise<NewsList> {
  const query = new URL(request.url).searchParams;
  const page = readPage(query.getAll('page'));
  const category = readCategory(query.getAll('category'));
  const body = await askNews(context, `/api/news?${new URLSearchParams({ page: String(page), ...(category && { category }) })}`);
  const { items, pages, total, categories: counts } = listAnswer.parse(body);
  if (page > Math.max(1, pages)) notFound();
  return { items, page, pages, total, counts, category };
}

function readPage(values: string[]): number {
  if (values.length === 0) return 1;
  const [value = ''] = values;
  // nine digits stay exact and within what any database takes as an offset
  if (values.length > 1 || !/^[1-9]\d{0,8}$/.test(value)) notFound();
  return Number(value);
}

function readCategory(values: string[]): Category | null {
  if (values.length === 0) return null;
  const category = categories.find((name) => name === values[0]);
  if (values.length > 1 || !category) notFound();
  return category;
}
