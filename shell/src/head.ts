import type { Meta, Site } from '@colonnade/mfe';
import { pagePath } from '@colonnade/mfe/host';

/** One element of the head: its name and its attributes; the first attribute tells it from its siblings. */
export type HeadTag = ['meta' | 'link', Record<string, string>];

/** The document's title: `Company · Nollvik`; a page that bears the site's name stands alone. */
export function documentTitle(meta: Meta, site: Site): string {
  return meta.title.includes(site.name) ? meta.title : `${meta.title} · ${site.name}`;
}

/** What changes in the head from page to page, besides the title. */
export function headTags(meta: Meta, site: Site, url: string): HeadTag[] {
  const absolute = (path: string) => site.origin + path;
  const canonical = absolute(meta.canonical ?? pagePath({ url }));
  const tags: HeadTag[] = [['meta', { name: 'description', content: meta.description }]];
  if (meta.robots) tags.push(['meta', { name: 'robots', content: meta.robots }]);
  else tags.push(['link', { rel: 'canonical', href: canonical }]);
  if (meta.previous) tags.push(['link', { rel: 'prev', href: absolute(meta.previous) }]);
  if (meta.next) tags.push(['link', { rel: 'next', href: absolute(meta.next) }]);
  const graph: Record<string, string | undefined> = {
    'og:site_name': site.name,
    'og:title': meta.title,
    'og:description': meta.description,
    'og:type': meta.type ?? 'website',
    'og:url': canonical,
    'article:published_time': meta.publishedAt,
  };
  for (const [property, content] of Object.entries(graph)) if (content) tags.push(['meta', { property, content }]);
  return tags;
}
