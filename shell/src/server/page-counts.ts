import type { RequestHandler } from 'express';

declare global {
  namespace Express {
    interface Locals {
      /** What a page request comes to, until it is answered. `spoiled`: it lacks something because of what a release did. */
      outcome?: { readonly spoiled: boolean };
    }
  }
}

const tellMs = 1000;

/**
 * Counts this worker's page views and those that failed: by them a release is judged. Failed is what ended with 500, and what is
 * spoiled otherwise. Any other 503 is a service's doing.
 * @param tell is given what is new, once a second
 */
export function countPages(tell: (counts: { pages: number; errors: number }) => void): RequestHandler {
  let counts = { pages: 0, errors: 0 };
  setInterval(() => {
    if (counts.pages === 0) return;
    tell(counts);
    counts = { pages: 0, errors: 0 };
  }, tellMs).unref();
  return (_req, res, next) => {
    res.once('finish', () => {
      if (res.locals.route !== 'page') return;
      counts.pages++;
      if (res.statusCode === 500 || res.locals.outcome?.spoiled) counts.errors++;
    });
    next();
  };
}
