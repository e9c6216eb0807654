import { expect, hydrated, test } from '../support/test.ts';
import { expectHarmless, setCanary } from './canary.ts';
import { openDesk } from './desk.ts';
import { lines, vectors } from './vectors.ts';

// One after the other: what the first publishes the others look at.
test.describe.configure({ mode: 'serial', timeout: 120_000 });

/** A title folds white space. */
const one = (text: string) => text.replace(/\s+/g, ' ');
const idOf = (index: number) => `markup-${index}`;
/** Bodies that hold all of them; each begins anew, so that what one leaves open does not hide the next. */
const bodies = Array.from({ length: 16 }, (_, part) => vectors.filter((_, index) => index % 16 === part).join('\n\n'));

test('a slug takes no markup', async () => {
  const desk = await openDesk();
  for (const newsId of lines) {
    const { status } = await desk.ask('POST', '', { newsId, title: 'a', language: 'en', category: 'company', excerpt: 'a', body: 'a' });
    expect(status, newsId).toBe(422);
  }
});

test('titles and excerpts are shown as they were written, in lists, on pages and in what machines read', async ({ page, request }) => {
  const desk = await openDesk();
  for (const [index, line] of lines.entries())
    await desk.publish({ newsId: idOf(index), title: line, excerpt: line, body: bodies[index % bodies.length] as string });
  const fired = await setCanary(page);
  const shown = new Set<string>();
  for (let number = 1; shown.size < lines.length && number < 20; number++) {
    await page.goto(`/news?page=${number}`);
    await hydrated(page);
    for (const title of await page.locator('main h3').allTextContents()) if (lines.includes(title)) shown.add(title);
    const excerpts = await page.locator('main h3 + p').allTextContents();
    expect(excerpts.filter((excerpt) => lines.includes(excerpt)).length).toBeGreaterThan(0);
    await expectHarmless(page, fired, `list ${number}`);
  }
  expect([...lines].filter((line) => !shown.has(line))).toEqual([]);
  // The feed is XML and the API is JSON: neither is a page, whatever is in it.
  for (const path of ['/feed.xml', '/api/news', `/api/news/${idOf(0)}`]) {
    const response = await request.get(path);
    expect(response.headers()['content-type']).not.toContain('html');
    expect(response.headers()['x-content-type-options']).toBe('nosniff');
  }
});

test('the page of an item shows its words and its body, opened and navigated to', async ({ page }) => {
  const fired = await setCanary(page);
  for (let index = 0; index < lines.length; index += 6) {
    await page.goto(`/news/${idOf(index)}`);
    await hydrated(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(lines[index] as string);
    expect(one(await page.title())).toContain(one(lines[index] as string));
    await expectHarmless(page, fired, lines[index] as string);
  }
  await page.goto('/news');
  await hydrated(page);
  for (const link of [0, 1, 2]) {
    await page.locator('main h3 a').nth(link).click();
    await expect(page.getByRole('navigation', { name: 'Other news' })).toBeVisible();
    await expectHarmless(page, fired, `navigated to ${page.url()}`);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  }
});

test('raw HTML in a body is its text', async ({ page }) => {
  await setCanary(page);
  await page.goto(`/news/${idOf(0)}`);
  const text = await page.locator('main').textContent();
  expect(text).toContain('<script>__fired()</script>');
  expect(text?.match(/__fired\(\)/g)?.length).toBeGreaterThan(10);
});

test('it is the markup that is harmless, not only the policy', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ bypassCSP: true, baseURL });
  const page = await context.newPage();
  const fired = await setCanary(page);
  for (const path of ['/', '/news', '/news?page=5', '/news?page=9', ...bodies.map((_, index) => `/news/${idOf(index)}`)]) {
    await page.goto(path);
    await hydrated(page);
    await expectHarmless(page, fired, path);
  }
  await context.close();
});
