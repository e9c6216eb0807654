import type { Log } from '@colonnade/service/log';

export interface Loop {
  /** Runs the work now instead of at its time. */
  wake(): void;
  /** Resolves when the work that runs has ended; it does not run again. */
  stop(): Promise<void>;
}

/**
 * Repeats some work in the background, a pause after each time, and survives its failures: an error is logged once per kind and
 * tried again after the pause. `work` ends early where the signal aborts.
 */
export function startLoop(options: { name: string; pauseMs: number; log: Log; work(signal: AbortSignal): Promise<void> }): Loop {
  const { name, pauseMs, log, work } = options;
  const stopping = new AbortController();
  let woken = false;
  let ring = () => {};

  async function run(): Promise<void> {
    let told = '';
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await work(stopping.signal);
        told = '';
      } catch (error) {
        // Name and code only: the message of an error may repeat what it was about.
        const { name: kind, code } = error as { name?: string; code?: string | number };
        if (`${kind}` !== told && !stopping.signal.aborted)
          log.warn({ loop: name, error: kind, code }, 'background work failed, trying again');
        told = `${kind}`;
        // A bell that rings meanwhile does not make a failing loop spin.
        woken = false;
      }
      if (!woken && !stopping.signal.aborted) await pause();
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const ended = run();
  return {
    wake: () => {
      woken = true;
      ring();
    },
    stop: async () => {
      stopping.abort();
      ring();
      await ended;
    },
  };
}
