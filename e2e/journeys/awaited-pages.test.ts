/** Pages that are still awaited when the address has moved, or when the visitor goes on. */
import type { Page, Route } from 'playwright/test';
import { requestsOf, saveData } from '../support/requests.ts';
import { expect, hydrated, test } from '../support/test.ts';

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
  const { news, form } = await backAndOn(open, page);
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
    await fromNewsToCompany(open, page);
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
  const { news, form } = await backAndOn(open, page);
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

async function fromNewsToCompany(open: (path: string) => Promise<unknown>, page: Page): Promise<void> {
  await saveData(page);
  await open('/news');
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
}

/** A step back to the news, and on to the form before they are there. */
async function backAndOn(open: (path: string) => Promise<unknown>, page: Page) {
  await fromNewsToCompany(open, page);
  const [news, form] = [await hold(page, /\/news\?_data=/), await hold(page, /\/inquiry\?_data=/)];
  await goBack(page);
  await news.asked;
  await page.click('header a[href="/inquiry"]');
  await form.asked;
  return { news, form };
}

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
