import type { ServerResponse } from 'node:http';

/**
 * Whether this process is going away. A process ends as a whole, so the state is the process's: an ops listener has to
 * report "not ready" while the public listener beside it drains.
 */
const controller = new AbortController();

/** Aborts when the process starts to shut down. */
export const shuttingDown: AbortSignal = controller.signal;

/** Called by `serve` on a signal; from then on `/readyz` answers 503. */
export function beginShutdown(): void {
  controller.abort();
}

/** Ends a stream when the process starts to shut down. One that begins later, on a kept connection, ends at once: a successor is asked next. */
export function endAtShutdown(stream: ServerResponse): void {
  const end = () => stream.end();
  if (shuttingDown.aborted) return void end();
  shuttingDown.addEventListener('abort', end);
  stream.once('close', () => shuttingDown.removeEventListener('abort', end));
}
