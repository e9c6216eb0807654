import { Problem } from '@colonnade/service/problem';
import type { ClientSession, MongoClient } from 'mongodb';

/** The driver itself would repeat for 120 s, long after the caller was told that it has failed. */
const repeatMs = 2000;

/**
 * Runs `work` as one transaction, repeating it where another was in its way: `work` may run several times.
 * @throws Problem 503 where others were in its way for too long
 */
export async function inTransaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const until = Date.now() + repeatMs;
  return await client.withSession((session) =>
    session.withTransaction(async () => {
      if (Date.now() > until) throw new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '2' } });
      return await work(session);
    }),
  );
}
