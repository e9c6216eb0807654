import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freeze } from '../../kit/service/fixtures/processes.ts';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { type LoneShell, loneShellPort, startLoneShell } from '../support/lone-shell.ts';
import { calm, fixtureDist, publishVersion, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const registryUrl = `http://127.0.0.1:${fixturePorts.REGISTRY_PORT}`;
const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);
const from = fixtureDist('mfe-late');
const good = '3.0.0';
const goodHere = '3.1.0';

let dataDir: string;
let second: LoneShell;
/** The id of the fixtures' shell, as the registry knows it. */
let firstShell: string;
const firstSet = async () => ((await (await fetch(`http://127.0.0.1:${fixturePorts.SHELL_PORT}/readyz`)).json()) as { set: string }).set;
const sets = async () => [await firstSet(), await second.set()];
/** As it is now, decided or not. */
const look = async (id: string) => (await fetch(`${registryUrl}/activations/${id}`)).json();

test.describe.configure({ mode: 'serial', timeout: 60_000 });

test.beforeAll(async () => {
  await calm(registry);
  await publishVersion(registry, { from, version: good });
  const throwsInSecond = `\`Probe \${(() => { if (process.env.SHELL_PORT === '${loneShellPort}') throw new Error('not here'); })() ?? ''}$`;
  await publishVersion(registry, { from, version: goodHere, edit: (text) => text.replaceAll('`Probe $', throwsInSecond) });
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-second-'));
  // With an empty disk: all that it serves comes from the registry.
  second = await startLoneShell({ dataDir, registryUrl });
});
test.afterAll(async () => {
  await second?.stop();
  rmSync(dataDir, { recursive: true, force: true });
  await registry.deactivate('mfe-late');
});

test('with two shells a release goes live when both have tried it, and then in both', async () => {
  const [before, same] = await sets();
  expect(same).toBe(before);
  await freeze(second.pid);
  const { id } = await registry.client.activate({ name: 'mfe-late', version: good });
  try {
    await expect.poll(async () => (await look(id)).reports, { timeout: 10_000 }).toMatchObject([{ ok: true }]);
    firstShell = (await look(id)).reports[0].shell;
    expect(await look(id)).toMatchObject({ state: 'trying' });
    expect(await firstSet()).toBe(before);
  } finally {
    process.kill(second.pid, 'SIGCONT');
  }
  await expect.poll(async () => (await look(id)).state, { timeout: 15_000 }).toBe('live');
  expect((await look(id)).reports).toMatchObject([{ ok: true }, { ok: true }]);
  await expect.poll(async () => new Set(await sets()).size).toBe(1);
  await expect.poll(firstSet).not.toBe(before);
});

test('where one of two shells cannot serve a release, both stay as they are, and it is told which one said why', async () => {
  const before = await sets();
  const refused = await registry.activate('mfe-late', goodHere);
  expect(refused).toMatchObject({ state: 'refused', reasons: [{ reason: '/late answers 500 (not here), and 200 from the live set' }] });
  const no = refused.reports.find(({ ok }) => !ok)?.shell;
  expect(refused.reasons[0]?.shell).toBe(no);
  expect(no).not.toBe(firstShell);
  expect(await sets()).toEqual(before);

  // The control. A moment later the registry knows that there is one shell only.
  await second.stop();
  await expect(async () => expect(await registry.activate('mfe-late', goodHere)).toMatchObject({ state: 'live' })).toPass({
    timeout: 30_000,
  });
});
