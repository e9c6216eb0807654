import type { Page } from 'playwright/test';
import { inquiry } from '../support/site.ts';
import { expect, test } from '../support/test.ts';

const reference = /^NV-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;

async function fill(page: Page): Promise<void> {
  for (const name of ['name', 'email', 'company', 'message'] as const) await page.fill(`[name=${name}]`, inquiry[name]);
  await page.selectOption('[name=category]', inquiry.category);
  await page.check('[name=consent]');
}

test('is sent and shows its reference without loading a document', async ({ open, page }) => {
  await open('/inquiry');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await fill(page);
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  await expect(page).toHaveURL(/\/inquiry\?reference=NV-/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  // The address of the confirmation can be opened again; it is never cached.
  const response = await page.request.get(page.url());
  expect(response.headers()['cache-control']).toBe('no-store');
  expect(await response.text()).toContain('data-reference');
});

test('is sent without JavaScript: POST, relative 303, GET', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const answers: { status: number; location: string | undefined }[] = [];
  page.on(
    'response',
    (response) =>
      response.request().method() === 'POST' && answers.push({ status: response.status(), location: response.headers().location }),
  );
  await page.goto('/inquiry');
  await page.fill('[name=name]', 'Only a name');
  await page.click('form button[type=submit]');
  await expect(page.locator('[name=name]')).toHaveValue('Only a name');
  await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true');
  const described = await page.locator('[name=email]').getAttribute('aria-describedby');
  await expect(page.locator(`#${described?.split(' ').at(-1)}`)).toContainText('Enter your email address.');
  await fill(page);
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  expect(answers.map(({ status }) => status)).toEqual([422, 303]);
  expect(answers[1]?.location).toMatch(/^\/inquiry\?reference=NV-/);
  await context.close();
});

test('tells what is wrong at the field, keeps the input and moves focus to the summary', async ({ open, page }) => {
  await open('/inquiry');
  await page.fill('[name=message]', 'Kept as it was');
  await page.fill('[name=email]', 'nobody@');
  await page.click('form button[type=submit]');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.locator('[name=message]')).toHaveValue('Kept as it was');
  await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('alert').getByRole('link').first().click();
  await expect(page.locator('[name=name]')).toBeFocused();
});

test('what only the server finds is told in the same way', async ({ open, page }) => {
  await open('/inquiry');
  await fill(page);
  await sendBrokenEmail(page);
  await page.click('form button[type=submit]');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('[name=name]')).toHaveValue(inquiry.name);
});

test('a lost connection loses nothing that was typed', async ({ open, page, complaints }) => {
  await open('/inquiry');
  await fill(page);
  await page.route(/_data=/, (route) => route.abort());
  await page.click('form button[type=submit]');
  await expect(page.getByRole('alert')).toContainText('No answer came');
  await expect(page.locator('[name=message]')).toHaveValue(inquiry.message);
  await page.unroute(/_data=/);
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  complaints.list = complaints.list.filter((line) => !line.includes('ERR_FAILED'));
});

test('an inquiry that was taken is not posted again, though the page that says so cannot be had', async ({ open, page, complaints }) => {
  await open('/inquiry');
  await fill(page);
  const posts = postsOf(page);
  await page.route(/reference=.*_data=/, (route) => route.abort());
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  expect(posts).toHaveLength(1);
  complaints.list = complaints.list.filter((line) => !line.includes('ERR_FAILED'));
});

test('where the answer to a form breaks off, it is the visitor who sends it again', async ({ open, page }) => {
  await open('/inquiry');
  await fill(page);
  const posts = postsOf(page);
  await page.route(/_data=/, async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ contentType: 'application/json', body: '{"set":' });
  });
  await page.click('form button[type=submit]');
  // It has arrived, which nobody here can know.
  await expect(page.getByRole('alert')).toHaveAccessibleName('The inquiry may not have been sent.');
  expect(posts).toHaveLength(1);
  await page.unroute(/_data=/);
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  expect(posts).toHaveLength(2);
});

