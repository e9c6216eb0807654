import type { FeedEntry, Site } from '@colonnade/mfe';
import { xml } from './xml.ts';

/** An entry as it stands in the feed. */
export interface AtomEntry {
  publishedAt: string;
  updatedAt: string;
  xml: string;
}

/**
 * The site's feed in the Atom format (RFC 4287).
 * @param entries newest first
 * @param authority of its ids, as the site's content file says it
 */
export function atomXml(entries: AtomEntry[], site: Site, authority: string): string {
  const updated =
    entries
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00Z';
  const head = [
    `<title>${xml(site.name)}</title>`,
    `<id>${xml(tagUri(authority, 'feed'))}</id>`,
    `<updated>${xml(updated)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xml(`${site.origin}/feed.xml`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(`${site.origin}/`)}"/>`,
    `<author><name>${xml(site.name)}</name></author>`,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(site.language)}">\n${[...head, ...entries.map((entry) => entry.xml)].join('\n')}\n</feed>\n`;
}

/** An entry of a microfrontend; its id is unique there only. @throws TypeError where it lacks something */
export function atomEntry(entry: FeedEntry, mfe: string, site: Site, authority: string): AtomEntry {
  const { publishedAt, updatedAt } = entry;
  const language = entry.language && entry.language !== site.language ? ` xml:lang="${xml(entry.language)}"` : '';
  const parts = [
    `<entry${language}><title>${xml(entry.title)}</title>`,
    `<id>${xml(tagUri(authority, `${mfe}/${entry.id}`))}</id>`,
    `<link rel="alternate" type="text/html" href="${xml(site.origin + entry.path)}"/>`,
    `<published>${xml(publishedAt)}</published><updated>${xml(updatedAt)}</updated>`,
    entry.category ? `<category term="${xml(entry.category)}"/>` : '',
    `<summary>${xml(entry.summary)}</summary></entry>`,
  ];
  return { publishedAt, updatedAt, xml: parts.join('') };
}

/** An id that stays when host, title or address change (RFC 4151). */
function tagUri(authority: string, what: string): string {
  return `tag:${authority}:${what}`;
}
