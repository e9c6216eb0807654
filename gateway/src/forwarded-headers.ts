/** What is said from hop to hop only, or about a visitor by somebody who may not: it crosses this gateway in neither direction. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** RFC 9110 section 7.6.1, and what older agents use. `Expect` is answered here, as the body is read here. */
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|expect)$/;
/** Who the visitor is and what was asked, told by whoever stands before the gateway: only the gateway itself may. */
const forwarding =
  /^(forwarded|x-forwarded(-.*)?|x-real-ip|x-client-ip|true-client-ip|x-original-.*|x-rewrite-url|x-http-method.*|x-method-override)$/;
/** Of ours, and what shared caches are told: that too is for the gateway alone to say. */
const internal = /^(x-colonnade-.*|x-powered-by|x-accel-.*|surrogate-.*|(.*-)?cdn-cache-control)$/;

/**
 * The headers of a visitor's request as they go on: with the visitor's address and the length of the body as this gateway
 * knows them, and the visitor's Host.
 */
export function forwardedHeaders(req: IncomingMessage & { id: string; ip?: string | undefined }, bodyBytes: number): IncomingHttpHeaders {
  const headers = without(req.headers, (name) => hopByHop.test(name) || forwarding.test(name) || internal.test(name));
  headers.host = req.headers.host;
  headers['x-request-id'] = req.id;
  headers['x-forwarded-for'] = plainAddress(req.ip ?? '');
  delete headers['content-length'];
  if (req.method === 'POST') headers['content-length'] = String(bodyBytes);
  return headers;
}

/** The headers of an upstream's answer as this process reads them: internal ones are for the page cache. */
export function answeredHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, (name) => hopByHop.test(name) || name === 'x-powered-by');
}

/** The headers of an upstream's answer as the visitor gets them. */
export function publicHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(answeredHeaders(headers), (name) => internal.test(name));
}

/** An IPv4 address that came in on a socket for both families, in its own spelling. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function without(headers: IncomingHttpHeaders, drop: (name: string) => boolean): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  // Some servers read `_` and `-` as the same (CGI does): both spellings of a name are the same here.
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !named.has(name) && !drop(name.replaceAll('_', '-'))));
}
