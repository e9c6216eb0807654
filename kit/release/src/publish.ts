/** Publishing in two phases: what is to come, then each file that the registry lacks. Only then does the release exist. */
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RegistryClient } from './client.ts';
import { RegistryAway, RegistryRefused } from './registry-request.ts';
import { signRelease } from './signing.ts';

/** Waits between the attempts at one request: a registry that is being restarted is back by then. */
const retryMs = [250, 1000, 3000];
const atOnce = 4;

/** How far it is: `sent` of `of` files that the registry did not have; `file` is the one that has just arrived. */
export type Progress = (progress: { sent: number; of: number; file?: string }) => void;

/**
 * Signs a built release and sends it. What was cut is sent again, and only that.
 * @param dir holds `release.json` and all that it names
 * @returns false where this very release existed already
 * @throws RegistryRefused, RegistryAway
 */
export async function publishRelease(
  client: RegistryClient,
  dir: string,
  teamKey: KeyObject,
  progress: Progress = () => {},
): Promise<boolean> {
  const signed = signRelease(readFileSync(path.join(dir, 'release.json')), teamKey);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RegistryRefused) || error.code !== 'no-upload') throw error;
    // It has expired; or the answer to its end was lost, and then the release exists.
    await send();
    return true;
  }

  async function send(): Promise<boolean> {
    const begun = await retried(() => client.begin(signed));
    if (begun === null) return false;
    const missing = begun.missing.map((file) => file.path);
    progress({ sent: 0, of: missing.length });
    await sendAll(begun.upload, missing);
    await complete(begun.upload);
    return true;
  }

  async function sendAll(upload: string, files: readonly string[]): Promise<void> {
    const waiting = [...files];
    let sent = 0;
    const sendNext = async () => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const name = file;
        const bytes = readFileSync(path.join(dir, name));
        await retried(() => client.putFile(upload, name, bytes));
        progress({ sent: ++sent, of: files.length, file: name });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
  }

  async function complete(upload: string): Promise<void> {
    const end = () => retried(() => client.complete(upload));
    try {
      await end();
    } catch (error) {
      if (!(error instanceof RegistryRefused) || error.code !== 'files-missing') throw error;
      await sendAll(upload, error.missing);
      await end();
    }
  }
}

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
