/** Makes a started mongod a replica set of one with its users; does only what is still missing. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import { databases, type Owner, type Secrets } from './mongod-secrets.ts';

/** mongod answers within 1 s as a rule, and later where it has to recover from a kill. */
const startMs = 60_000;

/** MongoDB's error codes. */
const userNotFound = 11;
const unauthorized = 13;
const authenticationFailed = 18;

/** Resolves when mongod is primary and each user can log in. */
export async function prepareReplicaSet(target: { port: number; passwords: Secrets['passwords']; dataDir: string }): Promise<void> {
  const { port, passwords, dataDir } = target;
  const host = `127.0.0.1:${port}`;
  const deadline = Date.now() + startMs;

  await using open = new MongoClient(`mongodb://${host}/?directConnection=true`, { serverSelectionTimeoutMS: 500 });
  // A client whose first connection failed connects again only when told to.
  await until(deadline, () => open.connect());
  await using admin = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    auth: { username: 'root', password: passwords.root },
    serverSelectionTimeoutMS: 2000,
  });
  if (!(await connects(admin))) {
    await firstUser({ open, host, deadline, password: passwords.root }).catch((cause) => {
      if (!(cause instanceof MongoServerError) || cause.code !== unauthorized) throw cause;
      throw new Error(
        `The data in ${dataDir} has other passwords than its mongod-users.json. Restore that file, or move the directory away.`,
      );
    });
    await admin.connect();
  }
  await keepAddress(admin, host);
  await primary(admin, deadline);
  for (const [user, name] of Object.entries(databases) as [Owner, string][]) {
    const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: name }));
    const rest = { pwd: passwords[user], roles };
    await admin
      .db(name)
      .command({ updateUser: user, ...rest })
      .catch(async (error) => {
        if (!(error instanceof MongoServerError) || error.code !== userNotFound) throw error;
        await admin.db(name).command({ createUser: user, ...rest });
      });
  }
}

/** False where there is no such user with this password; anything else that fails, fails. */
async function connects(admin: MongoClient): Promise<boolean> {
  try {
    await admin.connect();
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === authenticationFailed) return false;
    throw error;
  }
}

/** As long as there is no user, MongoDB's localhost exception allows to found the set and to create the first one. */
async function firstUser(fresh: { open: MongoClient; host: string; deadline: number; password: string }): Promise<void> {
  const { open, host, deadline, password } = fresh;
  const db = open.db('admin');
  const { isreplicaset } = await db.command({ hello: 1 });
  if (isreplicaset) await db.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  await primary(open, deadline);
  await db.command({ createUser: 'root', pwd: password, roles: ['root'] });
}

/** The set's own record of its address is of the last run; with another port a member no longer finds itself in it. */
async function keepAddress(admin: MongoClient, host: string): Promise<void> {
  const { config } = await admin.db('admin').command({ replSetGetConfig: 1 });
  const [member] = config.members as Document[];
  if (member === undefined || member.host === host) return;
  const changed = { ...config, version: config.version + 1, members: [{ ...member, host }] };
  await admin.db('admin').command({ replSetReconfig: changed, force: true });
}

async function primary(client: MongoClient, deadline: number): Promise<void> {
  await until(deadline, async () => {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    if (!isWritablePrimary) throw new Error(`mongod did not become primary within ${startMs / 1000} s`);
  });
}

async function until<T>(deadline: number, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(50);
    }
  }
}
