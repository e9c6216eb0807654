import { readFileSync } from 'node:fs';
import path from 'node:path';
import { integrityOf } from '@colonnade/release/files';

/**
 * Checks that every file of a release is what its manifest says, before any of its code runs.
 * @param files `sha384-…` by path in the release's folder
 * @throws Error naming the first file that is missing or has other bytes
 */
export function verifyFiles(dir: string, files: Record<string, string>): void {
  for (const [file, expected] of Object.entries(files)) {
    let bytes: Buffer;
    try {
      bytes = readFileSync(path.join(dir, file));
    } catch (cause) {
      throw new Error(`${file} cannot be read`, { cause });
    }
    if (integrityOf(bytes) !== expected) throw new Error(`${file} is not the file that was built`);
  }
}
