import type { SitemapEntry } from '@colonnade/mfe';
import { xml } from './xml.ts';

/**
 * Half of what the gateway takes of an answer. As each URL takes 32 bytes or more, there are fewer than the 50,000 that the protocol
 * allows a file, too.
 */
const maxFileBytes = 1_000_000;

/** A page as a sitemap file lists it. */
export function urlXml({ path, lastModified }: SitemapEntry, origin: string): string {
  return `<url><loc>${xml(origin + path)}</loc>${lastModified ? `<lastmod>${xml(lastModified)}</lastmod>` : ''}</url>\n`;
}

/** The files that list these URLs, at least one. @see https://www.sitemaps.org/protocol.html */
export function* sitemapFiles(urls: string[]): Generator<string> {
  let from = 0;
  let bytes = 0;
  for (const [i, url] of urls.entries()) {
    const more = Buffer.byteLength(url);
    if (bytes > 0 && bytes + more > maxFileBytes) {
      yield fileXml(urls.slice(from, i));
      from = i;
      bytes = 0;
    }
    bytes += more;
  }
  yield fileXml(urls.slice(from));
}

/** For sites of more pages than one file may hold: the list of the files `/sitemap-1.xml` and so on. */
export function sitemapIndexXml(files: number, origin: string): string {
  const locations = Array.from({ length: files }, (_, i) => `<sitemap><loc>${xml(`${origin}/sitemap-${i + 1}.xml`)}</loc></sitemap>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join('\n')}\n</sitemapindex>\n`;
}

function fileXml(urls: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`;
}