test('a form that was refused and then lost its answer is one inquiry when it is sent again', async ({ open, page }) => {
  await open('/inquiry');
  await fill(page);
  await sendBrokenEmail(page);
  await page.click('form button[type=submit]');
  await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true');
  await page.unroute(/_data=/);
  const taken = takeAndAnswer(page, { contentType: 'application/json', body: '{"set":' });
  await page.click('form button[type=submit]');
  await expect(page.getByRole('alert')).toContainText('No answer came');
  await page.unroute(/_data=/);
  await page.click('form button[type=submit]');
  await expect(page).toHaveURL(await taken);
});

test('so is one whose page had failed meanwhile', async ({ open, page, complaints }) => {
  await open('/inquiry');
  await fill(page);
  const taken = takeAndAnswer(page, { status: 503, contentType: 'application/problem+json', body: '{}' });
  await page.click('form button[type=submit]');
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.locator('[name=message]')).toHaveValue(inquiry.message);
  await page.unroute(/_data=/);
  // What React shows anew keeps the key, too.
  await page.fill('[name=name]', '');
  await page.click('form button[type=submit]');
  await expect(page.getByRole('alert')).toBeFocused();
  await page.fill('[name=name]', inquiry.name);
  await page.click('form button[type=submit]');
  await expect(page).toHaveURL(await taken);
  complaints.list = complaints.list.filter((line) => !line.includes('503'));
});

test('a jump within the page leaves a refused form as it is, the second time too', async ({ open, page }) => {
  await open('/inquiry');
  await page.click('form button[type=submit]');
  await expect(page.getByRole('alert')).toBeFocused();
  const asked: URL[] = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  for (let n = 0; n < 2; n++) {
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('#main')).toBeFocused();
  }
  // What is fetched would come before what comes after it.
  await page.evaluate(() => fetch('/inquiry?after'));
  expect(asked.filter(({ pathname }) => pathname === '/inquiry').map(({ search }) => search)).toEqual(['?after']);
  await expect(page.getByRole('alert')).toBeVisible();
});

test('a form is sent to its own page, though the address is that of another already', async ({ open, page }) => {
  // Nothing is loaded ahead, so that the other page has to be waited for.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await open('/news');
  await page.click('header a[href="/inquiry"]');
  await fill(page);
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const asked = page.waitForRequest(/\/news\?_data=/);
  await page.route(/\/news\?_data=/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.evaluate(() => history.back());
  await asked;
  await expect(page).toHaveURL('/news');
  await page.click('form[method=post] button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  await expect(page).toHaveURL(/\/inquiry\?reference=NV-/);
  letGo();
});

test('a double submit is one inquiry; the same key with other content is another', async ({ request }) => {
  const key = /name="key" value="([^"]+)"/.exec(await (await request.get('/inquiry')).text())?.[1] ?? '';
  expect(key).not.toBe('');
  const send = async (message: string) => {
    const response = await request.post('/inquiry', { form: { ...inquiry, message, consent: 'on', key }, maxRedirects: 0 });
    expect(response.status()).toBe(303);
    return response.headers().location;
  };
  const [first, second] = await Promise.all([send('One and the same'), send('One and the same')]);
  expect(second).toBe(first);
  expect(await send('Something else')).not.toBe(first);
});

test('an unknown reference shows the plain form', async ({ open, page }) => {
  for (const unknown of ['NV-0000-0000', '<script>', '', 'NV-2026-000001']) {
    await open(`/inquiry?reference=${encodeURIComponent(unknown)}`);
    await expect(page.locator('form [name=message]')).toBeVisible();
    await expect(page.locator('[data-reference]')).toHaveCount(0);
  }
});

