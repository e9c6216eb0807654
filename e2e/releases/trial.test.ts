import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { calm, fixtureDist, publishVersion, type Registry, registryOf, takeOff } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const supervisor = `http://127.0.0.1:${fixturePorts.SHELL_PORT}`;
const registry = () => registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);
const from = fixtureDist('mfe-probe-v1');
const throws = (text: string) => text.replaceAll('`Probe $', `\`Probe \${(() => { throw new Error('thrown by a new version'); })()} $`);

interface Pointer {
  live: string;
  previous: string | null;
  canary: string | null;
  canaryPercent: number;
  preview: { set: string; release: string } | null;
  sets: Record<string, number>;
}
/** The supervisor's pointer as a gateway gets it. */
function pointer(): Promise<Pointer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${supervisor}/sets`, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const data = /^data: (.*)\n\n/m.exec(text)?.[1];
        if (data === undefined) return;
        resolve(JSON.parse(data) as Pointer);
        asked.destroy();
      });
    });
    asked.on('error', reject).end();
  });
}
/** A page of one set, asked as its gateway would. */
const ofSet = async (set: string | null | undefined, path: string) => fetch(`http://127.0.0.1:${(await pointer()).sets[set ?? '']}${path}`);

async function publishThrowing(to: Registry, version: string, edit = throws) {
  await publishVersion(to, { from, version, edit });
}

test.beforeAll(() => calm(registry()));

test.describe.configure({ mode: 'default', timeout: 60_000 });

test('a version whose page throws fails its trial on every shell, and is not switched to', async ({ request }) => {
  const before = (await request.get('/probe-v1')).headers()['x-release-set'];
  await publishThrowing(registry(), '1.1.0');
  const activation = await registry().activate('mfe-probe-v1', '1.1.0');
  expect(activation).toMatchObject({ state: 'refused', reports: [{ ok: false }] });
  expect(activation.reasons.map(({ reason }) => reason)).toEqual([
    '/probe-v1 answers 500 (thrown by a new version), and 200 from the live set',
  ]);
  const page = await request.get('/probe-v1');
  expect([page.status(), page.headers()['x-release-set']]).toEqual([200, before]);

  // The control: the same version without the throw goes live.
  await publishVersion(registry(), { from, version: '1.1.1' });
  expect(await registry().activate('mfe-probe-v1', '1.1.1')).toMatchObject({ state: 'live' });
  expect(await registry().rollBack('mfe-probe-v1')).toMatchObject({ state: 'live', version: '1.0.0' });
});

test('a version whose slot throws in another’s page, whose document has no data of it, fails its trial', async ({ request }) => {
  const page = await request.get('/');
  expect(await page.text()).toMatch(/<script type="application\/json" id="boot">(?!.*"slots":)/);
  const version = '2.0.0';
  const edit = (text: string) => text.replaceAll('"Latest news"', "(() => { throw new Error('thrown by a new version'); })()");
  const latest = { from: path.join(import.meta.dirname, '../../mfe-news/dist'), version };
  await publishVersion(registry(), { ...latest, edit });
  const activation = await registry().activate('mfe-news', version);
  expect(activation.reasons.map(({ reason }) => reason)).toEqual(['/: mfe-news/latest fails, and does not in the live set']);
  expect(activation.state).toBe('refused');
  expect((await request.get('/')).headers()['x-release-set']).toBe(page.headers()['x-release-set']);

  // The control: the same version without the throw goes live.
  await publishVersion(registry(), { ...latest, version: '2.0.1' });
  expect(await registry().activate('mfe-news', '2.0.1')).toMatchObject({ state: 'live' });
  expect(await registry().rollBack('mfe-news')).toMatchObject({ state: 'live' });
});

test('a first version whose page hangs, though it waits for no service, is refused: there is no live one that it could be as good as', async () => {
  await takeOff(registry(), 'mfe-late');
  const late = { from: fixtureDist('mfe-late'), version: '4.0.0' };
  const hangs = (text: string) => text.replaceAll('async function loader({ request }) {', '$& await new Promise(() => {});');
  await publishVersion(registry(), { ...late, edit: hangs });
  const { state, reasons } = await registry().activate('mfe-late', late.version);
  expect(reasons.map(({ reason }) => reason)).toEqual(['/late answers 503 (does not end within 3000 ms, and waits for no service)']);
  expect(state).toBe('refused');

  // The control: the same version that does not hang goes live.
  await publishVersion(registry(), { ...late, version: '4.0.1' });
  expect(await registry().activate('mfe-late', '4.0.1')).toMatchObject({ state: 'live' });
  await takeOff(registry(), 'mfe-late');
});

