import type { Params } from './contract.ts';

/**
 * Matches a path against a route pattern, segment by segment.
 * @param pattern `/news/:newsId`; a parameter is one whole, non-empty segment
 * @param path percent-encoded path without query
 * @returns decoded parameters, or null where it does not match or is not valid UTF-8
 */
export function matchPath(pattern: string, path: string): Params | null {
  const want = pattern.split('/');
  const have = path.split('/');
  if (want.length !== have.length) return null;
  const params: Params = {};
  for (const [i, segment] of want.entries()) {
    const value = have[i] as string;
    if (!segment.startsWith(':')) {
      if (segment !== value) return null;
      continue;
    }
    if (value === '') return null;
    try {
      params[segment.slice(1)] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return params;
}

/** Sort order in which the first match wins: fixed segments before parameters, from the left. */
export function compareSpecificity(a: string, b: string): number {
  const [as, bs] = [a.split('/'), b.split('/')];
  for (let i = 0; i < Math.max(as.length, bs.length); i++) {
    const [ap, bp] = [as[i]?.startsWith(':') ?? false, bs[i]?.startsWith(':') ?? false];
    if (ap !== bp) return ap ? 1 : -1;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two patterns can claim the same path with the same rank: then no order between them is right. */
export function conflicts(a: string, b: string): boolean {
  const [as, bs] = [a.split('/'), b.split('/')];
  return (
    as.length === bs.length && as.every((segment, i) => segment === bs[i] || (segment.startsWith(':') && (bs[i]?.startsWith(':') ?? false)))
  );
}
