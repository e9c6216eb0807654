import type { FeedEntry, Site } from '@colonnade/mfe';
import { xml } from './xml.ts';

/** An entry and whose it is: its id is unique in its microfrontend only. */
export interface OwnedEntry extends FeedEntry {
  mfe: string;
}

/** The site's feed in the Atom format (RFC 4287). Entries newest first. */
export function atomXml(entries: OwnedEntry[], site: Site): string {
  const host = new URL(site.origin).hostname;
  const updated =
    entries
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00Z';
  const head = [
    `<title>${xml(site.name)}</title>`,
    `<id>${xml(`${site.origin}/`)}</id>`,
    `<updated>${xml(updated)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xml(`${site.origin}/feed.xml`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(`${site.origin}/`)}"/>`,
    `<author><name>${xml(site.name)}</name></author>`,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(site.language)}">\n${[...head, ...entries.map((entry) => entryXml(entry, site, host))].join('\n')}\n</feed>\n`;
}

function entryXml(entry: OwnedEntry, site: Site, host: string): string {
  const language = entry.language && entry.language !== site.language ? ` xml:lang="${xml(entry.language)}"` : '';
  return [
    `<entry${language}><title>${xml(entry.title)}</title>`,
    // RFC 4151: an id that stays when host, title or address change. The year only says when the authority was sure.
    `<id>${xml(`tag:${host},2026:${entry.mfe}/${entry.id}`)}</id>`,
    `<link rel="alternate" type="text/html" href="${xml(site.origin + entry.path)}"/>`,
    `<published>${xml(entry.publishedAt)}</published><updated>${xml(entry.updatedAt)}</updated>`,
    entry.category ? `<category term="${xml(entry.category)}"/>` : '',
    `<summary>${xml(entry.summary)}</summary></entry>`,
  ].join('');
}
