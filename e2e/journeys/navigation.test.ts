import type { Page, Route } from 'playwright/test';
import { expect, hydrated, test } from '../support/test.ts';

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
  await page.waitForLoadState('networkidle');
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
  await expect.poll(() => asked.some((url) => url.startsWith(`${first?.path}?`))).toBe(true);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => url.startsWith(`${last?.path}?`))).toEqual([]);
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

test('an address that history has moved gets its page, though a jump ends the navigation', async ({ open, page }) => {
  await saveData(page);
  await open('/inquiry');
  await skipToContent(page);
  await expect(page).toHaveURL('/inquiry#main');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  const form = await hold(page, /\/inquiry\?_data=/);
  await goBack(page);
  await form.asked;
  await expect(page).toHaveURL('/inquiry#main');
  await goBack(page);
  await expect(page).toHaveURL('/inquiry');
  form.letGo();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
});

test('so does one that is left for another page, if nothing comes of that', async ({ open, page }) => {
  await saveData(page);
  await open('/news');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  const [news, form] = [await hold(page, /\/news\?_data=/), await hold(page, /\/inquiry\?_data=/)];
  await goBack(page);
  await news.asked;
  await page.click('header a[href="/inquiry"]');
  await form.asked;
  await skipToContent(page);
  await expect(page).toHaveURL('/news#main');
  news.letGo();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  form.letGo();
});

