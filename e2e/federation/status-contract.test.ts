import type { APIRequestContext, APIResponse, Page } from 'playwright/test';
import { fixtureOrigin, fixturePorts } from '../support/fixture-site.ts';
import { logLine } from '../support/shell-log.ts';
import { expect, hydrated, test } from '../support/test.ts';

const applicationError = `Application error: a client-side exception has occurred while loading localhost:${fixturePorts.PORT} (see the browser console for more information)`;

interface Expected {
  headers?: Record<string, string | RegExp>;
  /** Shown instead of an error page, and only in answer to this status. */
  page?: string;
  redirect?: string;
  digest?: true;
}
const contract: Record<number, Expected> = {
  200: { page: 'It went well.' },
  303: { redirect: '/faults/browser' },
  401: { headers: { 'www-authenticate': 'Bearer realm="probe"' } },
  403: {},
  404: {},
  405: { headers: { allow: 'GET, HEAD' } },
  410: {},
  422: { page: 'Another one, please.' },
  429: { page: 'Not so fast.', headers: { 'retry-after': /^\d+$/ } },
  500: { digest: true },
  503: { headers: { 'retry-after': '7' } },
};
const asked = '/faults/status';
const withoutAction = '/faults/no-action';

type Way = (request: APIRequestContext, status: number, set: string) => Promise<APIResponse>;
const post = (request: APIRequestContext, status: number, query: string) =>
  request.post(`${status === 405 ? withoutAction : asked}${query}`, { form: { status: String(status) }, maxRedirects: 0 });
const documentWays: Record<string, Way> = {
  'GET document': (request, status) => request.get(`${asked}?status=${status}`, { maxRedirects: 0 }),
  'POST as a document': (request, status) => post(request, status, ''),
};
const dataWays: Record<string, Way> = {
  'GET data': (request, status, set) => request.get(`${asked}?status=${status}&_data=${set}`, { maxRedirects: 0 }),
  'POST with data': (request, status, set) => post(request, status, `?_data=${set}`),
};
/** A loader can say every status; that no action is there only a POST can meet. */
const statusesOf = (way: string) =>
  Object.keys(contract)
    .map(Number)
    .filter((status) => way.includes('POST') || status !== 405);

const currentSet = async (request: APIRequestContext) => (await request.get('/company')).headers()['x-release-set'] ?? 'none';

