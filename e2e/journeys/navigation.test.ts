import { requestsOf, saveData } from '../support/requests.ts';
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

test('a tab that paints nothing has the title and the focus of its page all the same', async ({ open, page }) => {
  await open('/');
  await page.evaluate(() => Object.assign(window, { requestAnimationFrame: () => 0 }));
  const go = (path: string) => page.evaluate((to) => navigation.navigate(to).finished?.then(() => {}), path);
  await go('/company');
  // The control: title and focus wait for frames in a tab that is seen.
  await expect(page.locator('h1')).toHaveText('Company');
  expect(await page.title()).not.toContain('Company');
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
  await go('/privacy');
  await expect(page).toHaveTitle(/rivacy/);
  await expect(page.locator('h1')).toBeFocused();
});

test('downloads only the code of the parts on the page, and each file once', async ({ open, page }) => {
  const files = requestsOf(page, /\/_mfe\/.*\.js$/);
  await open('/inquiry');
  expect(files.filter((file) => /\/mfe-(news|pages)\//.test(file))).toEqual([]);
  expect(files.some((file) => file.includes('/mfe-inquiry/'))).toBe(true);
  expect(new Set(files).size).toBe(files.length);
  const preloaded = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLLinkElement).href).pathname));
  for (const file of preloaded) expect(files).toContain(file);
  for (const file of files.filter((name) => !name.includes('/main.'))) expect(preloaded).toContain(file);
});

test('a navigation downloads the code of its own page only, where nothing is loaded ahead', async ({ open, page }) => {
  await saveData(page);
  const files = requestsOf(page, /\/_mfe\/.*\.js$/);
  await open('/inquiry');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  expect(files.some((file) => file.includes('/mfe-pages/'))).toBe(true);
  expect(files.some((file) => file.includes('/mfe-news/'))).toBe(false);
});

test('a page that only shows comes without code and data, stays as it is, and leads on', async ({ open, page, request }) => {
  const html = await (await request.get('/news')).text();
  expect(/<head>.*<\/head>/.exec(html)?.[0]).not.toContain('/mfe-news/');
  expect(JSON.parse(/id="boot">(.*?)<\/script>/.exec(html)?.[1] ?? '')).not.toHaveProperty('loaderData');
  // The control: the form needs both.
  const form = await (await request.get('/inquiry')).text();
  expect(/<head>.*<\/head>/.exec(form)?.[0]).toContain('/mfe-inquiry/');
  expect(JSON.parse(/id="boot">(.*?)<\/script>/.exec(form)?.[1] ?? '')).toHaveProperty('loaderData');

  await open('/news');
  await expect(page.locator('main ol').first().locator('> li')).not.toHaveCount(0);
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.getByRole('link', { name: 'Older news' }).click();
  await expect(page).toHaveURL('/news?page=2');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.locator('header')).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Page 1 of' })).toHaveAttribute('aria-current', 'page');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('loads a link’s code and data on intent, and neither again for the click or soon after', async ({ open, page }) => {
  const code = requestsOf(page, /\/mfe-news\/.*\.(js|css)$/);
  const data = requestsOf(page, /^\/news\?_data=/);
  await open('/company');
  await page.waitForLoadState('networkidle');
  expect([...code, ...data], 'before the intent').toEqual([]);
  const asked = page.waitForResponse(/_data=/);
  await page.hover('header a[href="/news"]');
  await asked;
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  expect(data).toHaveLength(1);
  expect(new Set(code).size).toBe(code.length);
});

test('never asks ahead for data that caches must not keep, and asks for it every time', async ({ open, page }) => {
  const data = requestsOf(page, /^\/inquiry\?_data=/);
  await open('/company');
  const code = page.waitForResponse(/\/mfe-inquiry\/.*\.js$/);
  await page.locator('header a[href="/inquiry"]').focus();
  await code;
  expect(data).toEqual([]);
  for (const times of [1, 2]) {
    await page.click('header a[href="/inquiry"]');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
    expect(data).toHaveLength(times);
    await page.click('header a[href="/company"]');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  }
});

