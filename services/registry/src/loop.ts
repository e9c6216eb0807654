import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@colonnade/service/log';

export interface Loop {
  /** Resolves when the work that runs has ended; it does not run again. */
  stop(): Promise<void>;
}

/** Repeats some work with a pause after each time, and survives its failures: each kind is logged once. */
export function startLoop({ name, pauseMs, log, work }: { name: string; pauseMs: number; log: Log; work(): Promise<unknown> }): Loop {
  const stopping = new AbortController();
  async function run(): Promise<void> {
    let told = '';
    while (!stopping.signal.aborted) {
      try {
        await work();
        told = '';
      } catch (err) {
        const kind = err instanceof Error ? err.name : 'unknown';
        if (kind !== told && !stopping.signal.aborted) log.warn({ loop: name, err }, 'background work failed, trying again');
        told = kind;
      }
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