test('a microfrontend is taken off the site although another’s page places a slot of it', async ({ request }) => {
  const without = 'The news cannot be shown at the moment.';
  expect(await (await request.get('/')).text()).not.toContain(without);
  expect(await registry().deactivate('mfe-news')).toMatchObject({ state: 'live', reasons: [] });
  await expect.poll(async () => (await request.get('/news')).status()).toBe(404);
  const page = await request.get('/');
  expect([page.status(), await page.text()]).toEqual([200, expect.stringContaining(without)]);
  expect(await registry().rollBack('mfe-news')).toMatchObject({ state: 'live' });
  await expect.poll(async () => (await (await request.get('/')).text()).includes(without)).toBe(false);
});

test('a version that cannot be loaded is refused with its reason', async () => {
  const react18 = (text: string) => text.replaceAll('^19.3.0', '^18.0.0');
  await publishThrowing(registry(), '1.2.0', react18);
  const { state, reasons } = await registry().activate('mfe-probe-v1', '1.2.0');
  expect(state).toBe('refused');
  expect(reasons[0]?.reason).toMatch(/mfe-probe-v1@1\.2\.0: .*19/);
});

test('a canary is resident beside the live set, and withdrawn by itself when it fails more often', async () => {
  // Good for its trial, bad for everybody after it.
  const fromTheSecondOn = (text: string) =>
    text.replaceAll(
      '`Probe $',
      `\`Probe \${(() => { globalThis.nth = (globalThis.nth ?? 0) + 1; if (nth > 1) throw new Error('later'); })()} $`,
    );
  await publishThrowing(registry(), '1.3.0', fromTheSecondOn);
  const activation = await registry().activate('mfe-probe-v1', '1.3.0', 10);
  expect(activation).toMatchObject({ state: 'canary' });
  await expect.poll(async () => (await pointer()).canaryPercent).toBe(10);
  const { live, canary } = await pointer();
  expect(canary).not.toBe(live);

  const seen = { live: new Set<number>(), canary: new Set<number>() };
  // No more than the guard waits for: after that the canary may be gone at any time.
  for (let i = 0; i < 50; i++) {
    seen.canary.add((await ofSet(canary, '/probe-v1')).status);
    seen.live.add((await ofSet(live, '/probe-v1')).status);
  }
  expect(seen).toEqual({ live: new Set([200]), canary: new Set([500]) });
  await expect.poll(async () => (await pointer()).canary, { timeout: 30_000 }).toBeNull();
  const { state, reasons } = await registry().client.activation(activation.id);
  expect(state).toBe('withdrawn');
  expect(reasons[0]?.reason).toMatch(/^failed in \d+ of \d+ page views/);
  expect((await pointer()).live).toBe(live);
});

test('a canary is promoted to the live set, with the workers it has', async ({ request }) => {
  expect(await registry().activate('mfe-probe-v1', '1.1.1', 20)).toMatchObject({ state: 'canary' });
  await expect.poll(async () => (await pointer()).canaryPercent).toBe(20);
  const { canary } = await pointer();
  await registry().client.endCanary('promote');
  await expect.poll(async () => (await pointer()).live).toBe(canary);
  expect((await pointer()).canary).toBeNull();
  await expect.poll(async () => (await request.get('/probe-v1')).headers()['x-release-set']).toBe(canary);
  expect(await registry().rollBack('mfe-probe-v1')).toMatchObject({ state: 'live', version: '1.0.0' });
});

test('a preview is resident for whoever asks for its set, and for nobody else', async ({ request }) => {
  const live = (await request.get('/probe-v1')).headers()['x-release-set'];
  const ask = (version: string) =>
    fetch(`${supervisor}/previews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'mfe-probe-v1', version }),
    });
  const answer = await ask('1.1.1');
  const { set, port } = (await answer.json()) as { set: string; port: number };
  expect(set).not.toBe(live);
  expect((await pointer()).preview).toEqual({ set, release: 'mfe-probe-v1@1.1.1' });
  const html = await (await fetch(`http://127.0.0.1:${port}/probe-v1`)).text();
  expect(html).toContain('/_mfe/mfe-probe-v1/1.1.1/');
  expect((await request.get('/probe-v1')).headers()['x-release-set']).toBe(live);

  expect((await ask('9.9.9')).status).toBe(404);
  expect((await ask('1.2.0')).status).toBe(409);
  expect((await ask('no version')).status).toBe(422);
});
