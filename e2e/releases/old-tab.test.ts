import { randomUUID } from 'node:crypto';
import type { Page, Response } from 'playwright/test';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { everywhere, firstEdition, firstReprint, orderLive, publishOrders, secondEdition, secondReprint } from '../support/orders.ts';
import { calm, registryOf } from '../support/releases.ts';
import { expect, hydrated, test } from '../support/test.ts';

const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);

test.describe.configure({ mode: 'default', timeout: 60_000 });

test.beforeAll(async () => {
  await calm(registry);
  await publishOrders(registry);
});
test.afterAll(async () => {
  await registry.deactivate('mfe-order');
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const taken = async (page: Page) => JSON.parse((await page.locator('[data-taken]').textContent()) ?? '');

/** Opens the first edition's form and types into it. @returns what the tab asks from then on, and everything its console says */
async function typeAtFirst(page: Page, open: (path: string) => Promise<void>) {
  // By it an order is told from those of other tests.
  const typed = `Typed before the release:\nwith “quotes” & ${randomUUID()}`;
  const set = await orderLive(registry, firstEdition);
  await open('/order');
  await page.selectOption('[name=article]', 'PLUG GAUGE');
  await page.fill('[name=remark]', typed);
  await page.evaluate(() => Object.assign(window, { kept: true }));
  const answers: { method: string; path: string; data: boolean; status: number; set: string | undefined }[] = [];
  page.on('response', (response: Response) => {
    const request = response.request();
    const { pathname: path, searchParams } = new URL(response.url());
    if (!path.startsWith('/order')) return;
    const data = searchParams.has('_data');
    answers.push({ method: request.method(), path, data, status: response.status(), set: response.headers()['x-release-set'] });
  });
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  const sameDocument = () => page.evaluate(() => 'kept' in window);
  return { typed, set, answers, said, sameDocument };
}

/** Without the data of pages that are linked, which the browser may have got ahead. */
const posts = (answers: { method: string; data: boolean; status: number }[]) =>
  answers.filter(({ method }) => method === 'POST').map(({ data, status }) => ({ data, status }));

/** Two more releases: the workers of the first edition end. */
async function moveOnTwice(set: string, last: string): Promise<void> {
  await orderLive(registry, secondEdition);
  await orderLive(registry, last);
  await everywhere(`/order?_data=${set}`, ({ status }) => expect(status).toBe(409));
}

/** Chromium itself says each failed answer in its console; no page can prevent it, as long as the answer is a 409. */
const conflict = 'error: Failed to load resource: the server responded with a status of 409 (Conflict)';

test('a form that stays when it was taken leaves no draft, however often it is sent', async ({ page, open }) => {
  await typeAtFirst(page, open);
  for (const remark of [randomUUID(), randomUUID()]) {
    await page.fill('[name=remark]', remark);
    await page.getByRole('button', { name: 'Order at once' }).click();
    await expect.poll(() => taken(page).then(({ order }) => order.remark)).toBe(remark);
    await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  }
});

test('a tab from before an incompatible release navigates and posts with the set that rendered it', async ({ page, open, context }) => {
  const { typed, set, answers, said, sameDocument } = await typeAtFirst(page, open);
  const second = await orderLive(registry, secondEdition);
  expect(second).not.toBe(set);

  await page.getByRole('link', { name: 'Terms' }).click();
  await expect(heading(page)).toHaveText('Terms, first edition');
  await expect(page.getByText('THIRTY DAYS NET')).toBeVisible();
  await page.click('header a[href="/company"]');
  await expect(heading(page)).toHaveText('Company');
  await page.goBack();
  await expect(heading(page)).toHaveText('Terms, first edition');
  await page.getByRole('link', { name: 'To the order' }).click();
  await expect(heading(page)).toHaveText('Order, first edition');
  await expect(page.locator('[name=remark]')).toHaveValue(typed);
  await page.getByRole('button').click();
  expect(await taken(page)).toEqual({ edition: 'first', times: 1, order: { article: 'PLUG GAUGE', remark: typed, how: 'at once' } });

  expect(await sameDocument()).toBe(true);
  expect(answers.map(({ method, path, data }) => `${method} ${path} ${data ? 'data' : 'document'}`)).toContain('POST /order data');
  for (const answer of answers) expect(answer).toMatchObject({ data: true, status: 200, set });
  expect(said).toEqual([]);

  // A tab that is opened now, beside it.
  const other = await context.newPage();
  await other.goto('/order');
  await expect(heading(other)).toHaveText('Order, second edition');
  await expect(other.locator('[name=remark]')).toHaveValue('');
  await other.close();
});

test('the control: data of the second edition breaks the page of the first', async ({ page, open, complaints }) => {
  const { set } = await typeAtFirst(page, open);
  const second = await orderLive(registry, secondEdition);
  const answer = await (await page.request.get(`/order/terms?_data=${second}`)).json();
  await page.route(/\/order\/terms\?_data=/, (route) => route.fulfill({ json: { ...answer, set } }));
  await page.getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByText('Application error')).toBeVisible();
  expect(complaints.list.join('\n')).toContain('toUpperCase');
  complaints.list = [];
});

test('a tab whose set has gone loads the document where it navigates, and what was typed is in the new form', async ({
  page,
  open,
  context,
}) => {
  const { typed, set, answers, said, sameDocument } = await typeAtFirst(page, open);
  // In the background all the time: it has not even the table of its set.
  const untouched = await context.newPage();
  await untouched.goto('/order');
  await hydrated(untouched);
  await moveOnTwice(set, secondReprint);

  await page.getByRole('link', { name: 'Terms' }).click();
  await expect(heading(page)).toHaveText('Terms, second edition');
  expect(await sameDocument()).toBe(false);
  await hydrated(page);
  await page.getByRole('link', { name: 'To the order' }).click();
  await expect(heading(page)).toHaveText('Order, second edition');
  await expect(page.locator('[name=remark]')).toHaveValue(typed);
  expect(answers.slice(0, 2)).toMatchObject([
    { path: '/order/terms', data: true, status: 409 },
    { path: '/order/terms', data: false, status: 200 },
  ]);
  expect(said).toEqual([conflict]);

  await untouched.getByRole('link', { name: 'Terms' }).click();
  await expect(heading(untouched)).toHaveText('Terms, second edition');
  await untouched.close();
});

test('a post from a tab whose set has gone becomes a post of the document, and what was typed is in the new form', async ({
  page,
  open,
}) => {
  const { typed, set, answers, said } = await typeAtFirst(page, open);
  await moveOnTwice(set, secondReprint);

  await page.getByRole('button').click();
  // The second edition asks for what the first did not know; what it knows is there.
  await expect(heading(page)).toHaveText('Order, second edition');
  await expect(page.locator('[data-errors]')).toHaveText('How many?');
  await expect(page.locator('[name=remark]')).toHaveValue(typed);
  await hydrated(page);
  await page.fill('[name=quantity]', '3');
  await page.getByRole('button', { name: 'Order' }).click();
  const lines = [
    { name: 'quantity', value: '3' },
    { name: 'remark', value: typed },
  ];
  expect(await taken(page)).toEqual({ edition: 'second', times: 1, lines });
  expect(posts(answers)).toEqual([
    { data: true, status: 409 },
    { data: false, status: 422 },
    { data: true, status: 200 },
  ]);
  const unprocessable = conflict.replace('409 (Conflict)', '422 (Unprocessable Entity)');
  expect(said).toEqual([conflict, unprocessable]);
});

test('a post that the new set takes arrives once, with all that was typed and the button that was pressed', async ({ page, open }) => {
  const { typed, set, answers, said } = await typeAtFirst(page, open);
  await moveOnTwice(set, firstReprint);

  await page.getByRole('button').click();
  // As a browser sends a document's form: line ends are two characters.
  const order = { article: 'PLUG GAUGE', remark: typed.replace('\n', '\r\n'), how: 'at once' };
  await expect(page.locator('[data-taken]')).toHaveText(/./);
  expect(await taken(page)).toEqual({ edition: 'first', times: 1, order });
  expect(posts(answers)).toEqual([
    { data: true, status: 409 },
    { data: false, status: 200 },
  ]);
  expect(said).toEqual([conflict]);
});

test('while the document is posted the button does nothing; once that is stopped, it sends again', async ({ page, open }) => {
  const { typed, set, said } = await typeAtFirst(page, open);
  await moveOnTwice(set, firstReprint);
  // The document's post hangs on its way to the site, until the form is sent anew.
  let sent = 0;
  await page.route(/\/order\?_data=/, (route) => {
    sent++;
    return route.continue();
  });
  await page.route(/\/order$/, (route) => (sent > 1 ? route.continue() : undefined));

  // All from inside of the page: from outside nobody gets through to it while it is being left.
  await page.evaluate(() => {
    const form = document.querySelector('main form') as HTMLFormElement;
    const press = () => form.querySelector('button')?.click();
    let posts = 0;
    navigation.addEventListener('navigate', ({ formData }) => {
      if (!formData) return;
      sessionStorage.setItem('posts', String(++posts));
      // The first was the data's, this is the document's.
      if (posts === 2) setTimeout(pressAndStop);
    });
    function pressAndStop() {
      press();
      new MutationObserver(press).observe(form, { attributeFilter: ['aria-busy'] });
      window.stop();
    }
    press();
  });
  await page.locator('[data-taken]').waitFor();
  expect(await taken(page)).toMatchObject({ edition: 'first', times: 1, order: { remark: typed.replace('\n', '\r\n') } });
  expect(await page.evaluate(() => sessionStorage.getItem('posts'))).toBe('4');
  expect(said).toEqual([conflict, conflict]);
});
