/** Starts whose releases a registry refuses, or whose operator it knows no longer. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RegistryClient } from '@colonnade/release/client';
import { openKeyring } from '@colonnade/release/keyring';
import { keyId, readPrivateKey, readRootKey } from '@colonnade/release/keys';
import { publishRelease } from '@colonnade/release/publish';
import { listStaff, revokeStaff } from '@colonnade/service/staff';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { writeMfe } from '../../kit/release/fixtures/tool.ts';
import { build, keyringOf, root } from '../../services/registry/fixtures/release.ts';
import { type Service, startService } from '../../services/registry/fixtures/service.ts';
import type { BuiltRelease } from './parts.ts';
import { releaseAll } from './release.ts';
import { type ReleaseKeys, releaseKeys } from './release-keys.ts';

let service: Service;
let dataDir: string;
let keys: ReleaseKeys;
let told: string[];
let staff: Awaited<ReturnType<Service['staff']>>;

beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'stack_release_test');
});
beforeEach(async () => {
  await service.empty();
  await service.database.db.collection('staff').deleteMany({});
  staff = await service.staff();
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-release-'));
  keys = { ...releaseKeys(dataDir), root: readPrivateKey(root.privateKey), rootPublicFile: root.publicKey };
  told = [];
  return () => rmSync(dataDir, { recursive: true, force: true });
});
afterAll(() => service.close());

const start = (...releases: BuiltRelease[]) =>
  releaseAll(releases, {
    ...{ registryUrl: service.origin, mongodbUri: service.uri, keys, dataDir },
    tell: (line) => told.push(line),
  });
function built(version: string, name = 'mfe-news'): BuiltRelease {
  const dir = path.join(dataDir, `${name}-${version}`);
  return { name, version, dir: path.join(writeMfe(dir, build(name, version)), 'dist') };
}
const live = async () => (await service.ask('/state')).body.live;

test('what is live stays where a canary is in the way; the rest is released, and the next start makes up for it', async () => {
  await start(built('1.0.0'));
  await publishRelease(new RegistryClient(service.origin), built('1.1.0').dir, keys.team);
  expect((await staff.post('/activations', { name: 'mfe-news', version: '1.1.0', percent: 10 })).status).toBe(201);
  await start(built('1.2.0'));
  expect(told.at(-1)).toMatch(/^mfe-news@1\.2\.0 is not released, and 1\.0\.0 stays live: mfe-news@1\.1\.0 is a canary, by Olga/);
  expect(await live()).toEqual({ 'mfe-news': '1.0.0' });
  // Nothing of it is live: without it there is no whole site to serve.
  await expect(start(built('1.0.0', 'mfe-inquiry'))).rejects.toThrow('The registry refuses: mfe-news@1.1.0 is a canary');
  await staff.post('/canary/withdraw', {});
  await start(built('1.2.0'), built('1.0.0', 'mfe-inquiry'));
  expect(await live()).toEqual({ 'mfe-news': '1.2.0', 'mfe-inquiry': '1.0.0' });
});

test('what is live stays where the key of this machine was revoked', async () => {
  await start(built('1.0.0'));
  const { keys: known } = openKeyring((await service.ask('/keyring')).body, readRootKey(root.publicKey), 0);
  const revoked = known.map((key) => (key.id === keyId(keys.team) ? { ...key, revokedAt: '2026-11-21T08:00:00Z' } : key));
  expect((await staff.putKeyring(keyringOf(9, ...revoked))).status).toBe(201);
  await start(built('1.1.0'));
  expect(told.at(-1)).toMatch(/^mfe-news@1\.1\.0 is not released, and 1\.0\.0 stays live: .*revoked/);
  expect(await live()).toEqual({ 'mfe-news': '1.0.0' });
});

test('a token of this machine that was revoked stays so: it gets a new one', async () => {
  await start(built('1.0.0'));
  const { token } = keys;
  const { db } = service.database;
  expect(await revokeStaff(db, 'this machine')).toBe(1);
  await start(built('1.1.0'));
  expect(await live()).toEqual({ 'mfe-news': '1.1.0' });
  expect(readFileSync(path.join(dataDir, 'keys/operator.token'), 'utf8')).toBe(keys.token);
  expect(keys.token).not.toBe(token);
  const ours = (await listStaff(db)).filter(({ name }) => name === 'this machine');
  expect(ours.map(({ revokedAt }) => revokedAt === null)).toEqual([false, true]);
});
