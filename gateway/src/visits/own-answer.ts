import type { ServerResponse } from 'node:http';
import { sharedFields } from '../page-cache/shared-caches.ts';

interface OwnAnswer {
  /** Values of `Set-Cookie`. */
  cookies: string[];
  /** Whether the visitor's browser may keep it. */
  storable: boolean;
}

/**
 * Makes an answer its visitor's own, whoever gives it (a copy, the shell, an error): no shared cache may store what sets a
 * cookie or depends on one.
 */
export function ownAnswer(res: ServerResponse, { cookies, storable }: OwnAnswer): void {
  const { writeHead } = res;
  // The one place through which every answer goes after its last header was set.
  res.writeHead = (...given: unknown[]) => {
    res.writeHead = writeHead;
    res.setHeader('Cache-Control', storable ? privately(res.getHeader('Cache-Control')) : 'private, no-store');
    for (const name of sharedFields) res.removeHeader(name);
    if (cookies.length > 0) res.appendHeader('Set-Cookie', cookies);
    return Reflect.apply(writeHead, res, given);
  };
}

/** The same for the visitor's browser; for nobody else. Without a word of it a browser would guess how long it may keep the answer. */
function privately(control: number | string | string[] | undefined): string {
  const directives = String(control ?? 'no-cache').split(',');
  const others = directives.map((directive) => directive.trim()).filter((directive) => !/^(public|private|s-maxage)\b/i.test(directive));
  return ['private', ...others].join(', ');
}
