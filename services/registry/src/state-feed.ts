/** Follows the state in the database, so that every instance tells its shells of a change, whichever instance made it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { State } from '@colonnade/release/api';
import type { Database } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { ChangeStream, Timestamp } from 'mongodb';
import type { Collections } from './collections.ts';
import { readState } from './site-state.ts';

const reopenMs = 500;

export type StateListener = (state: State) => void;

export interface StateFeed {
  /** @returns how to stop listening */
  subscribe(listener: StateListener): () => void;
  /** Resolves with the next change, or after this time. */
  changed(waitMs: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** One change stream for all who listen here. */
export function followState(options: { database: Pick<Database, 'db' | 'prepared'>; collections: Collections; log: Log }): StateFeed {
  const { database, collections, log } = options;
  const listeners = new Set<StateListener>();
  const stopping = new AbortController();
  let stream: ChangeStream | undefined;

  async function tell(): Promise<void> {
    const state = await readState(collections);
    for (const listener of listeners) listener(state);
  }

  async function follow(): Promise<void> {
    const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([database.prepared, stopped]);
    while (!stopping.signal.aborted) {
      try {
        // From this moment, not from when MongoDB has opened the stream: nothing is missed in between.
        const { operationTime } = await database.db.command({ ping: 1 });
        stream = collections.state.watch([], { startAtOperationTime: operationTime as Timestamp });
        await tell();
        for await (const _change of stream) await tell();
      } catch (err) {
        if (!stopping.signal.aborted) log.warn({ err }, 'the stream of changes ended, opening it again');
      }
      await stream?.close().catch(() => {});
      await pause(reopenMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const ended = follow();
  const subscribe = (listener: StateListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    subscribe,
    changed: async (waitMs, signal) => {
      const change = Promise.withResolvers<void>();
      const unsubscribe = subscribe(() => change.resolve());
      await Promise.race([change.promise, pause(waitMs, undefined, { signal }).catch(() => {})]);
      unsubscribe();
    },
    stop: async () => {
      stopping.abort();
      await stream?.close().catch(() => {});
      await ended;
    },
  };
}
