import AxeBuilder from '@axe-core/playwright';
import { pages } from '../support/site.ts';
import { expect, test } from '../support/test.ts';

const states = [
  ...pages.map(({ path }) => ({ name: path, path, act: async () => {} })),
  { name: '/news, last page', path: '/news?page=10', act: async () => {} },
  { name: '404', path: '/nope', act: async () => {} },
  {
    name: '/inquiry with errors',
    path: '/inquiry',
    act: async (page: import('playwright/test').Page) => {
      await page.click('form button[type=submit]');
      await page.getByRole('alert').waitFor();
    },
  },
];

test('a list without markers says that it is one: Safari takes it for none otherwise, outside of a navigation', async ({ open, page }) => {
  for (const { path, act } of states) {
    await open(path);
    await act(page);
    const silent = await page.locator('ul, ol').evaluateAll((lists) =>
      lists
        .filter((list) => !list.closest('nav, [aria-hidden=true], [role=list]'))
        .filter((list) =>
          [...list.children].some((item) => {
            const { display, listStyleType } = getComputedStyle(item);
            const hasMarker = display === 'list-item' && listStyleType !== 'none';
            // A number that the style sheet counts is as good as one.
            return !hasMarker && !getComputedStyle(item, '::before').content.includes('counter');
          }),
        )
        .map((list) => list.outerHTML.slice(0, 80)),
    );
    expect(silent, path).toEqual([]);
  }
});

for (const width of [320, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 800 }, colorScheme });
      for (const { name, path, act } of states) {
        test(`${name} has no violation that axe can find`, async ({ open, page }) => {
          await open(path);
          await act(page);
          const { violations } = await new AxeBuilder({ page })
            .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
            .options({ rules: { 'target-size': { enabled: true } } })
            .analyze();
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
          // Nothing is to be scrolled sideways for, with letters twice as large (1.4.4) or the spacing of WCAG 1.4.12 either.
          const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          expect(await sideways()).toBe(0);
          if (width === 320) {
            await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
            expect(await sideways()).toBe(0);
            const entries = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all();
            const boxes = await Promise.all(entries.map((entry) => entry.boundingBox()));
            for (const [i, box] of boxes.entries()) {
              const next = boxes[i + 1];
              if (box && next) expect(next.x >= box.x + box.width || next.y >= box.y + box.height, `entry ${i}`).toBe(true);
            }
            await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
          }
          await page.evaluate(() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(
              '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }',
            );
            document.adoptedStyleSheets.push(sheet);
          });
          expect(await sideways()).toBe(0);
        });
      }
    });
  }
}
