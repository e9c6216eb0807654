/** Stored data has a version: steps that each run once, whichever instance comes first. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Collection, type Db, type MongoClient, MongoServerError } from 'mongodb';

/** A lock that nobody renews for so long belongs to an instance that died. */
const leaseMs = 15_000;
const renewMs = 3000;
const askAgainMs = 100;
const duplicateKey = 11_000;

export interface Migration {
  /** Sorts by itself, and never changes: `0001-collections`. */
  id: string;
  /** Has to be repeatable: an instance that dies in the middle leaves it to the next. */
  run(db: Db, client: MongoClient): Promise<void>;
}

interface MigrationDocument {
  /** The migration's id, or `lock`. */
  _id: string;
  /** When it had run. */
  at?: Date;
  /** Who holds the lock, and how long. */
  owner?: string;
  until?: Date;
}

/**
 * Runs the steps that have not run on this database, in order, and returns when all have. Instances that start together
 * wait for the one that holds the lock.
 */
export async function migrate(db: Db, client: MongoClient, steps: readonly Migration[]): Promise<void> {
  const migrations = db.collection<MigrationDocument>('migrations');
  const missing = async () => {
    const done = new Set((await migrations.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    return steps.filter(({ id }) => !done.has(id));
  };
  const owner = randomUUID();
  for (;;) {
    if ((await missing()).length === 0) return;
    if (await takeLock(migrations, owner)) break;
    await pause(askAgainMs);
  }
  let renewed: Promise<unknown> = Promise.resolve();
  const renewal = setInterval(() => {
    renewed = takeLock(migrations, owner).catch(() => {});
  }, renewMs);
  try {
    for (const step of await missing()) {
      await step.run(db, client);
      await migrations.insertOne({ _id: step.id, at: new Date() });
    }
  } finally {
    clearInterval(renewal);
    // A renewal on its way would bring the lock back.
    await renewed;
    // Where even this fails, the lease ends by itself.
    await migrations.deleteOne({ _id: 'lock', owner }).catch(() => {});
  }
}

/** Takes or renews the lock. The time is the database's: instances' clocks may differ. */
async function takeLock(migrations: Collection<MigrationDocument>, owner: string): Promise<boolean> {
  const free = { $or: [{ $eq: ['$owner', owner] }, { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }] };
  const take = { owner: { $cond: [free, owner, '$owner'] }, until: { $cond: [free, { $add: ['$$NOW', leaseMs] }, '$until'] } };
  try {
    const lock = await migrations.findOneAndUpdate({ _id: 'lock' }, [{ $set: take }], { upsert: true, returnDocument: 'after' });
    return lock?.owner === owner;
  } catch (error) {
    // Two instances wanted to be the first ever.
    if (error instanceof MongoServerError && error.code === duplicateKey) return false;
    throw error;
  }
}
