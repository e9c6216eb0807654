import type { Worker } from 'node:cluster';
import type { Server, Socket } from 'node:net';

const pollMs = 10;

/** What Node's cluster says between its processes. */
interface Handoff {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
}

/**
 * Takes back the connections that were on their way to a worker when it died. Node's cluster waits for the worker to
 * confirm each; one that is stuck never does, and when it is killed the connection stays open in the primary for ever:
 * its client gets neither an answer nor an end. As it was not confirmed, nothing was read from it, so that another
 * worker can have it.
 * @param others whether another worker takes connections; if not, they are closed
 * @see lib/internal/cluster/round_robin_handle.js, `handoff`: its messages have been the same since Node 0.12
 */
export function takeBackHandoffs(worker: Worker, others: () => boolean): void {
  const child = worker.process;
  const unconfirmed = new Set<number>();
  const send = child.send;
  child.send = ((message: Handoff, ...rest: [Socket | Server | undefined]) => {
    if (message?.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && message.seq !== undefined) unconfirmed.add(message.seq);
    return send.call(child, message, ...rest);
  }) as typeof send;
  child.on('internalMessage', ({ ack }: Handoff) => void (ack !== undefined && unconfirmed.delete(ack)));
  let disconnected = false;
  child.once('disconnect', () => {
    disconnected = true;
  });
  const takeBack = () => {
    // Not before everything it had said is read.
    if (child.connected) return void setTimeout(takeBack, pollMs);
    // Node forgets to say so where a connection is on its way, and the port would go on taking connections for the dead worker.
    if (!disconnected) child.emit('disconnect');
    for (const ack of unconfirmed) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: !others() });
  };
  child.once('exit', () => setImmediate(takeBack));
}
