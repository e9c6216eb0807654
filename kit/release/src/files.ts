/** The files of a release: where they may lie, how many, how large, and how one is known by its bytes. */
import { createHash } from 'node:crypto';
import { ReleaseRefused } from './refusal.ts';

/** Bounds of what is published. The largest release here has 40 files and 600 kB. */
export const fileLimits = { files: 500, fileBytes: 5_000_000, releaseBytes: 20_000_000, pathCharacters: 200 } as const;

const pathPattern = /^(?:client|server)(?:\/[0-9A-Za-z_][0-9A-Za-z_.-]*)+$/;
const integrityPattern = /^sha384-[A-Za-z0-9+/]{64}$/;

/** Whether a file may have this path: below `client/` or `server/`, and never out of there on any system. */
export function isSafePath(path: string): boolean {
  return path.length <= fileLimits.pathCharacters && pathPattern.test(path) && !path.includes('..');
}

/** `sha384-…`, as `release.json`, browsers and import maps have it. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

/** The same hash in hex: a name that may stand in a path. */
export function blobName(integrity: string): string {
  return Buffer.from(integrity.slice('sha384-'.length), 'base64').toString('hex');
}

/**
 * Checks the list of a release's files, as `release.json` has it.
 * @throws ReleaseRefused bad-path, bad-hash, too-large
 */
export function checkFiles(files: Readonly<Record<string, string>>): void {
  const all = Object.entries(files);
  if (all.length > fileLimits.files)
    throw new ReleaseRefused('too-large', `The release has ${all.length} files, and may have ${fileLimits.files}. Build larger chunks.`);
  for (const [path, integrity] of all) {
    if (!isSafePath(path)) {
      const form = 'Files lie below client/ or server/, with names of letters, digits, _, - and single dots';
      throw new ReleaseRefused('bad-path', `${JSON.stringify(path.slice(0, 250))} is no path of a release's file. ${form}.`);
    }
    if (!integrityPattern.test(integrity))
      throw new ReleaseRefused('bad-hash', `${path} has no SHA-384 in release.json, as sha384-… in base64. Build it anew with the preset.`);
  }
}

/** @throws ReleaseRefused too-large, wrong-bytes where these are not the bytes that were signed */
export function checkBytes(path: string, bytes: Uint8Array, integrity: string): void {
  if (bytes.length > fileLimits.fileBytes)
    throw new ReleaseRefused('too-large', `${path} has ${bytes.length} bytes, and may have ${fileLimits.fileBytes}. Split it.`);
  if (integrityOf(bytes) !== integrity)
    throw new ReleaseRefused(
      'wrong-bytes',
      `The bytes of ${path} are not those that release.json has the hash of. Build and publish again.`,
    );
}
