import { readRootKey } from '@colonnade/release/keys';
import type { Log } from '@colonnade/service/log';
import { env } from '../../env.ts';
import { DiskSource } from './disk-source.ts';
import { RegistrySource } from './registry-source.ts';
import type { ReleaseSource } from './release-source.ts';

/** Where this shell's releases come from. Ends the process where the environment does not fit. */
export function releaseSource(log: Log, shellDir: string): ReleaseSource {
  const { REGISTRY_URL, ROOT_KEY, SHELL_TOKEN: token, DATA_DIR, NODE_ENV } = env;
  if (REGISTRY_URL === undefined) return new DiskSource({ dataDir: DATA_DIR, shellDir, dev: NODE_ENV === 'development' });
  try {
    if (ROOT_KEY === undefined) throw new Error('is required with REGISTRY_URL');
    return new RegistrySource({ url: REGISTRY_URL.replace(/\/+$/, ''), token, rootKey: readRootKey(ROOT_KEY), dataDir: DATA_DIR, log });
  } catch (error) {
    process.stderr.write(`ROOT_KEY: ${(error as Error).message}\n`);
    process.exit(1);
  }
}
