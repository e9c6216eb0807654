import { endAtShutdown } from '@colonnade/service/shutdown';
import type { RequestHandler } from 'express';
import type { ReleaseSet } from './release-set.ts';

/** What runs on the server now. A browser that connects again and finds a difference brings itself up to date. */
export interface DevState {
  set: string;
  shell: string;
}

/**
 * Development only: an event stream that says what this worker serves. When other workers replace it, the stream ends;
 * the browser connects again and compares. A message from the supervisor (a service was restarted) reloads the page.
 */
export function devEvents(set: ReleaseSet): RequestHandler {
  return (_req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    res.write(`retry: 200\ndata: ${JSON.stringify({ set: set.id, shell: set.shell.hash } satisfies DevState)}\n\n`);
    // The gateway ends what is silent for too long.
    const heartbeat = setInterval(() => res.write(':\n\n'), 2000);
    const told = (message: unknown) => {
      if (message === 'reload') res.write('event: reload\ndata: {}\n\n');
      if (message === 'replaced') res.end();
    };
    process.on('message', told);
    endAtShutdown(res);
    res.on('close', () => {
      clearInterval(heartbeat);
      process.off('message', told);
    });
  };
}
