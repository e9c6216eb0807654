import { fixturePorts } from '../support/fixture-site.ts';
import { logLine } from '../support/shell-log.ts';
import { expect, hydrated, test } from '../support/test.ts';

const applicationError = `Application error: a client-side exception has occurred while loading localhost:${fixturePorts.PORT} (see the browser console for more information)`;
/** Less than the 3 s that the page itself may take: a slot has 0.5 s. */
const slotPageMs = 2900;

test('slots that throw, reject, stay silent or are not released cost their region only, in time', async ({ request, open, page }) => {
  const started = performance.now();
  const response = await request.get('/faults/slots');
  expect(performance.now() - started).toBeLessThan(slotPageMs);
  expect(response.status()).toBe(200);
  expect(await response.text()).not.toContain('secret');
  const requestId = response.headers()['x-request-id'] ?? 'none';
  for (const slot of ['throws', 'rejects', 'silent', 'garbage']) {
    expect(await logLine('"slot failed"', requestId, `"slot":"mfe-faults/${slot}","mfe"`)).toMatchObject({
      level: 'warn',
      version: '1.0.0',
    });
  }

  // And none of them is tried again while hydrating: the browser has nothing to complain about.
  await open('/faults/slots');
  await expect(page.locator('[data-slot="mfe-faults/fine"]')).toHaveText('All is well');
  for (const slot of ['mfe-faults/throws', 'mfe-faults/rejects', 'mfe-faults/silent', 'mfe-faults/garbage', 'mfe-absent/slot']) {
    await expect(page.locator(`[data-slot="${slot}"]`)).toHaveText('Not now');
  }
});

for (const [fault, at] of [
  ['render', '/faults/render'],
  ['loader', '/faults/with/rejects'],
] as const) {
  test(`a page whose ${fault} throws is 500 in the layout, with a digest that finds one log line`, async ({
    page,
    request,
    complaints,
  }) => {
    const response = await page.goto(at);
    expect(response?.status()).toBe(500);
    expect(response?.headers()['cache-control']).toBe('no-store');
    await hydrated(page);
    await expect(page.getByText(applicationError, { exact: true })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    const [, digest] = /^Digest: ([0-9a-f]{10})$/.exec((await page.getByText('Digest:').textContent()) ?? '') ?? [];
    expect(digest).toBeDefined();
    expect(await logLine(digest ?? '')).toMatchObject({
      level: 'error',
      mfe: 'mfe-faults',
      version: '1.0.0',
      err: { message: `secret of the ${fault}` },
    });
    expect(await (await request.get(at)).text()).not.toMatch(/secret|\.cjs|\/releases\/|node:/);
    complaints.list = complaints.list.filter((complaint) => !complaint.includes('status of 500'));
  });
}

test('an exception in the browser shows the same text without a digest, and the site goes on', async ({ open, page, complaints }) => {
  await open('/faults/browser');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Still whole');
  await page.getByRole('button', { name: 'Break' }).click();
  await expect(page.getByText(applicationError, { exact: true })).toBeVisible();
  await expect(page.getByText('Digest')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect.poll(() => complaints.list.join('\n')).toContain('broken in the browser');
  complaints.list = [];
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
});

test('a page that has failed in the browser is tried anew where another query is asked for', async ({ open, page, complaints }) => {
  await open('/faults/browser');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.getByRole('button', { name: 'Break' }).click();
  await expect(page.getByText(applicationError, { exact: true })).toBeVisible();
  await page.evaluate(() => void navigation.navigate('/faults/browser?again'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Still whole');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  complaints.list = complaints.list.filter((line) => !line.includes('broken in the browser'));
});