test('works by keyboard alone', async ({ open, page }) => {
  await open('/inquiry');
  await page.locator('[name=name]').focus();
  await page.keyboard.type(inquiry.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(inquiry.email);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.type(inquiry.message);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.locator('[name=consent]')).toBeChecked();
  await page.locator('form button[type=submit]').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
});

test('bad input through the front door is a clear 4xx and never a 5xx', async ({ request }) => {
  const form = 'application/x-www-form-urlencoded';
  for (const [what, status, options] of [
    ['a body of 1 MB', 413, { headers: { 'Content-Type': form }, data: `message=${'x'.repeat(1_000_000)}` }],
    ['JSON to the page', 415, { headers: { 'Content-Type': 'application/json' }, data: '{}' }],
    ['a torn multipart body', 400, { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, data: '--b\r\nbroken' }],
    ['an empty form', 422, { headers: { 'Content-Type': form }, data: '' }],
    ['operators', 422, { headers: { 'Content-Type': form }, data: 'name[$gt]=&email[$ne]=x' }],
  ] as const) {
    expect((await request.post('/inquiry', options)).status(), what).toBe(status);
  }
  for (const [what, status, options] of [
    ['broken JSON', 400, { headers: { 'Content-Type': 'application/json' }, data: Buffer.from('{"name":') }],
    ['wrong types', 422, { data: { name: 1, email: [], category: {}, message: null, consent: 'yes' } }],
    ['operators', 422, { data: { ...inquiry, email: { $gt: '' }, consent: true } }],
    ['unknown fields', 422, { data: { ...inquiry, consent: true, admin: true } }],
    ['a body of 1 MB', 413, { data: { ...inquiry, message: 'x'.repeat(1_000_000), consent: true } }],
    ['a form', 415, { form: { ...inquiry } }],
  ] as const) {
    const response = await request.post('/api/inquiries', options);
    expect(response.status(), what).toBe(status);
    expect(response.headers()['content-type'], what).toBe('application/problem+json');
  }
  for (const path of ['/', '/?x=1', '/news']) {
    const headers = { 'Content-Type': form };
    expect((await request.post(path, { headers, data: `message=${'x'.repeat(1_000_000)}` })).status(), path).toBe(413);
    expect((await request.post(path, { headers: { ...headers, 'Content-Encoding': 'gzip' }, data: 'x' })).status(), path).toBe(415);
    expect((await request.post(path, { headers, data: 'message=x' })).status(), path).toBe(405);
  }
  expect((await request.put('/inquiry', { data: '' })).status()).toBe(405);
  expect((await request.get('/api/inquiries')).status()).toBe(405);
  expect((await request.get('/api/inquiries/NV-0000-0000')).status()).toBe(404);
});

test('another site cannot make a visitor’s browser post', async ({ request }) => {
  const form = { ...inquiry, consent: 'on' };
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ] as Record<string, string>[]) {
    expect((await request.post('/inquiry', { form, headers, maxRedirects: 0 })).status(), JSON.stringify(headers)).toBe(403);
  }
  expect((await request.post('/inquiry', { form, headers: { Origin: 'http://localhost:13000' }, maxRedirects: 0 })).status()).toBe(303);
});

test('what was typed is still there after a reload, and after leaving and coming back, until it has arrived', async ({ open, page }) => {
  await open('/inquiry');
  await fill(page);
  const typed = async () => {
    for (const name of ['name', 'email', 'company', 'category', 'message'] as const)
      await expect(page.locator(`[name=${name}]`)).toHaveValue(inquiry[name]);
    await expect(page.locator('[name=consent]')).toBeChecked();
  };
  await page.reload();
  await typed();
  // A reload may bring it back by the browser's own doing; another document of the same address does not.
  await page.goto('/company');
  await open('/inquiry');
  await typed();
  await expect(page.locator(':focus')).toHaveCount(0);

  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  await page.goto('/company');
  await open('/inquiry');
  for (const name of ['name', 'email', 'company', 'category', 'message']) await expect(page.locator(`[name=${name}]`)).toHaveValue('');
  await expect(page.locator('[name=consent]')).not.toBeChecked();
});

