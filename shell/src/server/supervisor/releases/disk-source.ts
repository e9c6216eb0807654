import { statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { readJson, releaseDir } from '../../release-set.ts';
import type { ReleaseSource, Wanted } from './release-source.ts';

const pollMs = 200;

/** `release-set.json` in the data directory: the version of each microfrontend that is live. */
const releaseSetSchema = z.object({ mfes: z.record(z.string(), z.string()) });

/** What to serve is in a file, and the releases lie on disk, put there by somebody who may: for development. */
export class DiskSource implements ReleaseSource {
  readonly triesReleases = false;
  readonly away = null;
  readonly #options: { dataDir: string; shellDir: string; dev: boolean };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: { dataDir: string; shellDir: string; dev: boolean }) {
    this.#options = options;
  }

  async follow(changed: () => void): Promise<void> {
    let seen = this.#stamp();
    this.#timer = setInterval(() => {
      const stamp = this.#stamp();
      if (stamp === seen) return;
      seen = stamp;
      changed();
    }, pollMs);
  }

  wanted(): Wanted {
    const { mfes } = readJson(this.#setFile, releaseSetSchema);
    return { live: { mfes, activation: null }, candidate: null, canary: null };
  }

  async provide(): Promise<void> {}
  keyRevokedAt(): undefined {}

  serves(): void {}
  async report(): Promise<void> {}
  async count(): Promise<void> {}

  stop(): void {
    clearInterval(this.#timer);
  }

  get #setFile(): string {
    return path.join(this.#options.dataDir, 'release-set.json');
  }

  /** Changes when a file that makes up the set changes. In development that is each release's own account of itself. */
  #stamp(): string {
    const { shellDir, dev } = this.#options;
    const files = [this.#setFile, path.join(shellDir, 'shell.json')];
    if (dev) files.push(...this.#releaseDirs().map((dir) => path.join(dir, 'release.json')));
    return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
  }

  #releaseDirs(): string[] {
    try {
      return Object.entries(this.wanted().live.mfes).map(([name, version]) => releaseDir(this.#options.dataDir, name, version));
    } catch {
      return [];
    }
  }
}
