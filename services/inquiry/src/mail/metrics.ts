import type { Metrics } from '@colonnade/service/metrics';
import { Gauge } from 'prom-client';
import type { Outbox } from './outbox.ts';

/** A scrape does not wait longer for a database that is away. */
const deadlineMs = 1000;

/**
 * Gauges to raise an alarm on: `inquiry_outbox_mails{state="failed"}` over 0, `inquiry_outbox_oldest_pending_seconds` over an hour.
 * Without a database they are left out, so that "no data" is not read as "none".
 */
export function outboxMetrics(outbox: Outbox, metrics: Metrics): void {
  new Gauge({
    name: 'inquiry_outbox_mails',
    help: 'Mails that wait for being sent (pending) or were given up (failed).',
    labelNames: ['state'] as const,
    registers: [metrics],
    async collect() {
      this.reset();
      const counts = await inTime(outbox.counts());
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'inquiry_outbox_oldest_pending_seconds',
    help: 'Age of the oldest mail that has not been sent yet; 0 where there is none.',
    registers: [metrics],
    async collect() {
      this.remove();
      const seconds = await inTime(outbox.oldestS());
      if (seconds !== null) this.set(seconds);
    },
  });
}

async function inTime<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), deadlineMs);
  });
  const result = await Promise.race([work.catch(() => null), late]);
  clearTimeout(timer);
  return result;
}
