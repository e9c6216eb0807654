import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signal } from '../../kit/service/fixtures/processes.ts';
import { fixtureDataDir, fixtureOrigin, fixturePorts } from '../support/fixture-site.ts';
import { startLoneShell } from '../support/lone-shell.ts';
import { onlookers } from '../support/onlookers.ts';
import { processOf } from '../support/process-of.ts';
import { calm, fixtureDist, publishVersion, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const registryPid = () => processOf('services/registry/src/main.ts', `REGISTRY_PORT=${fixturePorts.REGISTRY_PORT}`);

test.beforeAll(() => calm(registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT)));

test.describe.configure({ mode: 'default', timeout: 60_000 });

test('a shell that starts without a registry serves the last good set from its disk; what was tampered with is left out', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-alone-'));
  for (const folder of ['releases', 'shell']) cpSync(path.join(fixtureDataDir, folder), path.join(dataDir, folder), { recursive: true });
  try {
    const whole = await startLoneShell({ dataDir });
    for (const at of ['/company', '/probe-v1', '/probe-enhanced']) expect((await whole.page(at)).status, at).toBe(200);
    await whole.stop();

    // One byte of one release; the signature of another.
    const at = (name: string, file: string) => path.join(dataDir, 'releases', name, '1.0.0', file);
    writeFileSync(at('mfe-probe-v1', 'server/probe.cjs'), `${readFileSync(at('mfe-probe-v1', 'server/probe.cjs'), 'utf8')} `);
    writeFileSync(at('mfe-probe-enhanced', 'release.sig'), readFileSync(at('mfe-faults', 'release.sig')));
    const tampered = await startLoneShell({ dataDir });
    expect((await tampered.page('/company')).status).toBe(200);
    for (const page of ['/probe-v1', '/probe-enhanced']) expect((await tampered.page(page)).status, page).toBe(503);
    await tampered.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('while the registry is killed and comes back nobody notices, and releases go on afterwards', async () => {
  const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);
  const sequence = async () => (await registry.client.state().catch(() => undefined))?.sequence;
  const before = await sequence();
  const others = onlookers(fixtureOrigin, ['/company', '/probe-v1']);
  const pid = registryPid();
  signal(pid, 'SIGKILL');
  await expect.poll(registryPid, { timeout: 15_000 }).not.toBe(pid);
  await expect.poll(sequence, { timeout: 15_000 }).toBe(before);
  await publishVersion(registry, { from: fixtureDist('mfe-probe-v1'), version: '1.4.0' });
  // A shell that is not connected yet tries it by itself.
  expect(await registry.activate('mfe-probe-v1', '1.4.0')).toMatchObject({ state: 'live' });
  await expect
    .poll(async () => (await fetch(`${fixtureOrigin}/probe-v1`)).text(), { timeout: 15_000 })
    .toContain('/_mfe/mfe-probe-v1/1.4.0/');
  expect(await registry.rollBack('mfe-probe-v1')).toMatchObject({ state: 'live', version: '1.0.0' });
  for (const [page, statuses] of Object.entries(await others.end())) expect(Object.keys(statuses), page).toEqual(['200']);
});
