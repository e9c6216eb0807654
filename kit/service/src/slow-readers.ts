import type { Server, ServerResponse } from 'node:http';

/**
 * Cuts the connection of a client that leaves an answer lying. The time counts from the moment the whole answer is
 * written, so that streams are not affected; Node itself would wait for ever.
 */
export function cutSlowReaders(server: Server, answerMs: number): void {
  server.on('request', (_req, res: ServerResponse) => {
    let late: NodeJS.Timeout | undefined;
    res.once('prefinish', () => {
      // Reset, so that the kernel drops what it still holds for this client too.
      late = setTimeout(() => res.socket?.resetAndDestroy(), answerMs).unref();
    });
    res.once('close', () => clearTimeout(late));
  });
}
