import type { Meta, Site } from '@colonnade/mfe';
import { categoryLabels, listPath } from './categories.ts';
import type { NewsItem } from './routes/news-item.server.ts';
import type { NewsList } from './routes/news-list.server.ts';

/** Title, description and addresses differ for each page of the list, so that none looks like a copy of another. */
export function listMeta({ data, site }: { data: NewsList; site: Site }): Meta {
  const { category, page, pages } = data;
  const about = category ? `: ${categoryLabels[category]}` : '';
  const onPage = page > 1 ? `, page ${page}` : '';
  const subject = category ? categoryLabels[category].toLowerCase() : 'instruments, calibration, company and exhibitions';
  return {
    title: `News${about}${onPage}`,
    description: `News from ${site.name}: ${subject}${page > 1 ? `, page ${page} of ${pages}` : ''}.`,
    canonical: listPath(category, page),
    previous: page > 1 ? listPath(category, page - 1) : undefined,
    next: page < pages ? listPath(category, page + 1) : undefined,
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
