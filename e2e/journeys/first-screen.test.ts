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

/** What is on the screen of the next page before the rest of it comes, and elsewhere afterwards. */
async function watchMoved(page: Page): Promise<() => Promise<string[] | undefined>> {
  const seen = await page.evaluateHandle(() => {
    const left = document.querySelector('h1');
    const topOf = (element: Element) => element.getBoundingClientRect().top;
    const elements = () => [...document.querySelectorAll('main *, footer')];
    const result: { moved?: string[] } = {};
    let count = 0;
    let first: Map<Element, number> | undefined;
    new MutationObserver(() => {
      if (document.querySelector('h1') === left) return;
      if (!first) {
        count = elements().length;
        first = new Map(elements().map((element) => [element, topOf(element)]));
      } else if (elements().length > count) {
        const moved = [...first].filter(([element, top]) => top < innerHeight && topOf(element) !== top);
        result.moved ??= moved.map(([element, top]) => `${top}: ${element.outerHTML.slice(0, 80)}`);
      }
    }).observe(document, { childList: true, subtree: true });
    return result;
  });
  return async () => (await seen.jsonValue()).moved;
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

for (const width of [390, 768, 1280]) {
  test(`at ${width} px what is seen of the first screen stays where it is when the rest comes`, async ({ open, page }) => {
    await page.setViewportSize({ width, height: 960 });
    for (const [from, to] of [
      ['/news', '/'],
      ['/', '/news'],
      ['/news', '/company'],
    ] as const) {
      await open(from);
      const moved = await watchMoved(page);
      await page.evaluate((path) => void navigation.navigate(path), to);
      await expect.poll(moved, { message: to }).toEqual([]);
    }
  });
}

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
