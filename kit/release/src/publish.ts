/** Publishing what a build has left, as programs do it. */
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RegistryClient } from './client.ts';
import { signRelease } from './signing.ts';

/**
 * Signs and publishes a built release.
 * @param dir holds `release.json` and all that it names
 * @returns false where this very release existed already
 * @throws RegistryRefused
 */
export async function publishRelease(client: RegistryClient, dir: string, teamKey: KeyObject): Promise<boolean> {
  const upload = await client.begin(signRelease(readFileSync(path.join(dir, 'release.json')), teamKey));
  if (upload === null) return false;
  for (const file of upload.missing) await client.putFile(upload.upload, file.path, readFileSync(path.join(dir, file.path)));
  await client.complete(upload.upload);
  return true;
}
