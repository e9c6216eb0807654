import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';

/** What another hop might read as a separator, a parent folder or the end of a string. */
const ambiguous = /\\|\/\/|%2f|%5c|%00|%25|(^|\/)(\.|%2e){1,2}(\/|$)/i;

/**
 * One spelling for each path, before anything is routed by it. What could mean two things is refused; a trailing slash
 * is sent to the address without it.
 */
export const canonicalPath: RequestHandler = (req, res, next) => {
  const [path = '', query] = req.originalUrl.split(/\?(.*)/s, 2);
  if (!path.startsWith('/') || ambiguous.test(path) || !decodes(path)) {
    return next(new Problem(400, 'Bad request', { detail: 'The path is not valid.' }));
  }
  if (path.length > 1 && path.endsWith('/') && (req.method === 'GET' || req.method === 'HEAD')) {
    return res.redirect(308, path.replace(/\/+$/, '') + (query === undefined ? '' : `?${query}`));
  }
  next();
};

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
