/** Signatures over exact bytes. Each kind of document has a prefix of its own, so that none can pass for another. */
import { type KeyObject, sign, verify } from 'node:crypto';
import { keyId } from './keys.ts';
import type { SignedKeyring, SignedRelease } from './schema.ts';

const prefixes = { release: 'colonnade-release-1\0', keyring: 'colonnade-keyring-1\0' } as const;
type Kind = keyof typeof prefixes;

const message = (kind: Kind, bytes: Uint8Array) => Buffer.concat([Buffer.from(prefixes[kind]), bytes]);

/** Signs the exact bytes of a `release.json` with a team's private key. */
export function signRelease(bytes: Uint8Array, privateKey: KeyObject): SignedRelease {
  const value = sign(null, message('release', bytes), privateKey).toString('base64');
  return { manifest: Buffer.from(bytes).toString('base64'), signature: { keyId: keyId(privateKey), value } };
}

/** Signs the exact bytes of a keyring with the root's private key. */
export function signKeyring(bytes: Uint8Array, rootPrivateKey: KeyObject): SignedKeyring {
  const signature = sign(null, message('keyring', bytes), rootPrivateKey).toString('base64');
  return { document: Buffer.from(bytes).toString('base64'), signature };
}

/** Whether this key has signed exactly these bytes as this kind of document. */
export function isSigned(kind: Kind, bytes: Uint8Array, signature: string, publicKey: KeyObject): boolean {
  return verify(null, message(kind, bytes), publicKey, Buffer.from(signature, 'base64'));
}
