import type { Meta, Site } from '@colonnade/mfe';
import { categoryLabels, listPath } from './categories.ts';
import type { NewsItem } from './routes/news-item.server.ts';
import type { NewsList } from './routes/news-list.server.ts';

/** What one page of the list has that others have not; of the whole list’s first page nothing. */
export function aboutList({ filter: { category, year, q }, page }: NewsList): string {
  return [q && `search for “${q}”`, category && categoryLabels[category], year, page > 1 && `page ${page}`].filter(Boolean).join(', ');
}

/** Title, description and addresses differ for each page of the list, so that none looks like a copy of another. */
export function listMeta({ data, site }: { data: NewsList; site: Site }): Meta {
  const { filter, page, pages } = data;
  const { q } = filter;
  const about = aboutList(data);
  return {
    title: about ? `News: ${about}` : 'News',
    description: `News from ${site.name}: ${about || 'instruments, calibration, company and exhibitions'}.`,
    canonical: listPath(filter, page),
    // What a search finds is no page of its own; the items it leads to are.
    robots: q ? 'noindex' : undefined,
    previous: page > 1 ? listPath(filter, page - 1) : undefined,
    next: page < pages ? listPath(filter, page + 1) : undefined,
  };
}

/** The excerpt is the description; the series runs from newer to older, as the list does. */
export function itemMeta({ data }: { data: NewsItem }): Meta {
  return {
    title: data.title,
    description: data.excerpt,
    type: 'article',
    publishedAt: data.publishedAt,
    previous: data.newer ? `/news/${data.newer.newsId}` : undefined,
    next: data.older ? `/news/${data.older.newsId}` : undefined,
  };
}
