import { ownMs } from './cpu.ts';

const tickMs = 5;
/** As long as the period of a container's quota. */
const periodMs = 100;

/**
 * Holds each process to a part of a core, as a container's quota does: one that has had its part is stopped until it is due more.
 * @param part 1 is a whole core
 * @returns what lets all of them go
 */
export function hold(pids: readonly number[], part: number): () => void {
  const held = pids.map((pid) => ({ pid, usedMs: ownMs(pid), dueMs: 0, stopped: false }));
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const one of held) {
      const usedMs = ownMs(one.pid);
      one.dueMs = Math.min(one.dueMs + (now - last) * part - (usedMs - one.usedMs), periodMs * part);
      one.usedMs = usedMs;
      const stop = one.dueMs < 0;
      if (stop === one.stopped) continue;
      process.kill(one.pid, stop ? 'SIGSTOP' : 'SIGCONT');
      one.stopped = stop;
    }
    last = now;
  }, tickMs);
  return () => {
    clearInterval(timer);
    for (const { pid } of held) process.kill(pid, 'SIGCONT');
  };
}
