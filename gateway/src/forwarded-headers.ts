/** What is said from hop to hop only, or about a visitor by somebody who may not: it crosses this gateway in neither direction. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { traceparent } from '@colonnade/service/trace';

/** RFC 9110 section 7.6.1, and what older agents use. `Expect` is answered here, as the body is read here. */
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|expect)$/;
/** Who the visitor is, what was asked and as part of what, told by whoever stands before the gateway: only the gateway itself may. */
const forwarding =
  /^(forwarded|x-forwarded(-.*)?|x-real-ip|x-client-ip|true-client-ip|x-original-.*|x-rewrite-url|x-http-method.*|x-method-override|traceparent|tracestate)$/;
/** Of ours, and what shared caches are told: that too is for the gateway alone to say. */
const internal = /^(x-colonnade-.*|x-powered-by|x-accel-.*|surrogate-.*|(.*-)?cdn-cache-control)$/;

/**
 * The headers of a visitor's request as they go on: with the visitor's address and the length of the body as this gateway
 * knows them, and the visitor's Host.
 */
export function forwardedHeaders(req: IncomingMessage & { id: string; ip?: string | undefined }, bodyBytes: number): IncomingHttpHeaders {
  const headers = without(req.headers, fromVisitors);
  headers.host = req.headers.host;
  headers['x-request-id'] = req.id;
  Object.assign(headers, traceparent());
  headers['x-forwarded-for'] = plainAddress(req.ip ?? '');
  delete headers['content-length'];
  if (req.method === 'POST') headers['content-length'] = String(bodyBytes);
  return headers;
}

/** The headers of an upstream's answer as this process reads them: internal ones are for the page cache. */
export function answeredHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, fromUpstreams);
}

/** The headers of an upstream's answer as the visitor gets them. */
export function publicHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, toVisitors);
}

/** An IPv4 address that came in on a socket for both families, in its own spelling. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

const fromVisitors = dropping((name) => hopByHop.test(name) || forwarding.test(name) || internal.test(name));
const fromUpstreams = dropping((name) => hopByHop.test(name) || name === 'x-powered-by');
const toVisitors = dropping((name) => hopByHop.test(name) || internal.test(name));

function without(headers: IncomingHttpHeaders, drops: (name: string) => boolean): IncomingHttpHeaders {
  const { connection } = headers;
  const named =
    connection === undefined || ordinary.test(connection) ? null : connection.split(',').map((name) => name.trim().toLowerCase());
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) if (!named?.includes(name) && !drops(name)) kept[name] = headers[name];
  return kept;
}

/** Names no other header. */
const ordinary = /^(keep-alive|close)$/i;
/** Visitors can think of any number of names. */
const maxRemembered = 500;

/** A rule about names, with what it has said of those it was asked before. */
function dropping(rule: (name: string) => boolean): (name: string) => boolean {
  const remembered = new Map<string, boolean>();
  return (name) => {
    let drops = remembered.get(name);
    if (drops !== undefined) return drops;
    // Some servers read `_` and `-` as the same (CGI does): both spellings of a name are the same here.
    drops = rule(name.replaceAll('_', '-'));
    if (remembered.size < maxRemembered) remembered.set(name, drops);
    return drops;
  };
}
