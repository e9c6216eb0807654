import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Cookie, cookieOf } from './cookies.ts';

const name = 'colonnade-bucket';
const buckets = 100;
/** Longer than a canary runs; short enough that nobody gets every canary of a year. */
const maxAgeS = 24 * 60 * 60;

/**
 * The visitor's bucket, 0 to 99: those below the canary's percentage get the canary, so whoever is in stays in when it
 * grows. Who has none gets one at random, and the cookie that keeps it.
 */
export function bucketOf(req: IncomingMessage): { bucket: number; cookie?: Cookie } {
  const given = cookieOf(req, name);
  if (given !== undefined && /^(\d|[1-9]\d)$/.test(given)) return { bucket: Number(given) };
  const bucket = randomInt(buckets);
  return { bucket, cookie: { name, value: String(bucket), maxAgeS } };
}
