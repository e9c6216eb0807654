/** schema.org data of the news pages. Server only. */
import type { Json, Site } from '@colonnade/mfe';

type Block = { [key: string]: Json };

/** The way from the first page to this one. @param trail name and path of each step */
export function breadcrumbs(site: Site, trail: [name: string, path: string][]): Block {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [[site.name, '/'] as const, ...trail].map(([name, path], i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: site.origin + path,
    })),
  };
}

/** Who publishes: the site. */
export function publisher(site: Site): Block {
  return { '@type': 'Organization', name: site.name, url: `${site.origin}/` };
}
