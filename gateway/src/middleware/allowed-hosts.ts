import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';

/**
 * Answers only to the site's own names: a page that shows its host, or a cache in front, must not be fed another.
 * @param hosts lower case, without ports
 */
export function allowedHosts(hosts: string[]): RequestHandler {
  const known = new Set(hosts);
  return (req, _res, next) => {
    const given = req.rawHeaders.filter((_, i) => i % 2 === 0 && req.rawHeaders[i]?.toLowerCase() === 'host').length;
    // RFC 9112 section 3.2: exactly one Host. Node lets a second one pass.
    if (given !== 1) return next(new Problem(400, 'Bad request', { detail: 'Send exactly one Host header.' }));
    const name = /^(\[[0-9a-f:.]+\]|[^:/?#@\\]+)(?::\d{1,5})?$/i.exec(req.headers.host ?? '')?.[1]?.toLowerCase();
    next(
      name && known.has(name)
        ? undefined
        : new Problem(421, 'Misdirected request', { detail: 'This server does not answer for that host.' }),
    );
  };
}
