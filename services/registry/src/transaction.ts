import { Problem } from '@colonnade/service/problem';
import type { ClientSession, MongoClient } from 'mongodb';

/** The driver itself would repeat for 120 s, long after the caller was told that it has failed. */
const repeatMs = 2000;

/** Every transaction here adds to the one audit log: those of one process wait for each other instead of repeating. */
const queues = new WeakMap<MongoClient, Promise<unknown>>();

/**
 * Runs `work` as one transaction on one moment's data, repeating it where another instance was in its way: `work` may run several
 * times.
 * @throws Problem 503 where others were in its way for too long
 */
export async function inTransaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const until = Date.now() + repeatMs;
  const result = (queues.get(client) ?? Promise.resolve()).then(() => run(client, work, until));
  queues.set(
    client,
    result.catch(() => {}),
  );
  return await result;
}

async function run<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>, until: number): Promise<T> {
  return await client.withSession((session) =>
    session.withTransaction(
      async () => {
        if (Date.now() > until) throw new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '2' } });
        return await work(session);
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    ),
  );
}