test('the table of a set is kept for ever, and there is none of another set', async ({ request }) => {
  const set = await currentSet(request);
  const table = await request.get(`/_mfe/sets/${set}.json`);
  expect([table.status(), table.headers()['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(await table.json()).toMatchObject({ set });
  const other = await request.get('/_mfe/sets/none.json');
  expect([other.status(), other.headers()['cache-control']]).toEqual([404, 'no-store']);
});

function expectHeaders(response: APIResponse, { headers = {} }: Expected): void {
  for (const name of ['www-authenticate', 'retry-after', 'allow']) {
    const value = headers[name];
    if (value === undefined) expect(response.headers()[name], name).toBeUndefined();
    else expect(response.headers()[name], name).toMatch(value);
  }
  expect(response.headers()['cache-control']).toContain('no-store');
}

for (const [way, ask] of Object.entries(documentWays)) {
  for (const status of statusesOf(way)) {
    test(`${way}: ${status}`, async ({ request }) => {
      const expected = contract[status] ?? {};
      const response = await ask(request, status, '');
      expect(response.status()).toBe(status);
      expectHeaders(response, expected);
      const html = await response.text();
      expect(html).not.toMatch(/secret|\.cjs|\/releases\/|node:/);
      if (expected.redirect) {
        expect(response.headers().location).toBe(expected.redirect);
        return;
      }
      expect(html).toMatch(/<nav[^>]* aria-label="Main"/);
      if (expected.page) expect(html).toContain(expected.page);
      else expect(html).toContain(`data-status="${status}"`);
      await expectDigest(html.includes(applicationError), /Digest: ([0-9a-f]+)</.exec(html)?.[1], expected, response);
    });
  }
}

for (const [way, ask] of Object.entries(dataWays)) {
  for (const status of statusesOf(way)) {
    test(`${way}: ${status}`, async ({ request }) => {
      const expected = contract[status] ?? {};
      const set = await currentSet(request);
      const response = await ask(request, status, set);
      // A redirect travels in the body.
      expect(response.status()).toBe(expected.redirect ? 200 : status);
      expect(response.headers()['content-type']).toContain('application/json');
      expectHeaders(response, expected);
      const answer = await response.json();
      expect(answer).toMatchObject({ set, status });
      expect(answer.redirect).toBe(expected.redirect);
      expect(JSON.stringify(answer)).not.toMatch(/secret|\.cjs|\/releases\/|node:/);
      await expectDigest(expected.digest === true, answer.digest, expected, response);
    });
  }
}

async function expectDigest(said: boolean, digest: string | undefined, expected: Expected, response: APIResponse): Promise<void> {
  expect(said).toBe(expected.digest === true);
  if (!expected.digest) return expect(digest).toBeUndefined();
  expect(digest).toMatch(/^[0-9a-f]{10}$/);
  expect(await logLine(digest ?? '')).toMatchObject({
    level: 'error',
    mfe: 'mfe-faults',
    version: '1.0.0',
    route: asked,
    requestId: response.headers()['x-request-id'],
    err: { message: 'secret of the status', stack: expect.stringContaining('at ') },
  });
}

async function expectShown(page: Page, status: number, complaints: { list: string[] }): Promise<void> {
  const expected = contract[status] ?? {};
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  if (expected.redirect) await expect(page).toHaveURL(expected.redirect);
  else if (expected.page) await expect(page.getByText(expected.page, { exact: true })).toBeVisible();
  else await expect(page.locator(`[data-status="${status}"] h1`)).toBeVisible();
  await expect(page.getByText(applicationError, { exact: true })).toHaveCount(expected.digest ? 1 : 0);
  await expect(page.getByText(/^Digest: [0-9a-f]{10}$/)).toHaveCount(expected.digest ? 1 : 0);
  complaints.list = complaints.list.filter((complaint) => !/the server responded with a status of 5\d\d/.test(complaint));
}

test('in the browser, every status on the first load', async ({ page, complaints }) => {
  for (const status of statusesOf('GET')) {
    await page.goto(`${asked}?status=${status}`);
    await hydrated(page);
    await expectShown(page, status, complaints);
  }
});

test('in the browser, every status by a client navigation', async ({ page, open, complaints }) => {
  for (const status of statusesOf('GET')) {
    await open(asked);
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await page.getByRole('link', { name: `get ${status}`, exact: true }).click();
    await expectShown(page, status, complaints);
    expect(await page.evaluate(() => 'kept' in window), `${status} without a document load`).toBe(true);
  }
});

test('in the browser, every status by a form', async ({ page, open, complaints }) => {
  for (const status of statusesOf('POST').filter((status) => status !== 405)) {
    await open(asked);
    await page.getByRole('button', { name: `post ${status}`, exact: true }).click();
    await expectShown(page, status, complaints);
  }
  await open(withoutAction);
  await page.getByRole('button', { name: 'post 200' }).click();
  await expectShown(page, 405, complaints);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('every status by a form', async ({ page, complaints }) => {
    for (const status of statusesOf('POST').filter((status) => status !== 405)) {
      await page.goto(asked);
      await page.getByRole('button', { name: `post ${status}`, exact: true }).click();
      await expectShown(page, status, complaints);
    }
    await page.goto(withoutAction);
    await page.getByRole('button', { name: 'post 200' }).click();
    await expectShown(page, 405, complaints);
  });
});

test('a page that fails only in rendering: data is there, and the browser says the text without a digest', async ({
  page,
  open,
  request,
  complaints,
}) => {
  const set = await currentSet(request);
  const data = await request.get(`/faults/with/shape?_data=${set}`);
  expect(data.status()).toBe(200);
  await open('/faults/status');
  await page.getByRole('link', { name: 'to a wrong shape' }).click();
  await expect(page.getByText(applicationError, { exact: true })).toBeVisible();
  await expect(page.getByText('Digest')).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect.poll(() => complaints.list.join('\n')).toContain('map is not a function');
  complaints.list = [];
  // The same page as a document fails on the server, and says so.
  const document = await request.get(`${fixtureOrigin}/faults/with/shape`);
  expect(document.status()).toBe(500);
  expect(await document.text()).toMatch(/Digest: [0-9a-f]{10}/);
});
