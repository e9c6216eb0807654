import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { publicHeaders } from '../forwarded-headers.ts';
import type { UpstreamAnswer } from '../upstream.ts';
import { Body } from './body.ts';
import { type Encoding, encodingFor } from './encoding.ts';

/** Said anew each time the answer is sent, or about the one request that it came from. */
const perRequest = ['age', 'content-encoding', 'content-length', 'date', 'server-timing', 'vary', 'x-request-id'];

/** An answer of the shell, to be sent to any number of visitors. */
export interface Answer {
  readonly status: number;
  readonly headers: (readonly [name: string, value: string | string[]])[];
  /** Of a 200 only: no other status may become a 304. Weak: the packed variants have the same. */
  readonly etag: string | null;
  readonly body: Body;
}

/** @param resized told when the answer takes more memory than before */
export function answerOf({ status, headers: given, body }: UpstreamAnswer, resized = () => {}): Answer {
  const headers = publicHeaders(given);
  for (const name of perRequest) delete headers[name];
  if (status === 200) headers.etag ??= `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return {
    status,
    headers: Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    etag: status === 200 ? (headers.etag ?? null) : null,
    body: new Body(body, resized),
  };
}

/** By encoding, of an answer that is sent again and again. */
const raw = new WeakMap<Answer, Map<Encoding | null, string[]>>();

/**
 * Names and values as `writeHead` takes them, of all that is the same each time a 200 is sent in one encoding.
 * @param fields of every answer; the answer's own replace them
 */
export function rawFields(answer: Answer, encoding: Encoding | null, fields: Record<string, string>): string[] {
  const known = raw.get(answer) ?? new Map<Encoding | null, string[]>();
  let made = known.get(encoding);
  if (made === undefined) {
    const own = new Set(answer.headers.map(([name]) => name.toLowerCase()));
    made = [
      ...Object.entries(fields).filter(([name]) => !own.has(name.toLowerCase())),
      ...answer.headers.flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
      ['Vary', 'Accept-Encoding'],
      ...(encoding === null ? [] : [['Content-Encoding', encoding]]),
    ].flat();
    raw.set(answer, known.set(encoding, made));
  }
  return made;
}

/** Sends it in the encoding that the visitor takes, or 304 where the visitor has it. */
export function send(req: IncomingMessage, res: ServerResponse, { status, headers, etag, body }: Answer): void | Promise<void> {
  res.statusCode = status;
  for (const [name, value] of headers) res.setHeader(name, value);
  res.setHeader('Vary', 'Accept-Encoding');
  if (etag !== null && names(req.headers['if-none-match'], etag)) {
    // The policy and the other headers stay: a browser puts them in place of those it has kept.
    res.statusCode = 304;
    res.removeHeader('Content-Type');
    res.end();
    return;
  }
  const encoding = body.packable ? encodingFor(req.headers['accept-encoding'] as string | undefined) : null;
  if (encoding === null) return end(req, res, body.identity);
  res.setHeader('Content-Encoding', encoding);
  const packed = body.in(encoding);
  return Buffer.isBuffer(packed) ? end(req, res, packed) : packed.then((bytes) => end(req, res, bytes));
}

function end(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** RFC 9110 section 13.1.2: weak comparison. */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}
