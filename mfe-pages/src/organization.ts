/** schema.org data of the company. Server only. */
import type { Json, Site } from '@colonnade/mfe';
import company from '../content/company.md?only=organization';

/** The company, as search engines may show it. */
export function organization(site: Site): { [key: string]: Json } {
  const { legalName, foundingDate, telephone, ...address } = company.organization;
  return {
    '@type': 'Organization',
    name: site.name,
    url: `${site.origin}/`,
    legalName,
    foundingDate,
    telephone,
    address: { '@type': 'PostalAddress', ...address },
  };
}

/** The way from the first page to one below it. */
export function breadcrumbs(site: Site, name: string, path: string): { [key: string]: Json } {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: site.name, item: `${site.origin}/` },
      { '@type': 'ListItem', position: 2, name, item: site.origin + path },
    ],
  };
}
