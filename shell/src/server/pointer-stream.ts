import { shuttingDown } from '@colonnade/service/shutdown';
import type { RequestHandler } from 'express';
import type { ResidentSets } from './resident-sets.ts';

/** Where the resident sets listen: what a gateway needs to choose an upstream. A swap is this pointer moving. */
export interface SetPointer {
  live: string | null;
  previous: string | null;
  canary: string | null;
  /** Port by set id. */
  sets: Record<string, number>;
}

/** Streams the pointer to a gateway as server-sent events: at once, and whenever it moves. */
export function pointerStream(sets: ResidentSets): RequestHandler {
  return (_req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const send = () => res.write(`data: ${JSON.stringify(sets.pointer())}\n\n`);
    // A line now and then, so that a gateway notices a supervisor that is gone without a word.
    const heartbeat = setInterval(() => res.write(':\n\n'), 5000);
    const end = () => res.end();
    send();
    sets.on('pointer', send);
    shuttingDown.addEventListener('abort', end);
    res.on('close', () => {
      clearInterval(heartbeat);
      sets.off('pointer', send);
      shuttingDown.removeEventListener('abort', end);
    });
  };
}
