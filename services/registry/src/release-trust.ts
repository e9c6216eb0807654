import { keyFor } from '@colonnade/release/keyring';
import { refuseRevoked } from '@colonnade/release/verify';
import type { ClientSession } from 'mongodb';
import type { Collections, ReleaseDocument } from './collections.ts';
import { noSuchRelease } from './errors.ts';
import type { KeyringStore } from './keyring-store.ts';

/**
 * A release that may be made live as far as its key goes: the keyring may have changed since it was published.
 * @throws Problem 404; ReleaseRefused revoked-key, key-not-for-mfe
 */
export async function trustedRelease(
  { collections, keyring }: { collections: Pick<Collections, 'releases'>; keyring: KeyringStore },
  { name, version }: { name: string; version: string },
  session: ClientSession,
): Promise<ReleaseDocument> {
  const release = await collections.releases.findOne({ _id: `${name}@${version}` }, { session });
  if (release === null) throw noSuchRelease(name, version);
  const { keyId } = release.signature;
  refuseRevoked({ keyId, ...keyFor(await keyring.read(session), keyId, name) });
  return release;
}
