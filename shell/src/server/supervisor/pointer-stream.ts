import { endAtShutdown } from '@colonnade/service/shutdown';
import type { RequestHandler } from 'express';
import type { ResidentSets } from './resident-sets.ts';
import type { RoutePolicy } from './route-policies.ts';

/** Where the resident sets listen: what a gateway needs to choose an upstream. A swap is this pointer moving. */
export interface SetPointer {
  live: string | null;
  previous: string | null;
  canary: string | null;
  /** Of the visitors, that get the canary. */
  canaryPercent: number;
  /** Which release (`name@version`) can be seen in which set before it is live. */
  preview: { set: string; release: string } | null;
  /** Port by set id. */
  sets: Record<string, number>;
  /** By set id, most specific route first. */
  routes: Record<string, RoutePolicy[]>;
}

/**
 * Streams the pointer to a gateway as server-sent events: at once, and whenever it moves. An event `culprit` names a
 * request that has ended its worker: sent again, it would end the next one.
 */
export function pointerStream(sets: ResidentSets): RequestHandler {
  return (_req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const send = () => res.write(`data: ${JSON.stringify(sets.pointer())}\n\n`);
    const culprit = (requestId: string) => res.write(`event: culprit\ndata: ${JSON.stringify({ requestId })}\n\n`);
    // A line now and then, so that a gateway notices a supervisor that is gone without a word.
    const heartbeat = setInterval(() => res.write(':\n\n'), 5000);
    send();
    sets.on('pointer', send);
    sets.on('culprit', culprit);
    endAtShutdown(res);
    res.on('close', () => {
      clearInterval(heartbeat);
      sets.off('pointer', send);
      sets.off('culprit', culprit);
    });
  };
}
