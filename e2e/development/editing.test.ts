/** `pnpm dev` on a copy of the sources, so that the tree is never edited. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyRepository } from '@colonnade/stack/repository-copy';
import type { Page } from 'playwright/test';
import { pages } from '../support/site.ts';
import { type StartedSite, startedSite } from '../support/started-site.ts';
import { expect, hydrated, test } from '../support/test.ts';

const ports = { PORT: 16_000, OPS_PORT: 16_001, SHELL_PORT: 16_100, NEWS_PORT: 16_201, INQUIRY_PORT: 16_202, MONGO_PORT: 16_217 };
const origin = `http://localhost:${ports.PORT}`;
/** A change passes a watching build, and for the server new processes: about 1 s, more on a busy machine. */
const seen = { timeout: 20_000 };

test.describe.configure({ mode: 'serial' });
test.use({ baseURL: origin });

let copy: string;
let site: StartedSite | undefined;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  copy = await mkdtemp(path.join(tmpdir(), 'colonnade-dev-'));
  await copyRepository(copy);
  const env = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  site = await startedSite({ root: copy, args: ['--dev'], env: { ...env, DATA_DIR: path.join(copy, '.data'), SHELL_WORKERS: '1' } });
});

test.afterAll(async () => {
  await site?.stop();
  await rm(copy, { recursive: true, force: true });
});

/** Saves a file of the copy with one text in place of another, which must be there. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(path.join(copy, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  await writeFile(path.join(copy, file), text.replace(from, to));
}

/** Marks this document: a page that was loaded anew has lost the mark. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { kept: true }) && undefined);
const marked = (page: Page) => page.evaluate(() => 'kept' in window);

for (const { path: at, heading } of pages) {
  test(`${at} hydrates in React’s development build without a complaint`, async ({ open, page }) => {
    await open(at);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    // The control: this is the build that would warn.
    expect(await page.evaluate(() => '__colonnadeRefresh' in globalThis)).toBe(true);
  });
}

test('an edited component shows in the page with its state kept, and in the server’s HTML', async ({ open, page, request }) => {
  await open('/inquiry');
  await page.fill('[name=name]', 'Kept Name');
  await page.getByRole('button', { name: 'Send the inquiry' }).click();
  const summary = page.locator('main [tabindex="-1"]:focus');
  await expect(summary).toBeVisible();
  const said = await summary.textContent();
  await mark(page);

  await edit('mfe-inquiry/src/form.tsx', 'Send the inquiry', 'Send the edited inquiry');
  await expect(page.getByRole('button', { name: 'Send the edited inquiry' })).toBeVisible(seen);
  await expect(page.locator('[name=name]')).toHaveValue('Kept Name');
  await expect(summary).toHaveText(said ?? '');
  expect(await marked(page)).toBe(true);
  await expect.poll(async () => (await request.get('/inquiry')).text(), seen).toContain('Send the edited inquiry');
  await open('/inquiry');
});

test('an edited CSS module shows in the page, without a reload', async ({ open, page }) => {
  await open('/inquiry');
  await page.fill('[name=name]', 'Kept Name');
  await mark(page);
  await edit('mfe-inquiry/src/form.module.css', '.form {', '.form {\n    outline: 5px solid;');
  await expect(page.locator('main form')).toHaveCSS('outline-width', '5px', seen);
  await expect(page.locator('[name=name]')).toHaveValue('Kept Name');
  expect(await marked(page)).toBe(true);
});

test('an edited service restarts, and the page loads itself anew', async ({ open, page }) => {
  const items = page.locator('main a[href^="/news/2"]');
  await open('/news');
  await expect(items).toHaveCount(20);
  await mark(page);
  await edit('services/news/src/store.ts', '{ $limit: limit }', '{ $limit: 7 }');
  await expect(items).toHaveCount(7, seen);
  expect(await marked(page)).toBe(false);
});

test('an edited layout of the shell shows after the page has loaded itself anew', async ({ open, page }) => {
  await open('/company');
  await mark(page);
  await edit('shell/src/ui/foot.tsx', '<p className="foot-note">', '<p className="foot-note">Edited: ');
  await expect(page.locator('footer')).toContainText('Edited: ', seen);
  expect(await marked(page)).toBe(false);
  await hydrated(page);
});
