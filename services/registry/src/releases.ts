/** Reading releases: their list, what was signed, and the bytes. */

import type { ReleaseList } from '@colonnade/release/api';
import { blobName } from '@colonnade/release/files';
import type { SignedRelease } from '@colonnade/release/schema';
import type { BlobStore } from './blob-store.ts';
import type { Collections } from './collections.ts';
import { noSuchFile, noSuchRelease } from './errors.ts';
import type { KeyringStore } from './keyring-store.ts';

const listLength = 500;

export class Releases {
  private readonly collections: Collections;
  private readonly blobs: BlobStore;
  private readonly keyring: KeyringStore;

  constructor(collections: Collections, blobs: BlobStore, keyring: KeyringStore) {
    this.collections = collections;
    this.blobs = blobs;
    this.keyring = keyring;
  }

  /** Newest first. */
  async list(name: string | undefined): Promise<ReleaseList> {
    const documents = await this.collections.releases
      .find(name === undefined ? {} : { name }, { projection: { manifest: 0 } })
      .sort({ publishedAt: -1 })
      .limit(listLength)
      .toArray();
    const keys = documents.length === 0 ? [] : (await this.keyring.read()).keys;
    const revoked = new Set(keys.filter(({ revokedAt }) => revokedAt !== undefined).map(({ id }) => id));
    return {
      items: documents.map(({ name: mfe, version, publishedAt, team, signature: { keyId }, blobs, bytes }) => ({
        ...{ name: mfe, version, publishedAt: publishedAt.toISOString(), team, keyId, files: blobs.length, bytes },
        keyRevoked: revoked.has(keyId),
      })),
    };
  }

  /** As it was signed. @throws Problem 404 */
  async signed(name: string, version: string): Promise<SignedRelease> {
    const document = await this.collections.releases.findOne({ _id: `${name}@${version}` }, { projection: { manifest: 1, signature: 1 } });
    if (document === null) throw noSuchRelease(name, version);
    return { manifest: Buffer.from(document.manifest.value()).toString('base64'), signature: document.signature };
  }

  /** One file's bytes, with their integrity. @throws Problem 404 */
  async file(name: string, version: string, path: string): Promise<{ bytes: Buffer; integrity: string }> {
    const { manifest } = await this.signed(name, version);
    const { files } = JSON.parse(Buffer.from(manifest, 'base64').toString()) as { files: Record<string, string> };
    const integrity = Object.hasOwn(files, path) ? files[path] : undefined;
    const bytes = integrity === undefined ? null : await this.blobs.get(blobName(integrity));
    if (integrity === undefined || bytes === null) throw noSuchFile();
    return { bytes, integrity };
  }
}
