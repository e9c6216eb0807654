import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';

/** What another hop might read as a separator, a parent folder, or the end of a line or of a string; and `%25`, which hides them all. */
const ambiguous = /[^\x21-\x7e]|[\\#]|\/\/|%2f|%5c|%25|%[01][0-9a-f]|%7f|(^|\/)(\.|%2e){1,2}(\/|$)/i;
/** RFC 3986 section 2.3: encoded or not, they mean the same. */
const unreserved = /[A-Za-z0-9._~-]/;

/**
 * One spelling for each path, before anything is routed by it. What could mean two things is refused; another spelling of
 * the same path (a trailing slash, `%6E` for `n`, `%c3` for `%C3`) is sent to the one.
 */
export const canonicalPath: RequestHandler = (req, res, next) => {
  const [path = '', query] = req.originalUrl.split(/\?(.*)/s, 2);
  if (!path.startsWith('/') || ambiguous.test(path) || !decodes(path)) return next(invalid());
  const canonical = path === '/' ? path : path.replace(/\/$/, '').replace(/%[0-9a-f]{2}/gi, plain);
  if (canonical === path) return next();
  if (req.method !== 'GET' && req.method !== 'HEAD') return next(path.endsWith('/') ? undefined : invalid());
  res.set('Cache-Control', 'no-store').redirect(308, canonical + (query === undefined ? '' : `?${query}`));
};

function plain(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return unreserved.test(character) ? character : encoded.toUpperCase();
}

function invalid(): Problem {
  return new Problem(400, 'Bad request', { detail: 'The path is not valid.' });
}

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
