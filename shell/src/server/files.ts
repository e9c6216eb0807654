import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { servedTypes } from '@colonnade/mfe/release';
import { isSafePath } from '@colonnade/release/files';
import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';
import { releaseDir } from './release-set.ts';

/** What the build has put ready beside a file, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** A release's name or version: none is longer than 64 characters. */
const segment = /^[0-9A-Za-z_][0-9A-Za-z_.-]{0,63}$/;

/**
 * Serves `/_mfe/{name}/{version}/**` from the `client/` folders of the releases on disk, live or not: old files outlive
 * any open tab. Nothing of `server/` is reachable.
 */
export function releaseFiles(dataDir: string): RequestHandler {
  return (req, res, next) => {
    const [name = '', version = '', ...file] = req.path.slice(1).split('/');
    const published = `client/${file.join('/')}`;
    // A longer one than can be published would not be found but be too long for the file system.
    if (!segment.test(name) || !segment.test(version) || !isSafePath(published)) return next(new Problem(404, 'Not found'));
    const absolute = path.join(releaseDir(dataDir, name, version), published);
    const type = servedTypes[path.extname(absolute).toLowerCase()];
    const found = type && pick(absolute, req.acceptsEncodings());
    if (!found) return next(new Problem(404, 'Not found'));
    res.locals.route = '/_mfe';
    res.set({
      'Content-Type': type,
      'Content-Length': String(found.bytes),
      'Cache-Control': version === 'dev' ? 'no-cache' : 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    if (found.encoding) res.set('Content-Encoding', found.encoding);
    if (req.method === 'HEAD') res.end();
    // Closes the file too where the visitor leaves, and the connection where the file cannot be read.
    else pipeline(createReadStream(found.file), res, () => {});
  };
}

function pick(file: string, accepted: string[]): { file: string; bytes: number; encoding?: string } | null {
  for (const [encoding, suffix] of encodings) {
    const bytes = accepted.includes(encoding) ? size(file + suffix) : null;
    if (bytes !== null) return { file: file + suffix, bytes, encoding };
  }
  const bytes = size(file);
  return bytes === null ? null : { file, bytes };
}

function size(file: string): number | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
}
