import type { Page } from 'playwright/test';
import { expect, test } from '../support/test.ts';

const own = ['Instrument Sans', 'STIX Two Text'];

test('a page is set in the site’s fonts, and so is the one after a click', async ({ page, open }) => {
  await open('/company');
  await expect.poll(() => fontsOf(page)).toEqual(own);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  await expect.poll(() => fontsOf(page)).toEqual(own);
});

test('so it is without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/company');
  await expect.poll(() => fontsOf(page)).toEqual(own);
  await context.close();
});

/** Families of web fonts that the main navigation and the heading are drawn with. */
async function fontsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const families = new Set<string>();
  for (const selector of ['header nav a', 'h1']) {
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    for (const { familyName, isCustomFont } of fonts) if (isCustomFont) families.add(familyName);
  }
  await session.detach();
  return [...families].sort();
}
