import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newKeyPair, readPublicKey } from '@colonnade/release/keys';
import { createLog } from '@colonnade/service/log';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type FakeRegistry, keyringOf, releaseOf, root, startRegistry } from '../../../../fixtures/registry.ts';
import { RegistrySource } from './registry-source.ts';

let dataDir: string;
let registry: FakeRegistry;
const sources: RegistrySource[] = [];
const log = createLog('test');

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-source-'));
  registry = await startRegistry();
  registry.releases.set('mfe-a@1.0.0', releaseOf('mfe-a', '1.0.0'));
  registry.state.live = { 'mfe-a': '1.0.0' };
});
afterEach(async () => {
  for (const source of sources.splice(0)) source.stop();
  await registry.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function follow(url = registry.url) {
  const source = new RegistrySource({ url, rootKey: readPublicKey(root.publicKey), dataDir, log });
  sources.push(source);
  const changed = vi.fn();
  await source.follow(changed);
  return { source, changed };
}
/** Takes what is wanted as a shell does. */
async function serveLive(source: RegistrySource) {
  const { live } = source.wanted();
  await source.provide(live.mfes);
  source.serves(live);
}
const fileOf = (file: string, version = '1.0.0') => path.join(dataDir, 'releases/mfe-a', version, file);
const release = () => registry.releases.get('mfe-a@1.0.0') ?? releaseOf('mfe-a', '1.0.0');

test('what is live is fetched once, with its signature beside it, and again only where it is not what was signed', async () => {
  const { source } = await follow();
  expect(source.wanted()).toEqual({ live: { mfes: { 'mfe-a': '1.0.0' }, activation: 'aaaaaaaaaaaa' }, candidate: null, canary: null });
  await serveLive(source);
  expect(readFileSync(fileOf('server/remote.cjs'), 'utf8')).toBe('server of mfe-a 1.0.0');
  expect(JSON.parse(readFileSync(fileOf('release.sig'), 'utf8'))).toEqual(release().signed.signature);

  registry.asked = [];
  await serveLive(source);
  expect(registry.asked).toEqual([]);

  writeFileSync(fileOf('server/remote.cjs'), 'tampered');
  await serveLive(source);
  expect(readFileSync(fileOf('server/remote.cjs'), 'utf8')).toBe('server of mfe-a 1.0.0');
});

const lies: Record<string, { tell(): void; says: RegExp }> = {
  'one byte of a file is another': {
    tell: () => {
      release().files['server/remote.cjs'] = Buffer.from('Server of mfe-a 1.0.0');
    },
    says: /server\/remote\.cjs are not those/,
  },
  'one byte of its manifest is another': {
    tell: () => {
      const bytes = Buffer.from(Buffer.from(release().signed.manifest, 'base64').toString().replace('"nav":[]', '"nav":[ ]'));
      release().signed.manifest = bytes.toString('base64');
    },
    says: /does not fit release\.json/,
  },
  'it is signed by a key that nobody vouches for': {
    tell: () => registry.releases.set('mfe-a@1.0.0', releaseOf('mfe-a', '1.0.0', { by: newKeyPair() })),
    says: /No key [0-9a-f]{16} is in the keyring/,
  },
  'it is another version, signed as it should be': {
    tell: () => registry.releases.set('mfe-a@1.0.0', releaseOf('mfe-a', '0.9.0')),
    says: /asked for mfe-a@1\.0\.0, and was given mfe-a@0\.9\.0/,
  },
  'the keyring is signed by another root': {
    tell: () => {
      registry.keyring = keyringOf(1, { by: newKeyPair() });
    },
    says: /no keyring to trust/,
  },
};
for (const [what, { tell, says }] of Object.entries(lies)) {
  test(`a release is refused, and nothing of it is on disk: ${what}`, async () => {
    tell();
    const { source } = await follow();
    await expect(source.provide({ 'mfe-a': '1.0.0' })).rejects.toThrow(says);
    expect(existsSync(fileOf(''))).toBe(false);
  });
}

test('a release of which one file is wrong is not fetched on, and leaves nothing behind', async () => {
  const more = Array.from({ length: 200 }, (_, i) => `client/part-${i}.js`);
  const wrong = releaseOf('mfe-a', '1.0.0', { more });
  wrong.files['server/remote.cjs'] = Buffer.from('another');
  registry.releases.set('mfe-a@1.0.0', wrong);
  const { source } = await follow();
  await expect(source.provide({ 'mfe-a': '1.0.0' })).rejects.toThrow(/server\/remote\.cjs are not those/);
  const asked = registry.asked.length;
  registry.releases.set('mfe-b@1.0.0', releaseOf('mfe-b', '1.0.0', { more }));
  await source.provide({ 'mfe-b': '1.0.0' });
  expect(registry.asked.slice(asked).filter((url) => url.includes('mfe-a'))).toEqual([]);
  expect(readdirSync(path.join(dataDir, 'releases/mfe-a'))).toEqual([]);
});

test('a revoked key brings no candidate in, and what it has signed stays live', async () => {
  registry.keyring = keyringOf(2, { revoked: true });
  registry.state.keyringVersion = 2;
  const { source } = await follow();
  await source.provide({ 'mfe-a': '1.0.0' });
  await expect(source.provide({ 'mfe-a': '1.0.0' }, 'mfe-a')).rejects.toThrow(/was revoked/);
});

test('what is live is flagged from the moment on in which its key is revoked', async () => {
  const { source } = await follow();
  await serveLive(source);
  expect(source.keyRevokedAt('mfe-a', '1.0.0')).toBeUndefined();
  registry.keyring = keyringOf(2, { revoked: true });
  registry.state = { ...registry.state, sequence: 2, keyringVersion: 2 };
  registry.tell();
  await expect.poll(() => source.keyRevokedAt('mfe-a', '1.0.0')).toBe('2026-11-21T09:00:00Z');
  expect(source.wanted().live.mfes).toEqual({ 'mfe-a': '1.0.0' });
});

test('a keyring does not go back, not even over a restart', async () => {
  registry.keyring = keyringOf(2, { revoked: true });
  registry.state.keyringVersion = 2;
  await serveLive((await follow()).source);
  sources.pop()?.stop();

  registry.keyring = keyringOf(1);
  registry.state = { ...registry.state, keyringVersion: 3 };
  const { source } = await follow();
  await expect(source.provide({ 'mfe-a': '1.0.0' }, 'mfe-a')).rejects.toThrow(/was revoked/);
});

test('started while the registry is away, it goes by what was good last, verified anew', async () => {
  await serveLive((await follow()).source);
  await registry.stop();
  const { source } = await follow();
  expect(source.wanted().live).toEqual({ mfes: { 'mfe-a': '1.0.0' }, activation: 'aaaaaaaaaaaa' });
  await source.provide(source.wanted().live.mfes);

  writeFileSync(fileOf('server/remote.cjs'), 'tampered');
  await expect(source.provide(source.wanted().live.mfes)).rejects.toThrow(/remote\.cjs are not those.*cannot be fetched anew/);
});

test('where nothing was ever good, it says that the registry is away', async () => {
  await registry.stop();
  const { source } = await follow();
  expect(() => source.wanted()).toThrow(/does not answer, and nothing was ever live here/);
});

test('a registry that does not know the shell is not called away, before anything is heard of it and after', async () => {
  const warn = vi.spyOn(log, 'warn');
  onTestFinished(() => warn.mockRestore());
  registry.refuses = true;
  const { source, changed } = await follow();
  expect(() => source.wanted()).toThrow(/answers 401: SHELL_TOKEN is not the one that it knows, and nothing was ever live here/);
  expect(source.away).toMatch(/answers 401/);
  registry.refuses = false;
  await vi.waitFor(() => expect(changed).toHaveBeenCalled(), 5000);
  expect(source.away).toBeNull();
  registry.refuses = true;
  registry.hangUp();
  await vi.waitFor(() => expect(source.away).toMatch(/answers 401/), 5000);
  // Once for each time that it began, however often it was tried.
  expect(warn.mock.calls.filter(([, said]) => /answers 401/.test(String(said)))).toHaveLength(2);
});

test('a registry that lost all it knew takes nothing away', async () => {
  const { source, changed } = await follow();
  await serveLive(source);
  changed.mockClear();
  registry.state = { ...registry.state, sequence: 0, live: {}, activation: null };
  registry.tell();
  await expect.poll(() => changed).toHaveBeenCalled();
  expect(source.wanted().live.mfes).toEqual({ 'mfe-a': '1.0.0' });

  const candidate = { id: 'bbbbbbbbbbbb', by: 'Olga', at: '2026-11-21T08:00:00Z', percent: null, name: 'mfe-b', version: '2.0.0' };
  registry.state = { ...registry.state, sequence: 1, candidate };
  registry.tell();
  await expect.poll(() => registry.reports).toMatchObject([{ ok: false, reason: expect.stringContaining('has lost') }]);
  expect(source.wanted().candidate).toBeNull();
});

test('a candidate is the live set with one release replaced, and its report reaches the registry', async () => {
  const { source } = await follow();
  const pending = { id: 'bbbbbbbbbbbb', by: 'Olga', at: '2026-11-21T08:00:00Z', percent: null };
  registry.state = { ...registry.state, sequence: 2, candidate: { ...pending, name: 'mfe-b', version: '2.0.0' } };
  registry.tell();
  await expect.poll(() => source.wanted().candidate?.mfes).toEqual({ 'mfe-a': '1.0.0', 'mfe-b': '2.0.0' });
  const { candidate } = source.wanted();
  if (!candidate) throw new Error('no candidate');
  await source.report(candidate, { reason: '/b answers 500', tookMs: 12 });
  expect(registry.reports).toEqual([{ candidate: 'bbbbbbbbbbbb', ok: false, reason: '/b answers 500', tookMs: 12 }]);

  registry.state = { ...registry.state, sequence: 3, candidate: { ...pending, name: 'mfe-a', version: null } };
  registry.tell();
  await expect.poll(() => source.wanted().candidate?.mfes).toEqual({});
});
