import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCuttingProxy } from '../../kit/release/fixtures/cutting-proxy.ts';
import { fixtureDataDir, fixturePorts } from '../support/fixture-site.ts';
import { type LoneShell, startLoneShell } from '../support/lone-shell.ts';
import { calm, fixtureDist, publishVersion, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const registry = registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);

test.beforeAll(() => calm(registry));

test('a release that a shell cannot get at its start is left out there, and keeps no other from going live', async () => {
  test.setTimeout(60_000);
  const proxy = await startCuttingProxy(fixturePorts.REGISTRY_PORT, (what) => what.startsWith('GET /releases/mfe-probe-enhanced/'));
  const dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-left-out-'));
  let shell: LoneShell | undefined;
  try {
    shell = await startLoneShell({ dataDir, registryUrl: proxy.origin });
    // Of a release of which nothing came, nobody knows the paths.
    expect((await shell.page('/probe-enhanced')).status).toBe(404);
    expect((await shell.page('/company')).status).toBe(200);
    const before = await shell.set();

    await publishVersion(registry, { from: fixtureDist('mfe-probe-v1'), version: '1.6.0' });
    const { state, reports } = await registry.activate('mfe-probe-v1', '1.6.0');
    expect({ state, reports }).toMatchObject({ state: 'live', reports: [{ ok: true }, { ok: true }] });
    await expect.poll(shell.set).not.toBe(before);
    expect(await registry.rollBack('mfe-probe-v1')).toMatchObject({ state: 'live', version: '1.0.0' });
  } finally {
    await shell?.stop();
    await proxy.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
