import { expect, it } from 'vitest';
import { checkBytes, checkFiles, isSafePath } from './files.ts';
import { openKeyring } from './keyring.ts';
import { newKeyPair, publicKeyText, readPrivateKey, readPublicKey, readRootKey } from './keys.ts';
import type { Keyring } from './schema.ts';
import { signedKeyringSchema, signedReleaseSchema } from './schema.ts';
import { signKeyring, signRelease } from './signing.ts';
import { refuseRevoked, verifyRelease } from './verify.ts';

const root = newKeyPair();
const rootKey = readPublicKey(root.publicKey);
const news = newKeyPair();
const bytes = Buffer.from('{"name":"mfe-news"}\n');

const keyringOf = (rest: Partial<Keyring> = {}): Keyring => ({
  keyring: 1,
  version: 3,
  issuedAt: '2026-11-21T08:00:00Z',
  keys: [{ id: news.id, team: 'News', publicKey: news.publicKey, mfes: ['mfe-news'] }],
  ...rest,
});
const sealed = (keyring: object, by = root) => signKeyring(Buffer.from(JSON.stringify(keyring)), readPrivateKey(by.privateKey));
const signed = signRelease(bytes, readPrivateKey(news.privateKey));
const code = (work: () => unknown): string => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('opens a keyring of the root key, and verifies with it what a team has signed', () => {
  expect(signedKeyringSchema.parse(sealed(keyringOf()))).toEqual(sealed(keyringOf()));
  const keyring = openKeyring(sealed(keyringOf()), rootKey, 3);
  expect(signedReleaseSchema.parse(signed)).toEqual(signed);
  expect(verifyRelease(signed, keyring, 'mfe-news')).toEqual({ bytes, keyId: news.id, team: 'News', revokedAt: undefined });
});

it('refuses a keyring of another root, of an older version, with a wrong id or out of form', () => {
  expect(code(() => openKeyring(sealed(keyringOf(), news), rootKey, 0))).toBe('bad-signature');
  expect(code(() => openKeyring(sealed(keyringOf()), rootKey, 4))).toBe('old-keyring');
  const [key] = keyringOf().keys;
  for (const keys of [[{ ...key, id: root.id }], [key, key], [{ ...key, mfes: ['../x'] }], [{ ...key, publicKey: 'AAAA' }], 'none'])
    expect(code(() => openKeyring(sealed({ ...keyringOf(), keys }), rootKey, 0))).toBe('bad-keyring');
});

it('does not take the signature of one kind of document for another', () => {
  // The same bytes and the same key: only the prefix differs.
  const document = Buffer.from(JSON.stringify(keyringOf()));
  const { value } = signRelease(document, readPrivateKey(root.privateKey)).signature;
  expect(code(() => openKeyring({ document: document.toString('base64'), signature: value }, rootKey, 0))).toBe('bad-signature');
});

it('names what is wrong with a signature', () => {
  const tampered = { ...signed, manifest: Buffer.from('{"name":"mfe-newt"}\n').toString('base64') };
  const [key] = keyringOf().keys;
  expect(code(() => verifyRelease(tampered, keyringOf(), 'mfe-news'))).toBe('bad-signature');
  expect(code(() => verifyRelease(signed, keyringOf(), 'mfe-inquiry'))).toBe('key-not-for-mfe');
  expect(code(() => verifyRelease(signed, keyringOf({ keys: [] }), 'mfe-news'))).toBe('unknown-key');
  const revoked = { ...key, revokedAt: '2026-11-20T00:00:00Z' } as Keyring['keys'][number];
  const verified = verifyRelease(signed, keyringOf({ keys: [revoked] }), 'mfe-news');
  expect(code(() => refuseRevoked(verified))).toBe('revoked-key');
  expect(code(() => refuseRevoked({ ...verified, revokedAt: undefined }))).toBe('taken');
  expect(code(() => verifyRelease(signed, keyringOf({ keys: [{ ...key, mfes: ['*'] } as typeof revoked] }), 'mfe-other'))).toBe('taken');
});

it('reads keys in the forms they are kept in and says what else they are not', () => {
  expect(publicKeyText(readPrivateKey(root.privateKey))).toBe(root.publicKey);
  expect(publicKeyText(readRootKey(root.publicKey))).toBe(root.publicKey);
  expect(() => readRootKey('/nowhere/root.pem')).toThrow('must be an Ed25519 public key');
  expect(() => readPrivateKey('secret')).toThrow('must be an Ed25519 private key: PEM (PKCS 8)');
});

it.each(['client/a.js', 'client/a-b_C.0.js.br', 'server/x/y.cjs', 'client/__federation.js'])('takes %s as a path', (path) => {
  expect(isSafePath(path)).toBe(true);
});

it.each([
  'release.json',
  'client',
  'client/',
  '/client/a.js',
  'client/../a.js',
  'client/..',
  'client/a..js',
  'client/.env',
  'client//a.js',
  'client/a/',
  'client\\a.js',
  'client/a b.js',
  'client/a.js\n',
  'client/%2e%2e/a.js',
  'client/ä.js',
  'other/a.js',
  '__proto__',
  `client/${'a'.repeat(200)}`,
])('refuses %j as a path', (path) => {
  expect(isSafePath(path)).toBe(false);
  expect(code(() => checkFiles({ [path]: `sha384-${'A'.repeat(64)}` }))).toBe('bad-path');
});

it('bounds files and knows them by their bytes', () => {
  const empty = 'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb';
  checkFiles({ 'client/a.js': empty });
  checkBytes('client/a.js', Buffer.alloc(0), empty);
  expect(code(() => checkFiles({ 'client/a.js': 'sha384-' }))).toBe('bad-hash');
  expect(code(() => checkFiles({ 'client/a.js': 'sha256-x' }))).toBe('bad-hash');
  expect(code(() => checkBytes('client/a.js', Buffer.alloc(1), empty))).toBe('wrong-bytes');
  expect(code(() => checkBytes('client/a.js', Buffer.alloc(5_000_001), empty))).toBe('too-large');
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`client/${i}.js`, empty]));
  expect(code(() => checkFiles(many))).toBe('too-large');
});