test('of two steps back only the second one’s page is shown, though the code of the first comes last', async ({ open, page }) => {
  await saveData(page);
  await open('/inquiry');
  for (const [path, heading] of [
    ['/news', 'News'],
    ['/company', 'Company'],
  ] as const) {
    await page.click(`header a[href="${path}"]`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  }
  await page.reload();
  await hydrated(page);
  const code = await hold(page, /\/news-list\..*js$/);
  await goBack(page);
  await code.asked;
  await goBack(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
  const come = page.waitForResponse(/\/news-list\..*js$/);
  code.letGo();
  // What waits for the code goes on when the code has run, and shows its page at once.
  await page.evaluate((url) => import(url), (await come).url());
  await painted(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
});

for (const [what, path] of [
  ['page', '/inquiry'],
  ['document', '/feed.xml'],
] as const) {
  test(`a step back that fails leaves the ${what} alone that was chosen since`, async ({ open, page, complaints }) => {
    await saveData(page);
    await open('/news');
    await page.click('header a[href="/company"]');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
    await page.locator('header a[href="/inquiry"]').evaluate((link: HTMLAnchorElement, to) => {
      link.href = to;
      // A page that a document is to follow can be asked nothing: it tells by itself when it is through with a refusal.
      const { fetch } = window;
      window.fetch = async (...request) => {
        const answer = await fetch(...request);
        if (answer.status === 409) setTimeout(() => fetch('/?handled'));
        return answer;
      };
    }, path);
    const [news, chosen] = [await hold(page, /\/news\?_data=/), await hold(page, new RegExp(`${path}($|\\?_data=)`))];
    await goBack(page);
    await news.asked;
    await page.locator(`header a[href="${path}"]`).evaluate((link: HTMLAnchorElement) => link.click());
    await chosen.asked;
    const documents = requestsOf(page, /^\/news$/);
    const handled = page.waitForRequest(/\?handled$/);
    news.letGo({ status: 409, contentType: 'application/problem+json', body: '{}' });
    await handled;
    // How the browser shows a feed is its own affair.
    chosen.letGo(what === 'page' ? undefined : { contentType: 'text/html', body: '<h1>Feed</h1>' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(what === 'page' ? 'Inquiry' : 'Feed');
    await expect(page).toHaveURL(path);
    expect(documents).toEqual([]);
    // The browser's word on a document that is none of the site's pages.
    complaints.list = complaints.list.filter((line) => !line.includes('ViewTransition opt-in disabled'));
  });
}

test('the page of a step back does not end the wait for the page that was chosen since', async ({ open, page }) => {
  await saveData(page);
  await open('/news');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  const [news, form] = [await hold(page, /\/news\?_data=/), await hold(page, /\/inquiry\?_data=/)];
  await goBack(page);
  await news.asked;
  await page.click('header a[href="/inquiry"]');
  await form.asked;
  news.letGo();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  await expect(page.locator('main')).toHaveAttribute('aria-busy', 'true');
  form.letGo();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inquiry');
  await expect(page.locator('main')).not.toHaveAttribute('aria-busy');
});

test('a link to the page that a form has loaded does not send the form again', async ({ open, page }) => {
  await open('/inquiry');
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && request.isNavigationRequest() && posts.push(request.url()));
  // No answer is for this document: the form is posted as a document, and the link loads one.
  await page.route(/_data=/, (route) => route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{}' }));
  await page.locator('main form').evaluate((form: HTMLFormElement) => HTMLFormElement.prototype.submit.call(form));
  await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true');
  await hydrated(page);
  await page.click('header a[href="/inquiry"]');
  await expect(page.locator('[name=email]')).not.toHaveAttribute('aria-invalid', 'true');
  expect(posts).toHaveLength(1);
});

test('redirects that lead in a circle are the browser’s to end', async ({ open, page }) => {
  await saveData(page);
  await open('/company');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  // The documents do not redirect, so that there is something to see.
  await page.route(/\/news\?.*_data=/, (route) => redirectTo(route, route.request().url().includes('page=2') ? '/news' : '/news?page=2'));
  await page.click('header a[href="/news"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^News/);
  expect(await page.evaluate(() => 'kept' in window)).toBe(false);
});

test('a link to a part of another page leads the focus there', async ({ open, page }) => {
  await open('/');
  await page.locator('header a[href="/company"]').evaluate((link: HTMLAnchorElement) => {
    link.href = '/company#history';
  });
  await page.click('header a[href="/company#history"]');
  await expect(page.locator('#history')).toBeFocused();
  await expect(page.locator('#history')).toBeInViewport();
  // A part that is not there is no part.
  await page.locator('header a[href="/"]').evaluate((link: HTMLAnchorElement) => {
    link.href = '/#%';
  });
  await page.click('header a[href="/#%"]');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test.describe('a browser whose addresses move before the page is there', () => {
  test.beforeEach(async ({ page }) => {
    await saveData(page);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'NavigationPrecommitController'));
  });

  test('shows the page of an address, though a jump ends the navigation', async ({ open, page }) => {
    await open('/company');
    const news = await hold(page, /\/news\?_data=/);
    await page.click('header a[href="/news"]');
    await news.asked;
    await skipToContent(page);
    await expect(page).toHaveURL('/news#main');
    news.letGo();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
  });

  test('opens at its top what it was redirected to', async ({ open, page }) => {
    await open('/company');
    await page.route(/\/news\?_data=/, (route) => redirectTo(route, '/privacy'));
    const link = page.locator('footer a[href="/news"]');
    await link.scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/rivacy/);
    await expect(page).toHaveURL('/privacy');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });

  test('loads the document where the address already names a part of the page', async ({ open, page }) => {
    await open('/company');
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await page.route(/_data=/, (route) => route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{}' }));
    await page.locator('header a[href="/news"]').evaluate((link: HTMLAnchorElement) => {
      link.href = '/news#archive';
    });
    await page.click('header a[href="/news#archive"]');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
    expect(await page.evaluate(() => 'kept' in window)).toBe(false);
  });
});

const goBack = (page: Page) => page.evaluate(() => history.back());

/** A jump within the page. */
async function skipToContent(page: Page): Promise<void> {
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
}

/** What has been decided by now is on the screen. */
const painted = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

type Answer = Parameters<Route['fulfill']>[0];

/** Keeps what the page asks for from now on waiting until it is let go, to the server or to an answer of the test's own. */
async function hold(page: Page, pattern: RegExp): Promise<{ asked: Promise<void>; letGo(answer?: Answer): void }> {
  const asked = Promise.withResolvers<void>();
  const { promise, resolve: letGo } = Promise.withResolvers<Answer | undefined>();
  await page.route(pattern, async (route) => {
    asked.resolve();
    const answer = await promise;
    await (answer ? route.fulfill(answer) : route.continue());
  });
  return { asked: asked.promise, letGo };
}

/** The data of a page that its loader sends elsewhere. */
async function redirectTo(route: Route, redirect: string): Promise<void> {
  const set = new URL(route.request().url()).searchParams.get('_data');
  await route.fulfill({ json: { set, status: 303, redirect } });
}

/** The visitor has asked for little to be loaded: nothing is loaded ahead. */
async function saveData(page: Page, value = true): Promise<void> {
  await page.addInitScript((saving) => Object.defineProperty(navigator, 'connection', { value: { saveData: saving } }), value);
}

/** Path and query of every request from now on that matches. */
function requestsOf(page: Page, pattern: RegExp): string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pattern.test(pathname + search)) urls.push(pathname + search);
  });
  return urls;
}
