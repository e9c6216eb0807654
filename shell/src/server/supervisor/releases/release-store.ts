import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { releaseSchema } from '@colonnade/mfe/release';
import type { RegistryClient } from '@colonnade/release/client';
import { checkBytes, checkFiles } from '@colonnade/release/files';
import { type Keyring, type SignedRelease, signatureSchema } from '@colonnade/release/schema';
import { type VerifiedRelease, verifyRelease } from '@colonnade/release/verify';
import type { Log } from '@colonnade/service/log';
import { releaseDir } from '../../release-set.ts';

const atOnce = 6;

interface StoreOptions {
  dataDir: string;
  client: Pick<RegistryClient, 'release' | 'file'>;
  log: Log;
}

/** The releases on this machine's disk, each with its signature beside it. What does not verify is fetched anew, or refused. */
export class ReleaseStore {
  readonly #options: StoreOptions;
  /** By `name@version`, those that are being looked at: two sets may need one release at once. */
  readonly #under = new Map<string, Promise<VerifiedRelease>>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /**
   * Makes sure that a release lies on disk and that every byte of it is what a key of the keyring has signed.
   * @throws ReleaseRefused, or an Error where it is not on disk and cannot be fetched
   */
  provide(name: string, version: string, keyring: Keyring): Promise<VerifiedRelease> {
    const key = `${name}@${version}`;
    const under = this.#under.get(key) ?? this.#provide(name, version, keyring).finally(() => this.#under.delete(key));
    this.#under.set(key, under);
    return under;
  }

  async #provide(name: string, version: string, keyring: Keyring): Promise<VerifiedRelease> {
    const dir = releaseDir(this.#options.dataDir, name, version);
    let onDisk: Error | undefined;
    if (existsSync(dir)) {
      try {
        return await verifyOnDisk(dir, { name, version }, keyring);
      } catch (error) {
        onDisk = error as Error;
      }
    }
    try {
      const fetched = await this.#fetch(dir, { name, version }, keyring);
      if (onDisk) this.#options.log.warn({ mfe: name, version, reason: onDisk.message }, 'release on disk replaced');
      return fetched;
    } catch (error) {
      // What is wrong on disk is the better reason where the registry is away.
      if (onDisk) throw new Error(`${onDisk.message} (and cannot be fetched anew: ${(error as Error).message})`, { cause: error });
      throw error;
    }
  }

  /** Into a folder beside it, which takes the place in one step when all is there. */
  async #fetch(dir: string, of: ReleaseName, keyring: Keyring): Promise<VerifiedRelease> {
    const { client } = this.#options;
    const signed = await client.release(of.name, of.version);
    const { verified, files } = check(signed, of, keyring);
    const partial = `${dir}.partial-${process.pid}`;
    try {
      await rm(partial, { recursive: true, force: true });
      await mkdir(partial, { recursive: true });
      const waiting = Object.entries(files);
      const fetchNext = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [file, integrity] = next;
          const bytes = await client.file(of.name, of.version, file);
          checkBytes(file, bytes, integrity);
          await mkdir(path.dirname(path.join(partial, file)), { recursive: true });
          await writeFile(path.join(partial, file), bytes);
        }
      };
      const stop = (error: unknown) => {
        waiting.length = 0;
        throw error;
      };
      // What is still being written has ended before the folder goes.
      const ends = await Promise.allSettled(Array.from({ length: atOnce }, () => fetchNext().catch(stop)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      await writeFile(path.join(partial, 'release.sig'), JSON.stringify(signed.signature));
      await writeFile(path.join(partial, 'release.json'), verified.bytes);
      await replaceFolder(dir, partial);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return verified;
  }
}

interface ReleaseName {
  name: string;
  version: string;
}

async function verifyOnDisk(dir: string, of: ReleaseName, keyring: Keyring): Promise<VerifiedRelease> {
  const signature = signatureSchema.parse(JSON.parse(await readFile(path.join(dir, 'release.sig'), 'utf8')));
  const manifest = (await readFile(path.join(dir, 'release.json'))).toString('base64');
  const { verified, files } = check({ manifest, signature }, of, keyring);
  for (const [file, integrity] of Object.entries(files)) checkBytes(file, await readFile(path.join(dir, file)), integrity);
  return verified;
}

/** Nothing in a manifest is believed before its signature fits; then it has to be the release that was asked for. */
function check(signed: SignedRelease, { name, version }: ReleaseName, keyring: Keyring) {
  const verified = verifyRelease(signed, keyring, name);
  const release = releaseSchema.parse(JSON.parse(verified.bytes.toString('utf8')));
  if (release.name !== name || release.version !== version)
    throw new Error(`asked for ${name}@${version}, and was given ${release.name}@${release.version}`);
  checkFiles(release.files);
  return { verified, files: release.files };
}

async function replaceFolder(dir: string, by: string): Promise<void> {
  const old = `${dir}.replaced-${process.pid}`;
  if (existsSync(dir)) await rename(dir, old);
  await rename(by, dir);
  await rm(old, { recursive: true, force: true });
}
