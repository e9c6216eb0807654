import type { RequestHandler } from 'express';

const tellMs = 1000;

/** Counts this worker's page views and those that ended with 500, and tells the supervisor: by them a release is judged. */
export function countPages(): RequestHandler {
  let counts = { pages: 0, errors: 0 };
  setInterval(() => {
    if (counts.pages === 0) return;
    process.send?.({ counts }, () => {});
    counts = { pages: 0, errors: 0 };
  }, tellMs).unref();
  return (_req, res, next) => {
    res.once('finish', () => {
      if (res.locals.route !== 'page') return;
      counts.pages++;
      if (res.statusCode === 500) counts.errors++;
    });
    next();
  };
}
