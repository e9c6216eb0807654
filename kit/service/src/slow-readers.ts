import type { Server, ServerResponse } from 'node:http';

/**
 * Cuts the connection of a client that leaves an answer lying. The time counts from the moment the whole answer is
 * written, so that streams are not affected; Node itself would wait for ever.
 */
export function cutSlowReaders(server: Server, answerMs: number): void {
  server.on('request', (_req, res: ServerResponse) => {
    res.once('prefinish', () => {
      // The kernel has all of it, as nearly always: nobody waits for this client.
      if (res.socket?.writableLength === 0) return;
      // Reset, so that the kernel drops what it still holds for this client too.
      const late = setTimeout(() => res.socket?.resetAndDestroy(), answerMs).unref();
      res.once('close', () => clearTimeout(late));
    });
  });
}
