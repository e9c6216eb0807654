/**
 * Whether this process is going away. A process ends as a whole, so the state is the process's: an ops listener has to
 * report "not ready" while the public listener beside it drains.
 */
const controller = new AbortController();

/** Aborts when the process starts to shut down. Long answers, such as event streams, end when it does. */
export const shuttingDown: AbortSignal = controller.signal;

/** Called by `serve` on a signal; from then on `/readyz` answers 503. */
export function beginShutdown(): void {
  controller.abort();
}
