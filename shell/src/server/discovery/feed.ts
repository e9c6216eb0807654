import type { FeedEntry, Site } from '@colonnade/mfe';
import { xml } from './xml.ts';

/** An entry and whose it is: its id is unique in its microfrontend only. */
export interface OwnedEntry extends FeedEntry {
  mfe: string;
}

/**
 * The site's feed in the Atom format (RFC 4287).
 * @param entries newest first
 * @param authority of its ids, as the site's content file says it
 */
export function atomXml(entries: OwnedEntry[], site: Site, authority: string): string {
  /** An id that stays when host, title or address change (RFC 4151). */
  const tag = (what: string) => `tag:${authority}:${what}`;
  const updated =
    entries
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00Z';
  const head = [
    `<title>${xml(site.name)}</title>`,
    `<id>${xml(tag('feed'))}</id>`,
    `<updated>${xml(updated)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xml(`${site.origin}/feed.xml`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(`${site.origin}/`)}"/>`,
    `<author><name>${xml(site.name)}</name></author>`,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(site.language)}">\n${[...head, ...entries.map((entry) => entryXml(entry, site, tag(`${entry.mfe}/${entry.id}`)))].join('\n')}\n</feed>\n`;
}

function entryXml(entry: OwnedEntry, site: Site, id: string): string {
  const language = entry.language && entry.language !== site.language ? ` xml:lang="${xml(entry.language)}"` : '';
  return [
    `<entry${language}><title>${xml(entry.title)}</title>`,
    `<id>${xml(id)}</id>`,
    `<link rel="alternate" type="text/html" href="${xml(site.origin + entry.path)}"/>`,
    `<published>${xml(entry.publishedAt)}</published><updated>${xml(entry.updatedAt)}</updated>`,
    entry.category ? `<category term="${xml(entry.category)}"/>` : '',
    `<summary>${xml(entry.summary)}</summary></entry>`,
  ].join('');
}
