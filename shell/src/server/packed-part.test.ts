import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipAfter, packPart } from './packed-part.ts';

const level = 5;
const words = (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => `word ${i % 97} of ${i} `).join(''));

test.each([
  ['a page', words(800), words(700)],
  ['nothing after it', words(800), Buffer.alloc(0)],
  ['an empty part', Buffer.alloc(0), words(700)],
  ['a part beyond what deflate looks back to', words(9000), words(700)],
  ['what cannot be packed', randomBytes(20_000), randomBytes(20_000)],
])('what is packed after a part is one gzip with it: %s', (_what, part, rest) => {
  const body = Buffer.concat([part, rest]);
  expect(gunzipSync(gzipAfter(packPart(part), body, level))).toEqual(body);
});

test('what comes after the part refers to it: hardly larger than packed at once', () => {
  const [part, rest] = [words(800), words(800)];
  const gzip = gzipAfter(packPart(part), Buffer.concat([part, rest]), level);
  expect(gzip.length).toBeLessThan(gzipSync(Buffer.concat([part, rest]), { level }).length * 1.05);
  // The control: on its own the second half would take its bytes again.
  expect(gzip.length).toBeLessThan(gzipSync(part, { level }).length + gzipSync(rest, { level }).length / 2);
});
