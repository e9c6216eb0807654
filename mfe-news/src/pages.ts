/**
 * Which page numbers a pager shows: all of ten, else the ends and the neighbourhood of the current one. Seven places
 * of four digits fit on a phone. `null` stands for what is left out.
 */
export function pageWindow(current: number, pages: number): (number | null)[] {
  if (pages <= 10) return range(1, pages);
  if (current <= 4) return [...range(1, 5), null, pages];
  if (current >= pages - 3) return [1, null, ...range(pages - 4, pages)];
  return [1, null, ...range(current - 1, current + 1), null, pages];
}

/** `12,345`: the same in every environment. */
export function grouped(n: number): string {
  return thousands.format(n);
}
const thousands = new Intl.NumberFormat('en-US');

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
