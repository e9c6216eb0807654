import type { Page } from 'playwright/test';
import { expect, hydrated, test } from '../support/test.ts';

const keyOf = (page: Page) => page.locator('[name=key]').inputValue();
const kept = (page: Page) => page.evaluate(() => Object.keys(sessionStorage));

/** Documents come to life only when the returned function is called. */
async function withoutScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/main\.[^/]*js$/, async (route) => {
    await promise;
    // Of a document that is gone nobody waits for it.
    await route.continue().catch(() => {});
  });
  return resolve;
}

async function change(page: Page): Promise<void> {
  await page.fill('[name=pieces]', '5');
  await page.selectOption('[name=unit]', 'inch');
  await page.selectOption('[name=gauges]', ['plug', 'snap']);
  await page.uncheck('[name=report]');
}

async function expectFields(page: Page, fields: { pieces: string; unit: string; gauges: string[]; report: boolean }): Promise<void> {
  await expect(page.locator('[name=pieces]')).toHaveValue(fields.pieces);
  await expect(page.locator('[name=unit]')).toHaveValue(fields.unit);
  await expect(page.locator('[name=gauges]')).toHaveValues(fields.gauges);
  await expect(page.locator('[name=report]')).toBeChecked({ checked: fields.report });
}

const asItComes = { pieces: '1', unit: 'mm', gauges: ['ring'], report: true };
const changed = { pieces: '5', unit: 'inch', gauges: ['plug', 'snap'], report: false };

test('fields that came with something in them are kept as the visitor left them', async ({ open, page }) => {
  await open('/faults/form');
  await expectFields(page, asItComes);
  await change(page);
  await page.goto('/company');
  await open('/faults/form');
  await expectFields(page, changed);
});

test('what is changed before the page is brought to life stays, the rest is brought back', async ({ open, page }) => {
  await open('/faults/form');
  await change(page);
  await page.goto('/company');
  const start = await withoutScripts(page);
  await page.goto('/faults/form', { waitUntil: 'commit' });
  await page.fill('[name=pieces]', '7');
  start();
  await expectFields(page, { ...changed, pieces: '7' });
});

test('what was sent before the page is brought to life is newer than what was kept', async ({ open, page }) => {
  await open('/faults/form');
  await change(page);
  const start = await withoutScripts(page);
  await page.goto('/faults/form', { waitUntil: 'commit' });
  await page.fill('[name=pieces]', '0');
  const key = await keyOf(page);
  await page.getByRole('button', { name: 'Send and stay' }).click();
  await expect(page.getByRole('alert')).toHaveText('None?');
  start();
  await hydrated(page);
  // What the answer does not bring back is the draft's.
  await expectFields(page, { ...changed, pieces: '0' });
  expect(await keyOf(page)).toBe(key);
  await page.goto('/company');
  await open('/faults/form');
  await expectFields(page, { ...changed, pieces: '0' });
  await expect.poll(() => keyOf(page)).toBe(key);
});

test('a form that its loader refuses brings back what was kept, its key with it', async ({ open, page, complaints }) => {
  await open('/faults/form');
  const key = await keyOf(page);
  await change(page);
  await open('/faults/form?closed');
  await expect(page.getByRole('alert')).toHaveText('Closed.');
  await expectFields(page, changed);
  await expect.poll(() => keyOf(page)).toBe(key);
  complaints.list = complaints.list.filter((line) => !line.includes('status of 503'));
});

test('what is begun after a form was taken stays when the page is brought to life', async ({ open, page }) => {
  await open('/faults/form');
  await change(page);
  const start = await withoutScripts(page);
  await page.goto('/faults/form', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Send and stay' }).click();
  await expect(page.getByRole('status')).toHaveText('Taken.');
  await page.fill('[name=pieces]', '7');
  start();
  await hydrated(page);
  await expect.poll(() => kept(page)).toEqual([]);
  await expectFields(page, { ...asItComes, pieces: '7' });
});

test('a form that stays is a new one each time it was taken', async ({ open, page }) => {
  await open('/faults/form');
  const keys = [await keyOf(page)];
  for (const times of [1, 2, 3]) {
    await change(page);
    expect(await kept(page)).toEqual(['draft:/faults/form']);
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await page.getByRole('button', { name: 'Send and stay' }).click();
    await expect(page.getByRole('status')).toHaveText('Taken.');
    await expect.poll(() => kept(page), `time ${times}`).toEqual([]);
    await expectFields(page, asItComes);
    expect(await page.evaluate(() => 'kept' in window)).toBe(true);
    keys.push(await keyOf(page));
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test('a page of another path says that the form was taken', async ({ open, page }) => {
  await open('/faults/form');
  const key = await keyOf(page);
  await change(page);
  await page.getByRole('button', { name: 'Send and leave' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Taken');
  expect(await kept(page)).toEqual([]);
  await page.goBack();
  await expectFields(page, asItComes);
  expect(await keyOf(page)).not.toBe(key);
});

test('what is begun after a form was taken stays when its confirmation is come back to', async ({ open, page }) => {
  await open('/faults/form');
  await change(page);
  await page.getByRole('button', { name: 'Send and leave' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Taken');
  await open('/faults/form');
  await page.fill('[name=pieces]', '7');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Taken');
  await hydrated(page);
  await page.goForward();
  await hydrated(page);
  await expectFields(page, { ...asItComes, pieces: '7' });
  expect(await kept(page)).toEqual(['draft:/faults/form']);
});

test('a lost connection takes nothing from the page, its slots among it', async ({ open, page, complaints }) => {
  await open('/faults/form');
  await change(page);
  await page.getByLabel('Note').fill('in the slot');
  await page.route(/_data=/, (route) => route.abort());
  await page.getByRole('button', { name: 'Send and stay' }).click();
  await expect(page.getByRole('alert')).toContainText('No answer came');
  await expectFields(page, changed);
  await expect(page.getByRole('button', { name: 'Break' })).toBeVisible();
  await expect(page.getByLabel('Note')).toHaveValue('in the slot');
  complaints.list = complaints.list.filter((line) => !line.includes('ERR_FAILED'));
});

test('a slot that has failed in the browser is tried anew with the next answer', async ({ open, page, complaints }) => {
  await open('/faults/form');
  await page.getByRole('button', { name: 'Break' }).click();
  await expect(page.locator('section')).toHaveText('Not now');
  await page.getByRole('button', { name: 'Send and stay' }).click();
  await expect(page.getByRole('button', { name: 'Break' })).toBeVisible();
  complaints.list = complaints.list.filter((line) => !line.includes('broken in the browser'));
});
