import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signPreviewToken } from '@colonnade/release/preview-token';
import type { Page } from 'playwright/test';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { firstEdition, orderLive, publishOrders, secondEdition } from '../support/orders.ts';
import { calm, registryOf } from '../support/releases.ts';
import { expect, hydrated, test } from '../support/test.ts';

const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);
const release = `mfe-order@${secondEdition}`;
const hour = 3_600_000;
const never = 'private, no-store';

test.beforeAll(async () => {
  await calm(registry);
  await publishOrders(registry);
  await orderLive(registry, firstEdition);
});
test.afterAll(async () => {
  await registry.deactivate('mfe-order');
});

/** The link that `pnpm mfe preview` prints. */
function link(to: string, { of = release, inMs = hour } = {}): string {
  const key = readFileSync(path.join(fixtureDataDir, 'keys/preview.key'), 'utf8').trim();
  const token = signPreviewToken({ release: of, expiresAt: new Date(Date.now() + inMs) }, key);
  return `/_preview/${release}?token=${token}&to=${to}`;
}
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('whoever has the link sees the release on every page view and posts to it; nobody else does, and nothing is kept', async ({
  page,
  browser,
  request,
}) => {
  const live = (await request.get('/order')).headers()['x-release-set'];
  const answers: { control: string | undefined; set: string | undefined }[] = [];
  page.on('response', (response) => {
    if (!/^\/(order|company|_preview)/.test(new URL(response.url()).pathname)) return;
    answers.push({ control: response.headers()['cache-control'], set: response.headers()['x-release-set'] });
  });
  await page.goto(link('/order'));
  await expect(page).toHaveURL('/order');
  await expect(heading(page)).toHaveText('Order, second edition');
  await hydrated(page);
  await page.getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByText('TEN DAYS NET')).toBeVisible();
  await page.getByRole('link', { name: 'To the order' }).click();
  await page.fill('[name=quantity]', '5');
  await page.getByRole('button', { name: 'Order' }).click();
  await expect(page.locator('[data-taken]')).toContainText('"edition":"second"');
  await page.goto('/company');
  await page.goto('/order');
  await expect(heading(page)).toHaveText('Order, second edition');

  const [begun, ...seen] = answers;
  expect(begun).toEqual({ control: never, set: undefined });
  const preview = seen[0]?.set;
  expect(preview).not.toBe(live);
  for (const answer of seen) expect(answer).toEqual({ control: never, set: preview });

  const other = await browser.newPage();
  await other.goto(new URL('/order', page.url()).href);
  await expect(heading(other)).toHaveText('Order, first edition');
  await other.close();

  await page.goto('/_preview/end');
  await page.goto('/order');
  await expect(heading(page)).toHaveText('Order, first edition');
});

test('without a token, with an expired one or one for another release there is no preview', async ({ page, complaints }) => {
  const open = async (to: string) => {
    const response = await page.goto(to);
    return { status: response?.status(), ...response?.headers() };
  };
  const unauthorized = { status: 401, 'www-authenticate': 'Preview', 'cache-control': 'no-store' };
  expect(await open(`/_preview/${release}?to=/order`)).toMatchObject(unauthorized);
  expect(await open(link('/order', { inMs: -1000 }))).toMatchObject(unauthorized);
  expect(await open(link('/order', { of: 'mfe-order@9.9.9' }))).toMatchObject({ status: 403, 'cache-control': 'no-store' });
  expect(await page.context().cookies()).toEqual([]);
  await page.goto('/order');
  await expect(heading(page)).toHaveText('Order, first edition');
  expect(complaints.list).toEqual([]);
});
