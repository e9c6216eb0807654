import { expect, test } from '../support/test.ts';

test('goes from part to part without loading a document', async ({ open, page }) => {
  await open('/');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  for (const [link, title, heading] of [
    ['header a[href="/company"]', /^Company · Nollvik$/, 'Company'],
    ['header a[href="/news"]', /^News · Nollvik$/, 'News'],
    ['main a[href="/news/2026-11-05-ring-gauges"]', /^Accreditation/, 'Accreditation extended to ring gauges up to 200 mm'],
    ['header a[href="/inquiry"]', /^Inquiry · Nollvik$/, 'Inquiry'],
    ['footer a[href="/privacy"]', /rivacy/, /rivacy/],
  ] as const) {
    await page.click(link);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.locator('header')).toHaveCount(1);
  }
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/news');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('downloads only the code of the parts on the page, and each file once', async ({ open, page }) => {
  const files: string[] = [];
  page.on('request', (request) => request.url().includes('/_mfe/') && files.push(new URL(request.url()).pathname));
  await open('/company');
  expect(files.filter((file) => /\/mfe-(news|inquiry)\//.test(file))).toEqual([]);
  expect(files.some((file) => file.includes('/mfe-pages/'))).toBe(true);
  expect(new Set(files).size).toBe(files.length);
  const preloaded = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname));
  for (const file of preloaded) expect(files).toContain(file);
  for (const file of files.filter((name) => name.endsWith('.js') && !name.includes('/main.'))) expect(preloaded).toContain(file);
  await page.click('header a[href="/inquiry"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
  expect(files.some((file) => file.includes('/mfe-inquiry/'))).toBe(true);
  expect(files.some((file) => file.includes('/mfe-news/'))).toBe(false);
});

test('asks the page’s own URL for its data, and nothing for a page without data', async ({ open, page }) => {
  const asked: string[] = [];
  page.on(
    'request',
    (request) => request.url().includes('_data=') && asked.push(new URL(request.url()).pathname + new URL(request.url()).search),
  );
  await open('/company');
  const set = (await (await page.request.get('/company')).headers())['x-release-set'];
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  await page.click('main a[href="/news?category=calibration"]');
  await expect(page).toHaveURL('/news?category=calibration');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  expect(asked).toEqual([`/news?_data=${set}`, `/news?category=calibration&_data=${set}`]);
});

test('an item that is gone shows 404 in the layout, and the way back works', async ({ open, page }) => {
  await open('/news');
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>('main a[href^="/news/2026"]');
    if (link) link.href = '/news/2026-01-01-gone';
  });
  await page.click('main a[href="/news/2026-01-01-gone"]');
  await expect(page.locator('[data-status="404"] h1')).toBeFocused();
  await expect(page).toHaveURL('/news/2026-01-01-gone');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
});

test('a tab of another release set loads the document', async ({ open, page }) => {
  await open('/company');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.route(/_data=/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/_data=\w+/, '_data=000000000000'),
    }),
  );
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  expect(await page.evaluate(() => 'kept' in window)).toBe(false);
});

test('a browser without the Navigation API loads documents', async ({ page, open }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await open('/');
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
});

test('works by keyboard alone', async ({ open, page }) => {
  await open('/');
  await page.keyboard.press('Tab');
  await expect(page.locator('.skip')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await page.locator('header a[href="/news"]').focus();
  const outline = await page.locator('header a[href="/news"]').evaluate((link) => getComputedStyle(link).outlineWidth);
  expect(outline).toBe('3px');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('main a:focus')).toHaveCount(1);
});
