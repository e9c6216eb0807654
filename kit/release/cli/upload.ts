/** Publishing in two phases: what is to come, then each file that the registry lacks. Only then does the release exist. */
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { type Published, publishedSchema, type Upload, uploadSchema } from '../src/api.ts';
import type { SignedRelease } from '../src/schema.ts';
import type { BuiltRelease } from './mfe-folder.ts';
import { ask, RegistryAway, RegistryRefused } from './registry.ts';

/** Waits between the attempts at one request: a registry that is being restarted is back by then. */
const retryMs = [250, 1000, 3000];
const atOnce = 4;

/**
 * Sends a release. What was cut is sent again, and only that.
 * @returns false where this very release existed already
 * @throws RegistryRefused, RegistryAway
 */
export async function upload(release: BuiltRelease, signed: SignedRelease, tell: (line: string) => void): Promise<boolean> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RegistryRefused) || error.code !== 'no-upload') throw error;
    // It has expired; or the answer to its end was lost, and then the release exists.
    await send();
    return true;
  }

  async function send(): Promise<boolean> {
    const begun = await retried(() => ask('/releases', z.union([uploadSchema, publishedSchema]), { method: 'POST', body: signed }));
    if (!isUpload(begun)) return false;
    const bytes = [...release.files.values()].reduce((sum, file) => sum + file.length, 0);
    tell(`${release.files.size} files, ${kilobytes(bytes)}; ${begun.missing.length} to send`);
    await sendAll(
      begun.upload,
      begun.missing.map(({ path }) => path),
    );
    await complete(begun.upload);
    return true;
  }

  async function sendAll(id: string, paths: readonly string[]): Promise<void> {
    const waiting = [...paths];
    let sent = 0;
    const sendNext = async () => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const file = release.files.get(path) as Buffer;
        await retried(() => ask(`/uploads/${id}/files/${path}`, z.undefined(), { method: 'PUT', bytes: file }));
        tell(`${++sent}/${paths.length} ${path} ${kilobytes(file.length)}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
  }

  async function complete(id: string): Promise<void> {
    const end = () => retried(() => ask(`/uploads/${id}/complete`, publishedSchema, { method: 'POST' }));
    try {
      await end();
    } catch (error) {
      if (!(error instanceof RegistryRefused) || error.code !== 'files-missing') throw error;
      await sendAll(id, error.missing);
      await end();
    }
  }
}

const isUpload = (begun: Upload | Published): begun is Upload => 'upload' in begun;

async function retried<T>(request: () => Promise<T>): Promise<T> {
  for (const waitMs of retryMs) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RegistryAway)) throw error;
      await pause(waitMs);
    }
  }
  return await request();
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
