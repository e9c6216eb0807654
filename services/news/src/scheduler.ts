/** Publishes scheduled items when they are due: each once, however many instances there are and whenever they start. */
import type { Log } from '@colonnade/service/log';
import type { Desk } from './desk.ts';

/** An item that another instance was asked to schedule is seen this late at most, if that instance ends before it is due. */
const pollMs = 5000;
const who = { id: 'schedule', name: 'schedule' };

export interface Scheduler {
  /** Looks again at once: something was scheduled. */
  wake(): void;
  /** Resolves when nothing is being published any more. */
  stop(): Promise<void>;
}

/** Starts with what became due while no instance was running. */
export function startScheduler({ desk, log }: { desk: Desk; log: Log }): Scheduler {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();

  async function publishAllDue(): Promise<void> {
    let waitMs = pollMs;
    try {
      for (;;) {
        if (stopped) return;
        const newsId = await desk.publishNextDue(new Date(), who);
        if (newsId === null) break;
        log.info({ newsId }, 'scheduled news published');
      }
      const next = await desk.nextDue();
      if (next !== null) waitMs = Math.min(Math.max(next.getTime() - Date.now(), 0), pollMs);
    } catch (err) {
      // The database is away: it stays due.
      if (!stopped) log.warn({ err }, 'scheduled news not published, trying again');
    }
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(run, waitMs);
  }
  function run(): void {
    running = running.then(publishAllDue);
  }
  run();
  return {
    wake: run,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
