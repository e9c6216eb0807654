import type { APIRequestContext } from 'playwright/test';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { calm, fixtureDist, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const registry = () => registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);
const ops = `http://127.0.0.1:${fixturePorts.OPS_PORT}`;
const shell = `http://127.0.0.1:${fixturePorts.SHELL_PORT}`;

async function liveSet(request: APIRequestContext): Promise<string | undefined> {
  return (await request.get('/company')).headers()['x-release-set'];
}
/** Seconds since the gateway and the shell's supervisor were started: a restart would begin anew. */
async function uptimes(request: APIRequestContext): Promise<number[]> {
  return Promise.all([ops, shell].map(async (base) => (await (await request.get(`${base}/livez`)).json()).uptimeS as number));
}

test.beforeAll(() => calm(registry()));

test('a microfrontend nobody knew goes live by a swap, without a restart and without a failed request', async ({ request, open, page }) => {
  const before = { set: await liveSet(request), uptimes: await uptimes(request) };
  expect((await request.get('/late')).status()).toBe(404);
  await open('/probe-v1');
  await page.evaluate(() => Object.assign(window, { kept: true }));

  const statuses = new Set<number>();
  await registry().publish(fixtureDist('mfe-late'));
  const activating = registry().activate('mfe-late', '1.0.0');
  await expect
    .poll(
      async () => {
        const response = await request.get('/company');
        statuses.add(response.status());
        return response.headers()['x-release-set'];
      },
      { timeout: 20_000, intervals: [20] },
    )
    .not.toBe(before.set);
  expect(await activating).toMatchObject({ state: 'live', reports: [{ ok: true }] });
  await expect.poll(async () => (await request.get('/late')).status()).toBe(200);
  expect([...statuses]).toEqual([200]);
  for (const [i, uptime] of (await uptimes(request)).entries()) expect(uptime).toBeGreaterThanOrEqual(before.uptimes[i] ?? Infinity);
  expect((await (await request.get(`${ops}/health`)).json()).status).toBe('ok');

  // A tab of the set before goes on with the set that rendered it.
  await page.getByRole('main').getByRole('link', { name: 'enhanced' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Probe /probe-enhanced');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('a microfrontend that claims the path of another is refused when it is published, and the live set serves on', async ({ request }) => {
  const set = await liveSet(request);
  await expect(registry().publish(fixtureDist('mfe-rival'))).rejects.toMatchObject({
    code: 'path-conflict',
    message: expect.stringContaining('/news'),
  });
  expect(await liveSet(request)).toBe(set);
  expect((await request.get('/news')).status()).toBe(200);
});

test('a microfrontend that is deactivated is gone by a swap, and can come back', async ({ request }) => {
  const nav = async () => (await request.get('/company')).text();
  expect((await request.get('/probe-v1')).status()).toBe(200);
  expect(await registry().deactivate('mfe-probe-v1')).toMatchObject({ state: 'live' });
  await expect.poll(async () => (await request.get('/probe-v1')).status()).toBe(404);
  expect(await nav()).not.toContain('/probe-v1');
  expect(await registry().activate('mfe-probe-v1', '1.0.0')).toMatchObject({ state: 'live' });
  await expect.poll(async () => (await request.get('/probe-v1')).status()).toBe(200);
});
