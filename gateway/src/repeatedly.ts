import { setInterval as every } from 'node:timers/promises';

/** Does something again and again, one after the other, until the signal aborts; it keeps no process alive. @throws what it throws */
export async function repeatedly(everyMs: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  try {
    for await (const _ of every(everyMs, undefined, { signal, ref: false })) await act();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
