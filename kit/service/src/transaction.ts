import type { ClientSession, MongoClient } from 'mongodb';
import { Problem } from './problem.ts';

/** The driver itself would repeat for 120 s, long after the caller was told that it has failed. */
export const repeatMs = 2000;

/**
 * Runs `work` as one transaction on one moment's data, which a majority keeps in its journal. Repeats it where another was in its
 * way: `work` may run several times.
 * @param until when it is repeated no more; for who has waited already
 * @throws Problem 503 where others were in its way for too long
 */
export async function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  until = Date.now() + repeatMs,
): Promise<T> {
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
