/** Publishing in two phases: first every byte, then the release. Until then it is not there, for anybody. */
import { createHash, randomBytes } from 'node:crypto';
import type { Release } from '@colonnade/mfe/release';
import type { Published, Upload } from '@colonnade/release/api';
import { blobName, checkBytes, fileLimits } from '@colonnade/release/files';
import { ReleaseRefused } from '@colonnade/release/refusal';
import type { SignedRelease } from '@colonnade/release/schema';
import { refuseRevoked, type VerifiedRelease, verifyRelease } from '@colonnade/release/verify';
import { Binary, type ClientSession, type MongoClient } from 'mongodb';
import { appendAudit } from './audit.ts';
import type { BlobStore } from './blob-store.ts';
import type { Collections, ReleaseDocument, UploadDocument } from './collections.ts';
import { filesMissing, noSuchFile, noSuchUpload, otherBytes } from './errors.ts';
import type { KeyringStore } from './keyring-store.ts';
import { liveReleases } from './live-releases.ts';
import { checkManifest, type SharedProvided } from './manifest.ts';
import { refusePathConflicts } from './path-claims.ts';
import { readState } from './site-state.ts';
import { inTransaction } from './transaction.ts';

const uploadMs = 3_600_000;

export interface PublishingOptions {
  collections: Collections;
  client: MongoClient;
  blobs: BlobStore;
  keyring: KeyringStore;
  shared: SharedProvided;
}

export class Publishing {
  private readonly options: PublishingOptions;

  constructor(options: PublishingOptions) {
    this.options = options;
  }

  /** Checks all that can be told without the files. @returns what to send, or that this very release exists */
  async begin(signed: SignedRelease): Promise<Upload | Published> {
    const { collections, blobs } = this.options;
    const { release, verified } = await this.check(signed);
    const { name, version } = release;
    if (await exists(collections, release, verified.bytes)) return { name, version, exists: true };
    await this.refuseTakenPaths(release);
    const expiresAt = new Date(Date.now() + uploadMs);
    const _id = randomBytes(16).toString('hex');
    await collections.uploads.insertOne({ _id, manifest: new Binary(verified.bytes), signature: signed.signature, expiresAt });
    const names = Object.values(release.files).map(blobName);
    await blobs.touch(names);
    const here = await blobs.has(names);
    const missing = Object.entries(release.files)
      .filter(([, integrity]) => !here.has(blobName(integrity)))
      .map(([path, integrity]) => ({ path, integrity }));
    return { upload: _id, expiresAt: expiresAt.toISOString(), missing };
  }

  /** Takes the bytes of one file of an upload. Wrong ones are not kept. */
  async putFile(uploadId: string, path: string, bytes: Uint8Array): Promise<void> {
    const { blobs } = this.options;
    const { files } = JSON.parse(signedOf(await this.upload(uploadId)).bytes.toString()) as Release;
    const integrity = Object.hasOwn(files, path) ? files[path] : undefined;
    if (integrity === undefined) throw noSuchFile();
    checkBytes(path, bytes, integrity);
    await this.refuseTooLarge(files, { [blobName(integrity)]: bytes.length });
    await blobs.put(blobName(integrity), bytes);
  }

  /**
   * Makes the release exist, when every byte is here. All is checked again: the keyring and what is live may have changed.
   * @returns false where this very release existed already
   */
  async complete(uploadId: string): Promise<{ release: Published; created: boolean }> {
    const { collections, client } = this.options;
    const { signed } = signedOf(await this.upload(uploadId));
    const { release, verified } = await this.check(signed);
    const { name, version, files, routes } = release;
    if (await exists(collections, release, verified.bytes)) return { release: { name, version, exists: true }, created: false };
    await this.refuseTakenPaths(release);
    const { names, bytes } = await this.refuseTooLarge(files, {});
    const missing = Object.keys(files).filter((path) => !names.has(blobName(files[path] as string)));
    if (missing.length > 0) throw filesMissing(missing);
    const document: ReleaseDocument = {
      ...{ _id: `${name}@${version}`, name, version, manifest: new Binary(verified.bytes), digest: digestOf(verified.bytes) },
      ...{ signature: signed.signature, team: verified.team, paths: routes.map(({ path }) => path) },
      ...{ blobs: [...names], bytes, publishedAt: new Date() },
    };
    const created = await inTransaction(client, async (session) => {
      if (await exists(collections, release, verified.bytes, session)) return false;
      const actor = { kind: 'key', id: verified.keyId, name: verified.team } as const;
      const details = { name, version, digest: document.digest, files: Object.keys(files).length, bytes };
      // First: it is what two publishers of one version meet at, and one of them begins anew.
      await appendAudit(collections, session, { actor, action: 'publish', details });
      await collections.releases.insertOne(document, { session });
      return true;
    });
    await collections.uploads.deleteOne({ _id: uploadId });
    return { release: { name, version, exists: true }, created };
  }

  private async check(signed: SignedRelease): Promise<{ release: Release; verified: VerifiedRelease }> {
    const { keyring, shared } = this.options;
    const bytes = Buffer.from(signed.manifest, 'base64');
    // The name says which key is needed; nothing else of it is used before the signature fits.
    const verified = verifyRelease(signed, await keyring.read(), nameIn(bytes));
    refuseRevoked(verified);
    return { release: checkManifest(bytes, shared), verified };
  }

  private async refuseTakenPaths({ name, version, routes }: Release): Promise<void> {
    const { collections } = this.options;
    const paths = routes.map(({ path }) => path);
    refusePathConflicts({ name, version, paths }, await liveReleases(collections, await readState(collections)));
  }

  private async upload(id: string): Promise<UploadDocument> {
    const found = await this.options.collections.uploads.findOne({ _id: id, expiresAt: { $gt: new Date() } });
    if (found === null) throw noSuchUpload();
    return found;
  }

  /** Names and bytes of the blobs that are here, with some that come now. */
  private async refuseTooLarge(files: Release['files'], more: Record<string, number>): Promise<{ names: Set<string>; bytes: number }> {
    const here = await this.options.blobs.has(Object.values(files).map(blobName));
    for (const [name, size] of Object.entries(more)) here.set(name, size);
    const bytes = [...here.values()].reduce((sum, size) => sum + size, 0);
    if (bytes > fileLimits.releaseBytes)
      throw new ReleaseRefused('too-large', `The release has more than ${fileLimits.releaseBytes} bytes. Leave out what no page needs.`);
    return { names: new Set(here.keys()), bytes };
  }
}

/** @throws Problem 409 where it exists with other content */
async function exists(collections: Collections, release: Release, bytes: Buffer, session?: ClientSession): Promise<boolean> {
  const { name, version } = release;
  const known = await collections.releases.findOne({ _id: `${name}@${version}` }, { session, projection: { digest: 1 } });
  if (known !== null && known.digest !== digestOf(bytes)) throw otherBytes(name, version);
  return known !== null;
}

function nameIn(bytes: Buffer): string {
  try {
    return String((JSON.parse(bytes.toString('utf8')) as { name?: unknown } | null)?.name).slice(0, 63);
  } catch (cause) {
    throw new ReleaseRefused('bad-manifest', 'release.json is not JSON. Publish what the build has written, unchanged.', { cause });
  }
}

function signedOf({ manifest, signature }: UploadDocument): { bytes: Buffer; signed: SignedRelease } {
  const bytes = Buffer.from(manifest.value());
  return { bytes, signed: { manifest: bytes.toString('base64'), signature } };
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
