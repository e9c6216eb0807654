import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';

/** Those that an address might have; which it has is said by its route. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const urlLimitBytes = 8192;
const fieldLimit = 100;

/**
 * Refuses what HTTP allows but no visitor of a website sends: it is where two servers disagree about what was asked.
 * Before anything looks at the URL.
 */
export const ordinaryRequest: RequestHandler = (req, _res, next) => next(refusal(req));

/** Why it is refused, if it is. */
export function refusal({ method = '', url = '', headers, rawHeaders }: IncomingMessage): Problem | undefined {
  if (!methods.has(method)) return new Problem(405, 'Method not allowed', { headers: { Allow: 'GET, HEAD, POST' } });
  if (url.length > urlLimitBytes) return new Problem(414, 'URI too long');
  // Absolute-form names a host of its own beside Host; `*` names no page.
  if (!url.startsWith('/')) return bad('The request target must be a path.');
  if (rawHeaders.length / 2 > fieldLimit) {
    return new Problem(431, 'Request header fields too large', { detail: `Send at most ${fieldLimit} header fields.` });
  }
  if (headers.upgrade !== undefined) return bad('This server changes to no other protocol.');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') return new Problem(417, 'Expectation failed');
  if (method !== 'POST' && hasBody(headers)) return bad(`A ${method} has no body here.`);
  return undefined;
}

/** Whether bytes follow the head of a request. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function bad(detail: string): Problem {
  return new Problem(400, 'Bad request', { detail });
}
