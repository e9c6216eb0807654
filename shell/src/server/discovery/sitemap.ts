import type { SitemapEntry } from '@colonnade/mfe';
import { xml } from './xml.ts';

/** Of the sitemaps protocol: URLs a file may hold. */
export const maxUrls = 50_000;

/** One sitemap file. @see https://www.sitemaps.org/protocol.html */
export function sitemapXml(entries: SitemapEntry[], origin: string): string {
  const urls = entries.map(
    ({ path, lastModified }) =>
      `<url><loc>${xml(origin + path)}</loc>${lastModified ? `<lastmod>${xml(lastModified)}</lastmod>` : ''}</url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

/** For sites of more pages than one file may hold: the list of the files `/sitemap-1.xml` and so on. */
export function sitemapIndexXml(files: number, origin: string): string {
  const locations = Array.from({ length: files }, (_, i) => `<sitemap><loc>${xml(`${origin}/sitemap-${i + 1}.xml`)}</loc></sitemap>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join('\n')}\n</sitemapindex>\n`;
}
