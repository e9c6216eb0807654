/** The groups of news, in the order of the filter, as the news service names them. */
export const categories = ['products', 'calibration', 'company', 'exhibitions'] as const;
export type Category = (typeof categories)[number];

/** What the visitor reads. */
export const categoryLabels: Record<Category, string> = {
  products: 'Products',
  calibration: 'Calibration',
  company: 'Company',
  exhibitions: 'Exhibitions',
};

/** What the list is narrowed to. */
export interface ListFilter {
  category?: Category;
  year?: number;
  /** Words that all have to occur. */
  q?: string;
}

/** Path and query of one page of the list. The first page has no number, so that it has one address. */
export function listPath({ category, year, q }: ListFilter, page = 1): string {
  const query = new URLSearchParams();
  if (q) query.set('q', q);
  if (category) query.set('category', category);
  if (year) query.set('year', String(year));
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `/news?${query}` : '/news';
}
