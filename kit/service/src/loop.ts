import type { Log } from './log.ts';

export interface Loop {
  /** Runs the work now instead of at its time. */
  wake(): void;
  /** Resolves when the work that runs has ended; it does not run again. */
  stop(): Promise<void>;
}

interface LoopOptions {
  name: string;
  pauseMs: number;
  log: Log;
  /** Ends early where the signal aborts. */
  work(signal: AbortSignal): Promise<unknown>;
  /** An error's message may repeat what it was about: only its name and code are logged. */
  confidential?: boolean;
}

/** Repeats some work in the background, a pause after each time, and survives its failures: each kind is logged once. */
export function startLoop({ name, pauseMs, log, work, confidential = false }: LoopOptions): Loop {
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
        const { name: kind, code } = error as { name?: string; code?: string | number };
        if (`${kind}` !== told && !stopping.signal.aborted)
          log.warn({ loop: name, ...(confidential ? { error: kind, code } : { err: error }) }, 'background work failed, trying again');
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
