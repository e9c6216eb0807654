/** Releasing into a running site, as teams and operators do it. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@colonnade/mfe/release';
import type { Activation } from '@colonnade/release/api';
import { RegistryClient } from '@colonnade/release/client';
import { integrityOf } from '@colonnade/release/files';
import { readPrivateKey } from '@colonnade/release/keys';
import { publishRelease } from '@colonnade/release/publish';

export const fixtureDist = (name: string) => path.join(import.meta.dirname, '../fixtures', name, 'dist');

/** The registry of a site, with the operator's token and the team key that `pnpm start` has made there. */
export function registryOf(dataDir: string, port: number) {
  const key = (file: string) => readFileSync(path.join(dataDir, 'keys', file), 'utf8');
  const client = new RegistryClient(`http://127.0.0.1:${port}`, key('operator.token').trim());
  const teamKey = readPrivateKey(key('team.pem'));
  /** Waits until it is decided. */
  const decided = async (begun: Activation): Promise<Activation> => {
    let activation = begun;
    while (activation.state === 'trying') activation = await client.activation(activation.id);
    return activation;
  };
  return {
    client,
    publish: (dir: string) => publishRelease(client, dir, teamKey),
    activate: async (name: string, version: string, percent?: number) =>
      decided(await client.activate({ name, version, ...(percent && { percent }) })),
    rollBack: async (name: string) => decided(await client.rollBack(name)),
    deactivate: async (name: string) => decided(await client.deactivate(name)),
  };
}
export type Registry = ReturnType<typeof registryOf>;

/** Takes a microfrontend off the site where it is live. */
export async function takeOff(registry: Registry, name: string): Promise<void> {
  const { live } = await registry.client.state();
  if (live[name] !== undefined) await registry.deactivate(name);
}

/** Takes away what hangs or kills workers: a trial of every page would meet it each time. */
export const calm = (registry: Registry) => takeOff(registry, 'mfe-faults');

/**
 * Publishes another version of a built microfrontend.
 * @param edit changes the text of a script, of both sides
 */
export async function publishVersion(
  registry: Registry,
  {
    from,
    version,
    edit,
    manifest,
  }: { from: string; version: string; edit?: (text: string) => string; manifest?: (release: Release) => void },
): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'colonnade-version-'));
  cpSync(from, dir, { recursive: true });
  const release = JSON.parse(readFileSync(path.join(dir, 'release.json'), 'utf8')) as Release;
  release.version = version;
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((each) => /\.c?js$/.test(each))) {
    const text = readFileSync(path.join(dir, file), 'utf8');
    const edited = edit?.(text) ?? text;
    if (edited === text) continue;
    writeFileSync(path.join(dir, file), edited);
    release.files[file] = integrityOf(Buffer.from(edited));
    // What the build has packed is the text before.
    for (const packed of [`${file}.br`, `${file}.gz`]) delete release.files[packed];
  }
  manifest?.(release);
  writeFileSync(path.join(dir, 'release.json'), JSON.stringify(release, null, 2));
  await registry.publish(dir);
  rmSync(dir, { recursive: true });
}
