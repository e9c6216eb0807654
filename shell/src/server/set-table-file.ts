import { hash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';
import type { SetTable } from '../set-table.ts';

export interface SetTableFile {
  /**
   * Of its text, for documents to say: what the table names is only as sure as the table. SHA-256, as in the policy, since every
   * document carries it. Undefined in development.
   */
  integrity: string | undefined;
  /** Answers `/_mfe/sets/:file`. */
  send: RequestHandler<{ file: string }>;
}

/** The set table as browsers fetch it, packed once: after a first visit each of them does. */
export function setTableFile(table: SetTable, dev: boolean): SetTableFile {
  const plain = Buffer.from(JSON.stringify(table));
  const packed = { br: brotliCompressSync(plain), gzip: gzipSync(plain, { level: 9 }) };
  return {
    integrity: dev ? undefined : `sha256-${hash('sha256', plain, 'base64')}`,
    send(req, res) {
      if (req.params.file !== `${table.set}.json`) throw new Problem(404, 'Not found');
      const accepted = req.acceptsEncodings();
      const encoding = (['br', 'gzip'] as const).find((each) => accepted.includes(each));
      if (encoding) res.set('Content-Encoding', encoding);
      res.set({ 'Cache-Control': dev ? 'no-cache' : 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' });
      res.type('json').send(encoding ? packed[encoding] : plain);
    },
  };
}
