import { realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Log } from '@colonnade/service/log';
import type { DeathReport } from '../containment/death-report.ts';
import { currentWork } from '../containment/work.ts';
import type { LoadedRelease } from './culprit.ts';

const beatMs = 50;
const mebibyte = 1024 * 1024;

/** What the watching thread is given. */
export interface Watched {
  /** Counted up by the main thread for as long as it gets to its timers. */
  beat: Int32Array<SharedArrayBuffer>;
  releases: LoadedRelease[];
  memoryLimitBytes: number;
}

export interface WatchdogOptions {
  releases: { release: { name: string; version: string }; dir: string }[];
  memoryLimitMb: number;
  log: Log;
  /** The process has grown too large. */
  onGrown(report: DeathReport): void;
}

declare global {
  /** Asked by the watching thread on a frame of the paused main thread. */
  var __colonnadeWork: (() => string) | undefined;
}

/**
 * Watches this process from a thread of its own: code that does not come back, or that takes all memory, is named to the
 * supervisor and ended with the process. Nothing inside of JavaScript could end it otherwise.
 */
export function startWatchdog({ releases, memoryLimitMb, log, onGrown }: WatchdogOptions): void {
  globalThis.__colonnadeWork = () => JSON.stringify(currentWork() ?? null);
  const watched: Watched = {
    beat: new Int32Array(new SharedArrayBuffer(4)),
    releases: releases.map(({ release, dir }) => ({
      mfe: release.name,
      version: release.version,
      base: `${pathToFileURL(realpathSync(dir)).href}/`,
    })),
    memoryLimitBytes: memoryLimitMb * mebibyte,
  };
  setInterval(() => Atomics.add(watched.beat, 0, 1), beatMs).unref();
  const thread = new Worker(path.join(import.meta.dirname, 'watchdog.mjs'), { workerData: watched });
  thread.on('error', (err) => log.error({ err }, 'watchdog ended'));
  thread.on('message', onGrown);
  thread.unref();
}
