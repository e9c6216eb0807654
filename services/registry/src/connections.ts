/**
 * Which shells are connected, to whichever instance of the registry. A trial asks them all. One that is missed here, as after a
 * failure of MongoDB until the next heartbeat, tries what is live by itself before it serves it.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Collections } from './collections.ts';

/**
 * Longer than three heartbeats: an instance that died leaves its shells' connections behind. A shell that has connected again counts
 * once; one that died as well is waited for in vain, which is better than a release that nobody has tried.
 */
const staleMs = 10_000;
const instance = `${hostname()}:${process.pid}`;

export interface Connection {
  /** Still there. */
  touch(): Promise<void>;
  leave(): Promise<void>;
}

/** Notes that a shell is connected to this instance. */
export async function connect({ connections }: Pick<Collections, 'connections'>, shell: string): Promise<Connection> {
  const _id = randomUUID();
  await connections.insertOne({ _id, shell, instance, seenAt: new Date() });
  return {
    touch: async () => void (await connections.updateOne({ _id }, { $set: { seenAt: new Date() } })),
    leave: async () => void (await connections.deleteOne({ _id })),
  };
}

/** The shells that are connected now, sorted. */
export async function connectedShells({ connections }: Pick<Collections, 'connections'>): Promise<string[]> {
  return (await connections.distinct('shell', { seenAt: { $gt: new Date(Date.now() - staleMs) } })).sort();
}
