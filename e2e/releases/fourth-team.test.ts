/** A team that nobody knew, from its first command to its page on a site that goes on running. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { APIRequestContext } from 'playwright/test';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { processOf } from '../support/process-of.ts';
import { calm, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const tool = path.join(import.meta.dirname, '../../kit/release/cli/main.ts');
const keysDir = path.join(fixtureDataDir, 'keys');
let dir: string;
let careers: string;
/** That which runs these tests, where one does: no network is needed to find it. */
const pnpm = /pnpm/.test(process.env.npm_execpath ?? '') ? [process.env.npm_execpath as string] : ['npx', '--yes', 'pnpm@12'];

/** Runs a command as a person in that folder types it. @returns what it prints; throws where it does not end with 0 */
async function run(words: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const [command = '', ...args] = words;
  const REGISTRY_URL = `http://127.0.0.1:${fixturePorts.REGISTRY_PORT}`;
  return (await promisify(execFile)(command, args, { cwd, env: { ...process.env, REGISTRY_URL, ...env } })).stdout;
}
const team = (words: string, env?: Record<string, string>) => run([...pnpm, ...words.split(' ')], careers, env);
const mfe = (words: string[], env?: Record<string, string>) => run([process.execPath, tool, ...words], dir, env);
const asOperator = () => ({ COLONNADE_TOKEN: readFileSync(path.join(keysDir, 'operator.token'), 'utf8').trim() });

const processes = () => ({
  gateway: processOf('gateway/src/main.ts', `PORT=${fixturePorts.PORT}`),
  shell: processOf('shell/src/server/main.ts', `SHELL_PORT=${fixturePorts.SHELL_PORT}`),
});
const status = async (request: APIRequestContext) => (await request.get('/careers')).status();
const names = async (request: APIRequestContext, page: string, what: string) => (await (await request.get(page)).text()).includes(what);

test.beforeAll(async () => {
  await calm(registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT));
  dir = mkdtempSync(path.join(tmpdir(), 'colonnade-fourth-team-'));
  careers = path.join(dir, 'mfe-careers');
});
test.afterAll(() => dir && rmSync(dir, { recursive: true, force: true }));
test.describe.configure({ timeout: 120_000 });

test('a fourth team puts its page on the site and takes it off, and nothing is changed or restarted for it', async ({
  request,
  open,
  page,
  browser,
}) => {
  const before = processes();
  expect(before).toEqual({ gateway: expect.any(Number), shell: expect.any(Number) });
  expect(await status(request)).toBe(404);

  await mfe(['create', 'careers', '--dir', careers]);
  // A machine that has installed this before needs no network for it.
  await team('install --offline').catch(() => team('install'));
  await team('check');
  expect(await team('test')).toContain('1 passed');
  const [, line = ''] = /pnpm mfe (keyring add .*)/.exec(await team('mfe keys team --mfes mfe-careers --team Careers')) ?? [];
  // Control: a key that the operator has not taken in gets nothing published.
  await expect(team('mfe publish')).rejects.toMatchObject({ stderr: expect.stringContaining('is in the keyring') });
  await mfe(line.replaceAll('"', '').split(' '), { ...asOperator(), ROOT_KEY_FILE: path.join(keysDir, 'root.pem') });
  expect(await team('mfe publish --no-build')).toContain('mfe-careers@1.0.0 published');
  expect(await status(request)).toBe(404);

  expect(await team('mfe activate', asOperator())).toContain('mfe-careers@1.0.0 is live');
  await expect.poll(() => status(request)).toBe(200);
  await expect.poll(() => names(request, '/', 'href="/careers"')).toBe(true);
  await expect.poll(() => names(request, '/sitemap.xml', '/careers</loc>')).toBe(true);
  const heading = { level: 1, name: 'Careers' };
  const withoutScript = await browser.newPage({ javaScriptEnabled: false });
  await withoutScript.goto('/');
  await withoutScript.getByRole('banner').getByRole('link', { name: 'Careers' }).click();
  await expect(withoutScript.getByRole('heading', heading)).toBeVisible();
  await withoutScript.close();

  await open('/company');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.getByRole('banner').getByRole('link', { name: 'Careers' }).click();
  await expect(page.getByRole('heading', heading)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Second entry' })).toBeVisible();
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);

  expect(await team('mfe deactivate', asOperator())).toContain('mfe-careers is off the site');
  await expect.poll(() => status(request)).toBe(404);
  await expect.poll(() => names(request, '/', 'href="/careers"')).toBe(false);
  expect(processes()).toEqual(before);
});
