import { pages } from '../support/site.ts';
import { expect, test } from '../support/test.ts';

/** Many are in the owner's texts, and a build of one part does not know the pages of the others. */
test('what the pages link to and show of this site is there', async ({ request }) => {
  const placesOf = new Map<string, Set<string>>();
  for (const { path } of pages) {
    const page = await request.get(path);
    for (const [, target = ''] of (await page.text()).matchAll(/<(?:a|img)\s[^>]*?(?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, search } = new URL(target.replaceAll('&amp;', '&'), page.url());
      const url = pathname + search;
      if (origin === new URL(page.url()).origin) placesOf.set(url, (placesOf.get(url) ?? new Set()).add(path));
    }
  }
  // The control: more than header and footer were read.
  expect(placesOf.size).toBeGreaterThan(20);
  const missing: string[] = [];
  for (const [url, places] of placesOf) {
    const answer = await request.get(url);
    if (!answer.ok()) missing.push(`${url}, on ${[...places].join(', ')}: ${answer.status()}`);
  }
  expect(missing).toEqual([]);
});
