import { grouped } from './pages.ts';

/** What is said above the results of a search. `more`: it stopped at so many. */
export function found(q: string, { total, more }: { total: number; more?: true }): string {
  if (total === 0) return `Nothing found for “${q}”. Fewer or other words may find it.`;
  const items = count(total);
  return more ? `The newest ${items} found for “${q}”. Further words may find older ones.` : `${items} found for “${q}”`;
}

/** `1,234 items`. */
export function count(total: number): string {
  return `${grouped(total)} ${total === 1 ? 'item' : 'items'}`;
}
