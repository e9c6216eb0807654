import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipAround, packPart } from './packed-part.ts';

const level = 4;
const words = (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => `word ${i % 97} of ${i} `).join(''));

test.each([
  ['a page', 1200, words(800), words(700)],
  ['nothing before it', 0, words(800), words(700)],
  ['nothing after it', 1200, words(800), Buffer.alloc(0)],
  ['nothing but it', 0, words(800), Buffer.alloc(0)],
  ['an empty part', 1200, Buffer.alloc(0), words(700)],
  ['a part beyond what deflate looks back to', 1200, words(9000), words(700)],
  ['what cannot be packed', 1200, randomBytes(20_000), randomBytes(20_000)],
])('what is packed around a part is one gzip: %s', (_what, at, part, after) => {
  const body = Buffer.concat([words(400).subarray(0, at), part, after]);
  const gzip = gzipAround(body, packPart(part), at, level);
  expect(gunzipSync(gzip)).toEqual(body);
});

test('what comes after the part refers to it: hardly larger than packed at once', () => {
  const [part, after] = [words(800), words(800)];
  const body = Buffer.concat([Buffer.from('<title>'), part, after]);
  const gzip = gzipAround(body, packPart(part), 7, level);
  expect(gzip.length).toBeLessThan(gzipSync(body, { level }).length * 1.05);
  // The control: on its own the second half would take its bytes again.
  expect(gzip.length).toBeLessThan(gzipSync(part, { level }).length + gzipSync(after, { level }).length / 2);
});
