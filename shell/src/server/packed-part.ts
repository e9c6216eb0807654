import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Bytes with which many answers begin, packed once for all of them. */
export interface PackedPart {
  bytes: Buffer;
  /** As deflate blocks that end at a whole byte, and are not the last (RFC 1951). */
  packed: Buffer;
}

export function packPart(bytes: Buffer): PackedPart {
  return { bytes, packed: deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION, finishFlush: constants.Z_SYNC_FLUSH }) };
}

/** Deflate, no name, no time, no system (RFC 1952). */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * Packs a body that begins with such a part: its blocks are taken over as they are, and what comes after them may refer to it.
 * @returns one gzip member, as if all had been packed at once
 */
export function gzipAfter({ bytes, packed }: PackedPart, body: Buffer, level: number): Buffer {
  const rest = deflateRawSync(body.subarray(bytes.length), { level, dictionary: bytes });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(body), 0);
  trailer.writeUInt32LE(body.length % 2 ** 32, 4);
  return Buffer.concat([gzipHeader, packed, rest, trailer]);
}
