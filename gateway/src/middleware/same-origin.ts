import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';

/**
 * Refuses what another site makes a visitor's browser send. Browsers say where a request comes from; a program that
 * says nothing (no `Sec-Fetch-Site`, no `Origin`) carries no visitor's authority either.
 */
export const sameOrigin: RequestHandler = (req, _res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  const site = req.get('sec-fetch-site');
  const origin = req.get('origin');
  const passes = site === undefined ? origin === undefined || sameHost(origin, req.headers.host) : site === 'same-origin';
  next(passes ? undefined : new Problem(403, 'Forbidden', { detail: 'This address takes requests from its own site only.' }));
};

function sameHost(origin: string, host: string | undefined): boolean {
  return URL.parse(origin)?.host === host;
}
