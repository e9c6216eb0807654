/** Ed25519 keys: made, read and named. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** A new key pair. The private half is given as PEM (PKCS 8), the public one as the keyring has it. */
export function newKeyPair(): { id: string; privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    id: keyId(publicKey),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKeyText(publicKey),
  };
}

/** @param pem PKCS 8. @throws Error where it is no Ed25519 private key; the message never has the key's text */
export function readPrivateKey(pem: string): KeyObject {
  return ed25519('private', () => createPrivateKey(pem));
}

/** @param text base64 of the SPKI DER. @throws Error where it is no Ed25519 public key */
export function readPublicKey(text: string): KeyObject {
  return ed25519('public', () => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }));
}

/**
 * The operator's root key, as `ROOT_KEY` names it.
 * @param rootKey base64 of the SPKI DER, or the path of a PEM file
 * @throws Error that says what it should be
 */
export function readRootKey(rootKey: string): KeyObject {
  if (!existsSync(rootKey)) return readPublicKey(rootKey);
  // createPublicKey would derive the public half of a private key: the root's private half has no place on this machine.
  const pem = readFileSync(rootKey, 'utf8');
  if (!pem.includes('BEGIN PUBLIC KEY')) throw new Error(`${rootKey} must hold the public half of the root key, as PEM`);
  return ed25519('public', () => createPublicKey(pem));
}

/** The public half as the keyring and `ROOT_KEY` have it: base64 of the SPKI DER. Takes a private key as well. */
export function publicKeyText(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return half.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** The name of a key: first 16 hex digits of SHA-256 over its public half's SPKI DER. */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(Buffer.from(publicKeyText(key), 'base64'))
    .digest('hex')
    .slice(0, 16);
}

function ed25519(half: 'private' | 'public', read: () => KeyObject): KeyObject {
  const form = half === 'private' ? 'PEM (PKCS 8)' : 'base64 of its SPKI DER';
  let key: KeyObject;
  try {
    key = read();
  } catch (cause) {
    throw new Error(`must be an Ed25519 ${half} key: ${form}`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`must be an Ed25519 ${half} key, not ${key.asymmetricKeyType}`);
  return key;
}
