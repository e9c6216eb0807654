/** The groups of the news page. */
export type Category = 'products' | 'calibration' | 'company' | 'exhibitions';

/** One item as it was written, before shared paragraphs are added. */
export interface Draft {
  /** `2026-11-05` */
  date: string;
  /** Follows the date in the id. */
  slug: string;
  category: Category;
  /** Which shared paragraphs fit: `notice`, `fair`. */
  kind: string;
  language: 'en' | 'ja';
  title: string;
  excerpt: string;
  /** Markdown blocks. */
  blocks: string[];
}

/**
 * Reads items from a text in which a blank line ends an item: `date category/kind slug`, title, excerpt, then one
 * Markdown block a line; neighbouring lines of one list or table are one block.
 */
export function parse(text: string): Draft[] {
  return paragraphs(text).map((lines) => {
    const [head = '', title = '', excerpt = '', ...rest] = lines;
    const match = /^(\d{4}-\d\d-\d\d) (products|calibration|company|exhibitions)\/(\w+) ([a-z0-9-]+)$/.exec(head);
    if (!match) throw new Error(`sample news: not a head line: ${head}`);
    const [, date = '', category, kind = '', slug = ''] = match;
    return {
      date,
      slug,
      category: category as Category,
      kind,
      language: kind === 'ja' ? 'ja' : 'en',
      title,
      excerpt,
      blocks: blocks(rest),
    };
  });
}

/** A shared paragraph: heading and Markdown. */
export interface Fragment {
  heading: string;
  text: string;
}

/** Reads shared paragraphs: `kind Heading`, then their blocks as in `parse`. */
export function parseFragments(text: string): Map<string, Fragment[]> {
  const byKind = new Map<string, Fragment[]>();
  for (const [head = '', ...rest] of paragraphs(text)) {
    const space = head.indexOf(' ');
    const kind = head.slice(0, space);
    byKind.set(kind, [...(byKind.get(kind) ?? []), { heading: head.slice(space + 1), text: blocks(rest).join('\n\n') }]);
  }
  return byKind;
}

const paragraphs = (text: string): string[][] =>
  text
    .trim()
    .split(/\n\n+/)
    .map((part) => part.split('\n'));

function blocks(lines: string[]): string[] {
  const result: string[] = [];
  let mark = '';
  for (const line of lines) {
    const now = /^(- |\|)/.exec(line)?.[1] ?? '';
    if (now && now === mark) result[result.length - 1] += `\n${line}`;
    else result.push(line);
    mark = now;
  }
  return result;
}
