import type { IncomingMessage } from 'node:http';
import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';

/**
 * Answers only to the site's own names: a page that shows its host, or a cache in front, must not be fed another.
 * @param known lower case, without ports
 */
export function allowedHosts(known: ReadonlySet<string>): RequestHandler {
  return (req, _res, next) => {
    if (hostCount(req) !== 1) return next(new Problem(400, 'Bad request', { detail: 'Send exactly one Host header.' }));
    next(
      isKnownHost(req.headers.host, known)
        ? undefined
        : new Problem(421, 'Misdirected request', { detail: 'This server does not answer for that host.' }),
    );
  };
}

/** RFC 9112 section 3.2: exactly one Host. Node lets a second one pass. */
export function hostCount({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** @param host as it was sent, with or without a port */
export function isKnownHost(host: string | undefined, known: ReadonlySet<string>): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[^:/?#@\\]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase();
  return name !== undefined && known.has(name);
}
