import type { Browser, Page, Response } from 'playwright/test';
import { fixtureDataDir, fixtureOrigin, fixturePorts } from '../support/fixture-site.ts';
import { everywhere, firstEdition, orderLive, publishOrders, secondEdition } from '../support/orders.ts';
import { calm, registryOf } from '../support/releases.ts';
import { expect, hydrated, test } from '../support/test.ts';

const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);
const percent = 10;

test.describe.configure({ mode: 'default', timeout: 60_000 });

test.beforeAll(async () => {
  await calm(registry);
  await publishOrders(registry);
});
test.afterAll(async () => {
  if ((await registry.client.state()).canary) await registry.client.endCanary('withdraw');
  await registry.deactivate('mfe-order');
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** A visitor in a bucket. @returns their page, and every answer of a page or its data */
async function visitor(browser: Browser, bucket: number) {
  const context = await browser.newContext({ baseURL: fixtureOrigin });
  await context.addCookies([{ name: 'colonnade-bucket', value: String(bucket), url: fixtureOrigin }]);
  const page = await context.newPage();
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (/^\/(order|company)/.test(new URL(response.url()).pathname)) answers.push(response);
  });
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  const sets = () => new Set(answers.map((answer) => answer.headers()['x-release-set']));
  return { context, page, answers, said, sets };
}

test('visitors below the percentage have the canary on every page view, the others what is live, until it is withdrawn', async ({
  browser,
}) => {
  const live = await orderLive(registry, firstEdition);
  expect(await registry.activate('mfe-order', secondEdition, percent)).toMatchObject({ state: 'canary' });
  const inCanary = { Cookie: `colonnade-bucket=${percent - 1}` };
  await everywhere('/order', async (answer) => expect(await answer.text()).toContain('second edition'), inCanary);

  const inside = await visitor(browser, percent - 1);
  const outside = await visitor(browser, percent);
  for (const [{ page }, edition, terms] of [
    [inside, 'second', 'TEN DAYS NET'],
    [outside, 'first', 'THIRTY DAYS NET'],
  ] as const) {
    await page.goto('/order');
    await hydrated(page);
    await expect(heading(page)).toHaveText(`Order, ${edition} edition`);
    await page.getByRole('link', { name: 'Terms' }).click();
    await expect(page.getByText(terms)).toBeVisible();
    await page.getByRole('link', { name: 'To the order' }).click();
    await page.fill('[name=remark]', 'Of a visitor');
    if (edition === 'second') await page.fill('[name=quantity]', '2');
    await page.getByRole('button', { name: 'Order' }).click();
    await expect(page.locator('[data-taken]')).toContainText(`"edition":"${edition}"`);
    for (let reload = 0; reload < 2; reload++) {
      await page.goto('/company');
      await page.goto('/order');
      await page.reload();
      await expect(heading(page)).toHaveText(`Order, ${edition} edition`);
    }
  }
  const [canary] = inside.sets();
  expect(canary).not.toBe(live);
  expect([...inside.sets(), ...outside.sets()]).toEqual([canary, live]);
  expect([...inside.said, ...outside.said]).toEqual([]);

  // Nothing of the canary is kept, not even of pages that may be; what is live is, by the gateway alone.
  for (const answer of inside.answers) {
    expect(answer.headers()['cache-control']).toMatch(/^private, no-(store|cache)$/);
    if (answer.request().method() === 'GET') expect(answer.headers()['cache-status']).toBe('colonnade; fwd=bypass');
  }
  const orders = inside.answers.filter((answer) => new URL(answer.url()).pathname === '/order');
  for (const answer of orders) expect(answer.headers()['cache-control']).toBe('private, no-store');
  const company = outside.answers.filter((answer) => answer.url().endsWith('/company'));
  for (const answer of company) expect(answer.headers()['cache-control']).toBe('private, no-cache');
  expect(company.at(-1)?.headers()['cache-status']).toMatch(/^colonnade; (hit|fwd=miss; stored)/);

  await hydrated(inside.page);
  await inside.page.fill('[name=remark]', 'Typed in the canary');
  await registry.client.endCanary('withdraw');
  await everywhere('/order', async (answer) => expect(await answer.text()).toContain('first edition'), inCanary);
  await inside.page.getByRole('link', { name: 'Terms' }).click();
  await expect(heading(inside.page)).toHaveText('Terms, first edition');
  await hydrated(inside.page);
  await inside.page.getByRole('link', { name: 'To the order' }).click();
  await expect(inside.page.locator('[name=remark]')).toHaveValue('Typed in the canary');
  expect(inside.answers.at(-1)?.headers()['x-release-set']).toBe(live);
  await Promise.all([inside.context.close(), outside.context.close()]);
});
