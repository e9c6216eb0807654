import type { Page } from 'playwright/test';
import { expect, test } from '../support/test.ts';

/** Of the latest year. */
const entries = 'main section:has(> h2[id^="y"]):first-of-type > ol > li';

/** How many entries the latest year has had since, one after the other. */
async function watchEntries(page: Page): Promise<() => Promise<number[]>> {
  const seen = await page.evaluateHandle((selector) => {
    const counts: number[] = [];
    new MutationObserver(() => {
      const count = document.querySelectorAll(selector).length;
      if (count > 0 && count !== counts.at(-1)) counts.push(count);
    }).observe(document, { childList: true, subtree: true });
    return counts;
  }, entries);
  return () => seen.jsonValue();
}

/** Of a list that is longer than a screen. */
async function all(page: Page, open: (path: string) => Promise<void>): Promise<number> {
  await open('/news');
  const count = await page.locator(entries).count();
  expect(count).toBeGreaterThan(6);
  return count;
}

test('a page that comes by a click has its first screen first, and the rest when that is seen', async ({ open, page }) => {
  const count = await all(page, open);
  await open('/company');
  const seen = await watchEntries(page);
  await page.click('header a[href="/news"]');
  await expect.poll(seen).toEqual([6, count]);
  const sixth = await page.locator(entries).nth(5).boundingBox();
  expect(sixth?.y, 'what the first screen has ends below it').toBeGreaterThan(page.viewportSize()?.height as number);
});

for (const [where, prepare, go] of [
  ['a step back', (page: Page) => page.click('header a[href="/company"]'), (page: Page) => page.goBack()],
  [
    'a link to a part of the page',
    (page: Page) => page.goto('/company'),
    (page: Page) => page.evaluate(() => void navigation.navigate('/news#archive')),
  ],
  [
    'a screen on which there is more to see',
    async (page: Page) => {
      await page.setViewportSize({ width: 1280, height: 1400 });
      await page.goto('/company');
    },
    (page: Page) => page.click('header a[href="/news"]'),
  ],
] as const) {
  test(`${where} gets all of it at once`, async ({ open, page }) => {
    const count = await all(page, open);
    await prepare(page);
    await expect(page.locator('h1')).toHaveText('Company');
    const seen = await watchEntries(page);
    await go(page);
    await expect(page).toHaveTitle(/^News/);
    expect(await seen()).toEqual([count]);
  });
}
