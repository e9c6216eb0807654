import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeReleaseSet } from '@colonnade/stack/release';
import type { APIRequestContext } from 'playwright/test';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { expect, test } from '../support/test.ts';

const mfes = () => JSON.parse(readFileSync(path.join(fixtureDataDir, 'release-set.json'), 'utf8')).mfes as Record<string, string>;
const ops = `http://127.0.0.1:${fixturePorts.OPS_PORT}`;
const shell = `http://127.0.0.1:${fixturePorts.SHELL_PORT}`;

async function liveSet(request: APIRequestContext): Promise<string | undefined> {
  return (await request.get('/company')).headers()['x-release-set'];
}
/** Seconds since the gateway and the shell's supervisor were started: a restart would begin anew. */
async function uptimes(request: APIRequestContext): Promise<number[]> {
  return Promise.all([ops, shell].map(async (base) => (await (await request.get(`${base}/livez`)).json()).uptimeS as number));
}

test('a microfrontend nobody knew goes live by a swap, without a restart and without a failed request', async ({ request, open, page }) => {
  const before = { set: await liveSet(request), uptimes: await uptimes(request) };
  expect((await request.get('/late')).status()).toBe(404);
  await open('/probe-v1');
  await page.evaluate(() => Object.assign(window, { kept: true }));

  const statuses = new Set<number>();
  writeReleaseSet(fixtureDataDir, { ...mfes(), 'mfe-late': '1.0.0' });
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
  await expect.poll(async () => (await request.get('/late')).status()).toBe(200);
  expect([...statuses]).toEqual([200]);
  for (const [i, uptime] of (await uptimes(request)).entries()) expect(uptime).toBeGreaterThanOrEqual(before.uptimes[i] ?? Infinity);
  expect((await (await request.get(`${ops}/health`)).json()).status).toBe('ok');

  // A tab of the set before goes on with the set that rendered it.
  await page.getByRole('main').getByRole('link', { name: 'enhanced' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Probe /probe-enhanced');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});

test('two microfrontends that claim one path are refused, and the live set serves on', async ({ request }) => {
  const before = { set: await liveSet(request), mfes: mfes() };
  const health = async () => {
    const response = await request.get(`${ops}/health`);
    return { code: response.status(), status: (await response.json()).status as string };
  };
  expect(await health()).toEqual({ code: 200, status: 'ok' });

  writeReleaseSet(fixtureDataDir, { ...before.mfes, 'mfe-rival': '1.0.0' });
  await expect.poll(health, { timeout: 10_000 }).toEqual({ code: 207, status: 'degraded' });
  const { refused, set } = await (await request.get(`${shell}/readyz`)).json();
  expect(refused.reason).toBe('mfe-news and mfe-rival both claim /news');
  expect(set).toBe(before.set);
  expect(await liveSet(request)).toBe(before.set);
  expect((await request.get('/news')).status()).toBe(200);
  expect((await request.get('/late')).status()).toBe(200);

  // Taking the mistake back makes all well again.
  writeReleaseSet(fixtureDataDir, before.mfes);
  await expect.poll(health, { timeout: 10_000 }).toEqual({ code: 200, status: 'ok' });
});
