/** The keyring: which key may sign which microfrontend, by the word of the root key. */
import type { KeyObject } from 'node:crypto';
import { keyId, readPublicKey } from './keys.ts';
import { ReleaseRefused } from './refusal.ts';
import { type Keyring, keyringSchema, type SignedKeyring, type TeamKey } from './schema.ts';
import { isSigned } from './signing.ts';

/**
 * Reads a keyring that the root key has signed.
 * @param knownVersion of the newest keyring ever seen here; 0 where there was none
 * @throws ReleaseRefused bad-signature where another key signed it, bad-keyring where it is not in form, old-keyring where it would go back
 */
export function openKeyring(signed: SignedKeyring, rootKey: KeyObject, knownVersion: number): Keyring {
  const bytes = Buffer.from(signed.document, 'base64');
  if (!isSigned('keyring', bytes, signed.signature, rootKey))
    throw new ReleaseRefused(
      'bad-signature',
      'This keyring is not signed by the root key that is pinned here. Sign it with that root key.',
    );
  const keyring = parse(bytes);
  if (keyring.version < knownVersion) {
    const told = `This keyring has version ${keyring.version}, and version ${knownVersion} is known here.`;
    throw new ReleaseRefused('old-keyring', `${told} A keyring never goes back: issue one with a higher version.`);
  }
  return keyring;
}

/** A key that may sign for a microfrontend, or might until it was revoked. */
export interface SigningKey {
  publicKey: KeyObject;
  team: string;
  revokedAt: string | undefined;
}

/** @throws ReleaseRefused unknown-key, key-not-for-mfe */
export function keyFor(keyring: Keyring, id: string, mfe: string): SigningKey {
  const key = keyring.keys.find((each) => each.id === id);
  if (key === undefined)
    throw new ReleaseRefused('unknown-key', `No key ${id} is in the keyring. Ask the operator to put your team's public key into it.`);
  if (!maySign(key, mfe)) {
    const told = `Key ${id} of ${key.team} may sign ${key.mfes.join(', ') || 'nothing'}, but not ${mfe}.`;
    throw new ReleaseRefused('key-not-for-mfe', `${told} Sign with the key of the team that owns ${mfe}, or ask the operator.`);
  }
  return { publicKey: readPublicKey(key.publicKey), team: key.team, revokedAt: key.revokedAt };
}

export function maySign({ mfes }: TeamKey, mfe: string): boolean {
  return mfes.includes('*') || mfes.includes(mfe);
}

function parse(bytes: Buffer): Keyring {
  let keyring: Keyring;
  try {
    keyring = keyringSchema.parse(JSON.parse(bytes.toString('utf8')));
    for (const { id, publicKey } of keyring.keys)
      if (keyId(readPublicKey(publicKey)) !== id) throw new Error(`the id ${id} is not that of its public key`);
    if (new Set(keyring.keys.map(({ id }) => id)).size < keyring.keys.length) throw new Error('a key is in it twice');
  } catch (cause) {
    throw new ReleaseRefused('bad-keyring', `This keyring is not in form: ${(cause as Error).message}`, { cause });
  }
  return keyring;
}
