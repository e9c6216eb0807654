/** Who vouches for a release. The registry asks when it is published, and each shell again before any of its code runs. */
import { keyFor } from './keyring.ts';
import { ReleaseRefused } from './refusal.ts';
import type { Keyring, SignedRelease } from './schema.ts';
import { isSigned } from './signing.ts';

/** A release whose signature fits. */
export interface VerifiedRelease {
  /** The exact bytes of `release.json`. */
  bytes: Buffer;
  keyId: string;
  team: string;
  /** Since when its key is no longer trusted: it may stay where it is live, and must not be published or activated. */
  revokedAt: string | undefined;
}

/**
 * Checks who vouches for a release, before anything in it is believed. That its content fits what was asked for (name, version)
 * is the caller's to check.
 * @param mfe the microfrontend for which it is to be used
 * @throws ReleaseRefused unknown-key, key-not-for-mfe, bad-signature; never for a revoked key
 */
export function verifyRelease({ manifest, signature }: SignedRelease, keyring: Keyring, mfe: string): VerifiedRelease {
  const { publicKey, team, revokedAt } = keyFor(keyring, signature.keyId, mfe);
  const bytes = Buffer.from(manifest, 'base64');
  if (!isSigned('release', bytes, signature.value, publicKey)) {
    const told = `The signature of key ${signature.keyId} (${team}) does not fit release.json.`;
    throw new ReleaseRefused('bad-signature', `${told} It was changed after it was signed: build and publish it again.`);
  }
  return { bytes, keyId: signature.keyId, team, revokedAt };
}

/** @throws ReleaseRefused revoked-key where its key is no longer trusted */
export function refuseRevoked({ keyId: id, team, revokedAt }: Pick<VerifiedRelease, 'keyId' | 'team' | 'revokedAt'>): void {
  if (revokedAt === undefined) return;
  const told = `Key ${id} of ${team} was revoked on ${revokedAt}.`;
  throw new ReleaseRefused('revoked-key', `${told} Sign with the team's present key; the operator puts a new one into the keyring.`);
}
