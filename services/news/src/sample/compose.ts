import type { Draft, Fragment } from './drafts.ts';

const weekdays = ['Tuesday', 'Wednesday', 'Thursday', 'Friday'];

/**
 * The Markdown body of an item: its own blocks and, where it is short, shared paragraphs of its kind. Which ones, and
 * the figures in them, follow from the id alone.
 */
export function compose(id: string, draft: Draft, pool: readonly Fragment[]): string {
  const random = seeded(id);
  const picked = pick(pool, wanted(draft.blocks.length, random), random);
  const fill = filler(draft.date, random);
  const shared = picked.map(({ heading, text }) => (picked.length > 1 ? `## ${heading}\n\n${fill(text)}` : fill(text)));
  return `${[...draft.blocks, ...shared].join('\n\n')}\n`;
}

/** How many paragraphs to add: one item in eight becomes a long read. */
function wanted(own: number, random: () => number): number {
  if (own > 2) return 0;
  if (random() < 0.125) return 9;
  return own === 2 ? Math.floor(random() * 3) : 1 + Math.floor(random() * 4);
}

function pick(pool: readonly Fragment[], count: number, random: () => number): Fragment[] {
  const rest = [...pool];
  const picked: Fragment[] = [];
  while (picked.length < count && rest.length > 0) picked.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return picked;
}

function filler(date: string, random: () => number): (text: string) => string {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const first = between(100, 4800);
  const values: Record<string, () => string> = {
    serials: () => `${date.slice(2, 4)}-${serial(first)} to ${date.slice(2, 4)}-${serial(first + between(20, 380))}`,
    n: () => String(between(12, 48)),
    weeks: () => String(between(3, 9)),
    weekday: () => weekdays[between(0, weekdays.length - 1)] as string,
    year: () => date.slice(0, 4),
  };
  return (text) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name]?.() ?? whole);
}

const serial = (n: number): string => String(n).padStart(4, '0');

/** mulberry32 over an FNV-1a hash: small, and the same everywhere. */
function seeded(text: string): () => number {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) as number), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
