import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Instance } from '../fixtures/probe/instances.ts';
import type { ProbeData } from '../fixtures/probe/probe.server.ts';
import { fixtureDataDir } from '../support/fixture-site.ts';
import { expect, test } from '../support/test.ts';

const probes = [
  { mfe: 'mfe-probe-v1', container: 'v1', path: '/probe-v1', link: 'enhanced' },
  { mfe: 'mfe-probe-enhanced', container: 'enhanced', path: '/probe-enhanced', link: 'v1' },
] as const;

for (const { mfe, container, path: at, link } of probes) {
  test(`a microfrontend built as a ${container} container is rendered, hydrated and alive`, async ({ open, page, request }) => {
    const release = JSON.parse(await readFile(path.join(fixtureDataDir, 'releases', mfe, '1.0.0/release.json'), 'utf8'));
    expect(release.container).toBe(container);
    const html = await (await request.get(at)).text();
    expect(html).toContain(`Probe ${at}</h1>`);
    expect(html).toContain('Clicked 0 times');

    await open(at);
    await page.getByRole('button').click();
    await expect(page.getByRole('button')).toHaveText('Clicked 1 times');
    await expect(page.getByRole('button')).toHaveCSS('border-top-width', '7px');

    // The other kind of container, met later, in the same page.
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await page.getByRole('main').getByRole('link', { name: link }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Probe /probe-');
    await expect(page).not.toHaveURL(at);
    await page.getByRole('button').click();
    await expect(page.getByRole('button')).toHaveText('Clicked 1 times');
    await expect(page.getByRole('button')).toHaveCSS('border-top-width', '7px');
    expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  });
}

test('all microfrontends of a worker have one React and one contract', async ({ request }) => {
  for (const { path: at } of probes) {
    const set = (await request.get(at)).headers()['x-release-set'];
    const { loaderData } = (await (await request.get(`${at}?_data=${set}`)).json()) as { loaderData: ProbeData };
    expect(loaderData).toEqual({ path: at, mfes: ['mfe-probe-enhanced', 'mfe-probe-v1'], reacts: 1, kits: 1 });
  }
});

test('a page that shows its address hydrates, however its query is written', async ({ open, page }) => {
  // Its complaints would tell of a difference.
  await open('/probe-v1?q=a%20b&e');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Probe /probe-v1?q=a%20b&e');
});

test('all microfrontends of a page have one React and one contract', async ({ open, page }) => {
  await open('/probe-v1');
  await page.getByRole('main').getByRole('link', { name: 'enhanced' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Probe /probe-enhanced');
  const found = await page.evaluate(() => {
    const all = (globalThis as { __instances?: Instance[] }).__instances ?? [];
    const count = (of: (instance: Instance) => unknown) => new Set(all.map(of)).size;
    const functions = all.every(({ react, kit }) => typeof react === 'function' && typeof kit === 'function');
    // The control: two different things count as two.
    return {
      mfes: all.map(({ mfe }) => mfe),
      functions,
      reacts: count((i) => i.react),
      kits: count((i) => i.kit),
      control: count((i) => i.mfe),
    };
  });
  expect(found).toEqual({ mfes: ['mfe-probe-v1', 'mfe-probe-enhanced'], functions: true, reacts: 1, kits: 1, control: 2 });
});
