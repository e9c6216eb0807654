/** Where the bytes of releases are kept, each under the SHA-384 of its content. */
import { type Collections, sizeIndex } from './collections.ts';

export interface BlobStore {
  /** Sizes in bytes of those that are here, by name. */
  has(names: readonly string[]): Promise<Map<string, number>>;
  /** Those of them that are here stay for two hours at least, whether a release has them or not. */
  touch(names: readonly string[]): Promise<void>;
  /** Keeps bytes for as long. Their name has to be theirs; whoever calls has checked it. All or nothing, and twice is as good as once. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Buffer | null>;
  /** Removes what no release has and no publisher has asked for lately. @returns how many */
  sweep(): Promise<number>;
}

/** An upload lives for one hour: what was asked for longer ago than this is in a release, or in none that will ever be. */
const keptMs = 2 * 3_600_000;

/**
 * Blobs as documents: a file of a release is smaller than a document may be, and one insert is all or nothing. (GridFS writes
 * a file in pieces, and leaves some where a process dies.)
 */
export function mongoBlobStore({ blobs, releases }: Pick<Collections, 'blobs' | 'releases'>, now = Date.now): BlobStore {
  return {
    has: async (names) => {
      // From the index alone: the documents are large.
      const found = await blobs
        .find({ _id: { $in: [...names] } }, { projection: { size: 1 } })
        .hint(sizeIndex)
        .toArray();
      return new Map(found.map(({ _id, size }) => [_id, size]));
    },
    touch: async (names) => {
      await blobs.updateMany({ _id: { $in: [...names] } }, { $set: { touchedAt: new Date(now()) } });
    },
    put: async (name, bytes) => {
      const stored = { bytes: Buffer.from(bytes), size: bytes.length } as never;
      await blobs.updateOne({ _id: name }, { $set: { touchedAt: new Date(now()) }, $setOnInsert: stored }, { upsert: true });
    },
    get: async (name) => {
      const document = await blobs.findOne({ _id: name });
      return document === null ? null : Buffer.from(document.bytes.value());
    },
    sweep: async () => {
      const touchedAt = { $lt: new Date(now() - keptMs) };
      const unused = await blobs
        .aggregate<{ _id: string }>([
          { $match: { touchedAt } },
          { $project: { _id: 1 } },
          {
            $lookup: {
              from: releases.collectionName,
              localField: '_id',
              foreignField: 'blobs',
              pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }],
              as: 'users',
            },
          },
          { $match: { users: [] } },
        ])
        .toArray();
      // Again by its date: somebody may have asked for it since.
      const { deletedCount } = await blobs.deleteMany({ _id: { $in: unused.map(({ _id }) => _id) }, touchedAt });
      return deletedCount;
    },
  };
}
