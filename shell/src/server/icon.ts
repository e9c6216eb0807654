import { crc32, deflateSync } from 'node:zlib';

const size = 32;
const paper = [0xf7, 0xf7, 0xf4];
const ink = [0x2a, 0x33, 0xa8];
/** A scale of four marks: x, y, width, height. */
const marks = [
  [4, 24, 24, 3],
  [5, 8, 3, 16],
  [12, 17, 3, 7],
  [18, 17, 3, 7],
  [25, 8, 3, 16],
] as const;

/**
 * The site's icon, as a URL that holds it: a browser would ask for one anyway. A PNG, of two colours: an SVG is a document, and
 * where browsers keep no icons, as in private windows, they make it anew on the page's own thread at each click.
 */
export const icon = `data:image/png;base64,${png().toString('base64')}`;

function png(): Buffer {
  const header = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 1 /* bit a pixel */, 3 /* palette */, 0, 0, 0]);
  const rows = Array.from({ length: size }, (_, y) => [0 /* no filter */, ...rowOf(y)]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...paper, ...ink])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A row's pixels, eight to a byte. */
function rowOf(y: number): number[] {
  const bytes = new Array<number>(size / 8).fill(0);
  for (const [left, top, width, height] of marks) {
    if (y < top || y >= top + height) continue;
    for (let x = left; x < left + width; x++) bytes[x >> 3] = (bytes[x >> 3] ?? 0) | (0x80 >> (x & 7));
  }
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
