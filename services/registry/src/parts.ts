/** The registry's parts, put together once for its routes and its background work. */
import type { KeyObject } from 'node:crypto';
import type { Database } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import { type Loop, startLoop } from '@colonnade/service/loop';
import { Activations } from './activations.ts';
import { mongoBlobStore } from './blob-store.ts';
import { Canary } from './canary.ts';
import { registryCollections } from './collections.ts';
import type { GuardSettings } from './guard.ts';
import { KeyringStore } from './keyring-store.ts';
import type { SharedProvided } from './manifest.ts';
import { Publishing } from './publishing.ts';
import { Releases } from './releases.ts';
import { followState } from './state-feed.ts';
import { logChanges } from './state-log.ts';
import { watch } from './watch.ts';

const expireEveryMs = 500;
const watchEveryMs = 1000;
const sweepEveryMs = 600_000;

export interface RegistryOptions {
  database: Database;
  log: Log;
  rootKey: KeyObject;
  shared: SharedProvided;
  trialMs: number;
  guard: GuardSettings;
}

export type Registry = ReturnType<typeof createRegistry>;

export function createRegistry({ database, log, rootKey, shared, trialMs, guard: settings }: RegistryOptions) {
  const { client } = database;
  const collections = registryCollections(database.db);
  const blobs = mongoBlobStore(collections);
  const keyring = new KeyringStore(collections, client, rootKey);
  const canary = new Canary(collections, client, keyring);
  const activations = new Activations({ collections, client, keyring, trialMs });
  const feed = followState({ database, collections, log });
  feed.subscribe(logChanges(log));
  const watching = { collections, canary, settings, log, told: new Set<string>() };
  const loops: Loop[] = [];
  let stopped = false;
  database.prepared.then(() => {
    if (stopped) return;
    const { within } = database;
    loops.push(
      startLoop({ name: 'trials', pauseMs: expireEveryMs, log, work: () => within(activations.expire()) }),
      startLoop({ name: 'guard', pauseMs: watchEveryMs, log, work: () => within(watch(watching)) }),
      startLoop({ name: 'sweep', pauseMs: sweepEveryMs, log, work: () => blobs.sweep() }),
    );
  });
  return {
    collections,
    blobs,
    keyring,
    canary,
    activations,
    feed,
    publishing: new Publishing({ collections, client, blobs, keyring, shared }),
    releases: new Releases(collections, blobs, keyring),
    /** Ends the background work. */
    stop: async () => {
      stopped = true;
      await Promise.all([feed.stop(), ...loops.map((loop) => loop.stop())]);
    },
  };
}
