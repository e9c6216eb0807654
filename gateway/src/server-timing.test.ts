import { expect, test } from 'vitest';
import { page } from '../fixtures/page-cache.ts';
import { siteOf } from '../test/cached-site.ts';
import { SetsSite } from '../test/sets-site.ts';

const tookMs = (timing: string | string[] | null | undefined) => Number(/^upstream;dur=(\d+\.\d)$/.exec(String(timing))?.[1] ?? Number.NaN);

test('a page for which the shell was asked says how long that took; a copy and what is no page do not', async () => {
  const site = await new SetsSite().start();
  await site.point({ live: 'one' });
  const timing = async (path: string) => (await site.visit(path)).headers.get('server-timing');
  for (const path of ['/inquiry', '/inquiry', '/news']) expect(tookMs(await timing(path)), path).toBeGreaterThan(0);
  // The first copy comes by way of the application, the second before it.
  for (const path of ['/news', '/news', '/api/news', '/_mfe/a.js', '/news/']) expect(await timing(path), path).toBeNull();
});

test('it is the time of this visitor’s request, whatever the shell says', async () => {
  const slow = { ...page('slow', { 'server-timing': 'db;dur=1' }) };
  const site = await siteOf(() => new Promise((resolve) => setTimeout(resolve, 500, slow)));
  const first = site.visit('/news');
  await expect.poll(() => site.asked).toHaveLength(1);
  const [begun, joined] = await Promise.all([first, site.visit('/news')]);
  expect(tookMs(begun.headers['server-timing'])).toBeGreaterThan(450);
  expect(tookMs(joined.headers['server-timing'])).toBeLessThan(tookMs(begun.headers['server-timing']));
  expect((await site.visit('/news')).headers).not.toHaveProperty('server-timing');
});
