import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { expect, hydrated, test } from '../support/test.ts';

const applicationError = `Application error: a client-side exception has occurred while loading localhost:${fixturePorts.PORT} (see the browser console for more information)`;
/** `SLOT_DEADLINE_MS`, and a second for a busy machine. */
const slotPageMs = 500 + 1000;

async function logLines(...texts: string[]): Promise<string[]> {
  const lines = (await readFile(path.join(fixtureDataDir, 'logs/shell.log'), 'utf8')).split('\n');
  return lines.filter((line) => texts.every((text) => line.includes(text)));
}

/** The one line of the shell's log that has each of these texts; it is written a moment after the answer. */
async function logLine(...texts: string[]): Promise<unknown> {
  await expect.poll(async () => (await logLines(...texts)).length, `log lines with ${texts}`).toBe(1);
  return JSON.parse((await logLines(...texts))[0] ?? '');
}

test('slots that throw, reject, stay silent or are not released cost their region only, in time', async ({ request, open, page }) => {
  const started = performance.now();
  const response = await request.get('/faults/slots');
  expect(performance.now() - started).toBeLessThan(slotPageMs);
  expect(response.status()).toBe(200);
  expect(await response.text()).not.toContain('secret');
  const requestId = response.headers()['x-request-id'] ?? 'none';
  for (const slot of ['throws', 'rejects', 'silent']) {
    expect(await logLine('"slot failed"', requestId, `"slot":"mfe-faults/${slot}","mfe"`)).toMatchObject({
      level: 'warn',
      version: '1.0.0',
    });
  }

  // And none of them is tried again while hydrating: the browser has nothing to complain about.
  await open('/faults/slots');
  await expect(page.locator('[data-slot="mfe-faults/fine"]')).toHaveText('All is well');
  for (const slot of ['mfe-faults/throws', 'mfe-faults/rejects', 'mfe-faults/silent', 'mfe-absent/slot']) {
    await expect(page.locator(`[data-slot="${slot}"]`)).toHaveText('Not now');
  }
});

for (const fault of ['render', 'loader']) {
  test(`a page whose ${fault} throws is 500 in the layout, with a digest that finds one log line`, async ({
    page,
    request,
    complaints,
  }) => {
    const response = await page.goto(`/faults/${fault}`);
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
    expect(await (await request.get(`/faults/${fault}`)).text()).not.toMatch(/secret|\.cjs|\/releases\/|node:/);
    complaints.list = complaints.list.filter((complaint) => !complaint.includes('status of 500'));
  });
}

test('data of a page whose loader throws is 500 too, with nothing but a digest', async ({ request }) => {
  const set = (await request.get('/faults/loader')).headers()['x-release-set'];
  const response = await request.get(`/faults/loader?_data=${set}`);
  expect(response.status()).toBe(500);
  expect(await response.json()).toEqual({ set, status: 500, digest: expect.stringMatching(/^[0-9a-f]{10}$/) });
});

test('an exception in the browser shows the same text without a digest, and the site goes on', async ({ open, page, complaints }) => {
  await open('/faults/browser');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Still whole');
  await page.getByRole('button', { name: 'Break' }).click();
  await expect(page.getByText(applicationError, { exact: true })).toBeVisible();
  await expect(page.getByText('Digest')).toHaveCount(0);
  await expect.poll(() => complaints.list.join('\n')).toContain('broken in the browser');
  complaints.list = [];
  await page.click('header a[href="/company"]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company');
});

test('401 says how to authenticate, 403 does not, both in the layout with words of their own', async ({ page, request }) => {
  const titles = new Set<string>();
  for (const [at, status] of [
    ['/faults/unauthorized', 401],
    ['/faults/forbidden', 403],
    ['/faults/unknown', 404],
  ] as const) {
    const response = await page.goto(at);
    await hydrated(page);
    expect(response?.status()).toBe(status);
    expect(response?.headers()['www-authenticate']).toBe(status === 401 ? 'Bearer realm="probe"' : undefined);
    await expect(page.locator(`[data-status="${status}"] h1`)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    titles.add((await page.locator('h1').textContent()) ?? '');
    const data = await request.get(`${at}?_data=${response?.headers()['x-release-set']}`);
    expect(data.status()).toBe(status);
  }
  expect(titles.size).toBe(3);
});
