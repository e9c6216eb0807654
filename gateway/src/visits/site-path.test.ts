import { expect, test } from 'vitest';
import { elsewhere } from '../../test/elsewhere.ts';
import { sitePath } from './site-path.ts';

const origin = 'https://site.example';

test.each([
  ['/', '/'],
  ['/news', '/news'],
  ['/news?page=2&q=a%20b#top', '/news?page=2&q=a%20b#top'],
  ['/news/../inquiry', '/inquiry'],
  ['/news?to=//evil.example', '/news?to=//evil.example'],
  ['/@evil.example', '/@evil.example'],
])('%s leads to %s', (to, expected) => {
  expect(sitePath(to, origin)).toBe(expected);
});

test.each(elsewhere)('%j leads nowhere', (to) => {
  expect(sitePath(to, origin)).toBeNull();
});

test('control: a browser that is sent to many of them leaves the site, or is sent to a path that would', () => {
  const leaves = elsewhere.filter((to) => {
    const url = URL.parse(to, origin);
    return url !== null && (url.origin !== origin || url.pathname.startsWith('//'));
  });
  expect(leaves.length).toBeGreaterThan(15);
});