test('what was typed survives a page that failed, and no other tab sees it', async ({ open, page, context, complaints }) => {
  await open('/inquiry');
  await fill(page);
  await page.route(/_data=/, (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<p>No.</p>' }));
  await page.click('form button[type=submit]');
  await expect(page.getByText('Application error')).toBeVisible();
  await page.unroute(/_data=/);
  await open('/inquiry');
  await expect(page.locator('[name=message]')).toHaveValue(inquiry.message);
  // The key by which it is known goes with what was typed; the robots' trap nobody fills in.
  const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem('draft:/inquiry') ?? '{}'));
  expect(Object.keys(kept)).toEqual(['key', 'name', 'email', 'company', 'category', 'message', 'consent']);
  const other = await context.newPage();
  await other.goto('/inquiry');
  await other.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await expect(other.locator('[name=message]')).toHaveValue('');
  await other.close();
  complaints.list = complaints.list.filter((line) => !line.includes('status of 500'));
});

test('a form that comes back with another release set keeps what was typed', async ({ open, page }) => {
  await open('/inquiry');
  await page.fill('[name=message]', inquiry.message);
  // No set is called this: the answer is 409, and the browser loads the document.
  await page.route(/_data=/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/_data=[^&]*/, '_data=000000000000'),
    }),
  );
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Company' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
  await page.goBack();
  await expect(page.locator('[name=message]')).toHaveValue(inquiry.message);
});

test('while no inquiry can be received the page says it, keeps the form and what was typed', async ({ open, page, complaints }) => {
  await open('/company');
  // As the loader answers where the inquiry service is down; the server's side of it is shown beside the loader.
  await page.route(/\/inquiry\?_data=/, async (route) => {
    const answer = await (await route.fetch()).json();
    const { loaderData: _, ...rest } = answer;
    const closed = { ...rest, status: 503, errors: { closed: 'We cannot receive inquiries at the moment.' }, values: { key: 'k' } };
    await route.fulfill({ status: 503, headers: { 'Retry-After': '60' }, json: closed });
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inquiry' }).click();
  await expect(page.getByText('We cannot receive inquiries at the moment.')).toBeVisible();
  await expect(page.getByText('+46 31 390 06 10')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await fill(page);
  await page.unroute(/\/inquiry\?_data=/);
  await page.reload();
  await expect(page.getByText('We cannot receive inquiries at the moment.')).toHaveCount(0);
  await expect(page.locator('[name=message]')).toHaveValue(inquiry.message);
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
  complaints.list = complaints.list.filter((line) => !line.includes('status of 503'));
});

test('a browser that keeps nothing for us loses only the draft', async ({ open, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await open('/inquiry');
  await fill(page);
  await page.goto('/company');
  await open('/inquiry');
  await expect(page.locator('[name=message]')).toHaveValue('');
  await fill(page);
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toHaveText(reference);
});

/** The browser lets the next forms pass; the server will not. */
async function sendBrokenEmail(page: Page): Promise<void> {
  const edit = (body: string | null) => body?.replace(/email=[^&]*/, 'email=broken');
  await page.route(/_data=/, (route) => route.continue({ postData: edit(route.request().postData()) }));
}

/** URL of every form that the page posts from now on. */
function postsOf(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && !request.url().endsWith('/_beacon') && urls.push(request.url()));
  return urls;
}

/** The service takes the next form, and the browser is answered something else. @returns where the service would have sent it */
function takeAndAnswer(page: Page, answer: { status?: number; contentType: string; body: string }): Promise<string> {
  return new Promise((resolve) => {
    void page.route(/_data=/, async (route) => {
      const { redirect } = await (await route.fetch()).json();
      await route.fulfill(answer);
      resolve(redirect);
    });
  });
}