for (const saving of [false, true]) {
  test(saving ? 'loads nothing ahead for who saves data' : 'loads ahead for others', async ({ open, page }) => {
    await saveData(page, saving);
    // Before the site's own listener, which fetches.
    await page.addInitScript(() =>
      navigation.addEventListener('navigate', () => Object.assign(window, { clickedAt: performance.now() }), { once: true }),
    );
    await open('/company');
    await page.locator('header a[href="/news"]').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
    const ahead = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(
          ({ name, startTime }) => /_data=|\/sets\//.test(name) && startTime < (window as unknown as { clickedAt: number }).clickedAt,
        ),
    );
    expect(ahead.length > 0).toBe(!saving);
  });
}

test('from the first page the code of the main pages is there before the click', async ({ open, page }) => {
  const code = requestsOf(page, /\/_mfe\/mfe-.*\.(js|css)$/);
  await open('/');
  for (const part of ['mfe-pages', 'mfe-news']) await expect.poll(() => code.some((file) => file.includes(`/${part}/`)), part).toBe(true);
  await page.waitForLoadState('networkidle');
  const ahead = code.splice(0);
  // It has to wait for the server in any case.
  expect(ahead.filter((file) => file.includes('/mfe-inquiry/'))).toEqual([]);
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(code.filter((file) => file.includes('/news-list.'))).toEqual([]);
});

test('who has gone on finds code and data of the links in view there already; the rest waits for intent', async ({ open, page }) => {
  const asked = requestsOf(page, /_data=|\/_mfe\/mfe-/);
  await open('/');
  await page.waitForLoadState('networkidle');
  expect(
    asked.filter((url) => url.includes('_data=')),
    'before the first click',
  ).toEqual([]);
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  const links = await page.locator('main ol a[href^="/news/2"]').evaluateAll((all) =>
    all.map((link) => ({
      path: new URL((link as HTMLAnchorElement).href).pathname,
      seen: link.getBoundingClientRect().top < innerHeight,
    })),
  );
  const [first, last] = [links[0], links.at(-1)];
  expect([first?.seen, last?.seen]).toEqual([true, false]);
  const isAsked = ({ path }: { path: string }) => asked.some((url) => url.startsWith(`${path}?`));
  await expect.poll(() => links.filter(({ seen }) => seen).every(isAsked)).toBe(true);
  // The next ones would follow at once.
  await page.waitForTimeout(500);
  expect(links.filter(({ seen }) => !seen).filter(isAsked)).toEqual([]);
  asked.length = 0;
  await page.click(`main a[href="${first?.path}"]`);
  await expect(page).toHaveURL(first?.path as string);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(asked.filter((url) => url.startsWith(`${first?.path}?`) || url.includes('/mfe-news/'))).toEqual([]);
});

test('on a slow line only intent loads ahead', async ({ open, page }) => {
  const asked = requestsOf(page, /_data=|\/_mfe\/(sets|mfe-)/);
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { effectiveType: '2g' } }));
  await open('/');
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  const data = page.waitForResponse(/\/news\?_data=/);
  await page.hover('header a[href="/news"]');
  await data;
});

test('what fails ahead leaves the page as it is, and a click on it loads the document', async ({ open, page }) => {
  // By it the document knows that Company has no data to ask for.
  const table = page.waitForResponse(/\/_mfe\/sets\//);
  await open('/');
  await (await table).finished();
  await page.evaluate(() => Object.assign(window, { kept: true }));
  let refused = 0;
  await page.route(/_data=/, async (route) => {
    await route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{}' });
    refused++;
  });
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  await expect.poll(() => refused).toBeGreaterThan(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  expect(await page.evaluate(() => 'kept' in window)).toBe(false);
});

test('a click before the browser has ever been idle leads on all the same', async ({ open, page }) => {
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await open('/news');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  for (const [link, heading] of [
    ['header a[href="/company"]', 'Company'],
    ['header a[href="/news"]', 'News'],
  ] as const) {
    await page.click(link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.locator('#root > header, #root > main, #root > footer')).toHaveCount(3);
  }
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('asks the page’s own URL for its data, and nothing for a page without data', async ({ open, page }) => {
  await saveData(page);
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
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  expect(await page.evaluate(() => 'kept' in window)).toBe(false);
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
