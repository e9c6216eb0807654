import { inTransaction as inOneTransaction, repeatMs } from '@colonnade/service/transaction';
import type { ClientSession, MongoClient } from 'mongodb';

/** Every transaction here adds to the one audit log: those of one process wait for each other instead of repeating. */
const queues = new WeakMap<MongoClient, Promise<unknown>>();

/**
 * Runs `work` as one transaction after those of this process that have begun before.
 * @throws Problem 503 where others were in its way for too long
 */
export async function inTransaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const until = Date.now() + repeatMs;
  const result = (queues.get(client) ?? Promise.resolve()).then(() => inOneTransaction(client, work, until));
  queues.set(
    client,
    result.catch(() => {}),
  );
  return await result;
}
