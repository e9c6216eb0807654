/** `pnpm staff`: who of the company may use which service. Writes into the services' databases: whoever may do that may do this. */
import { parseArgs } from 'node:util';
import { CommandFailed, runCommand, table, UsageError } from '@colonnade/release/command';
import { field, readEnv } from '@colonnade/service/env';
import {
  createStaff,
  listStaff,
  newStaffToken,
  prepareStaff,
  type Role,
  revokeStaff,
  roles,
  type StaffDocument,
} from '@colonnade/service/staff';
import { type Db, MongoClient, MongoError } from 'mongodb';
import * as z from 'zod';
import { databaseUri } from '../database-uri.ts';
import { databases, type Owner } from '../mongo/mongod-secrets.ts';
import { runningMongodUri } from '../mongo/running-mongod.ts';

const usage = `Who may write news, read inquiries and decide which release is live.

  pnpm staff add "Anna Berg" --role editor    a token for her, shown once
  pnpm staff list                             every token there is, or was
  pnpm staff revoke <id or name>              ends it at once

Roles: editor (news), office (inquiries), operator (releases), admin (all).

The services' databases are found by NEWS_MONGODB_URI, INQUIRY_MONGODB_URI and REGISTRY_MONGODB_URI, or by MONGODB_URI for
all; without them by DATA_DIR (default .data), that of a site that runs on this machine.`;

const every = Object.keys(databases) as Owner[];
const services: Record<Role, readonly Owner[]> = { editor: ['news'], office: ['inquiry'], operator: ['registry'], admin: every };

const env = readEnv(
  z.object({
    NEWS_MONGODB_URI: field.mongodbUri.optional(),
    INQUIRY_MONGODB_URI: field.mongodbUri.optional(),
    REGISTRY_MONGODB_URI: field.mongodbUri.optional(),
    MONGODB_URI: field.mongodbUri.optional(),
    /** Where the embedded MongoDB of a running site keeps its data. */
    DATA_DIR: z.string().default('.data'),
  }),
);

await runCommand(usage, async ([command, ...rest]) => {
  if (command === 'add') await add(rest);
  else if (command === 'list' && rest.length === 0) await list();
  else if (command === 'revoke' && rest.length === 1) await revoke(rest[0] as string);
  else throw new UsageError(`Not understood: ${[command, ...rest].join(' ')}`);
});

async function add(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { role: { type: 'string' } }, allowPositionals: true });
  const [name = ''] = positionals;
  const role = roles.find((each) => each === values.role);
  if (positionals.length !== 1 || name.trim() === '' || name.length > 100) throw new UsageError('Give one name, in quotation marks.');
  if (/[\p{Cc}]/u.test(name)) throw new UsageError('A name is text in one line.');
  if (role === undefined) throw new UsageError(`Give --role ${roles.join(' or --role ')}.`);
  const token = newStaffToken();
  await inEach(services[role], async (db) => {
    await prepareStaff(db);
    await createStaff(db, { name: name.trim(), role, token });
  });
  const command = { editor: 'news list', office: 'inquiries list', operator: 'mfe status', admin: 'news list' }[role];
  console.log(`${token}\n\nThis is the token of ${name.trim()} (${role}). It is shown only now, and stored nowhere: hand it over safely.`);
  // Handed on to somebody who may not have pnpm.
  console.log(`To use it, for example:\n\n  COLONNADE_TOKEN=${token} npx --yes pnpm@12 ${command}`);
}

async function revoke(idOrName: string): Promise<void> {
  const revoked = new Set<string>();
  const failures = new Set<string>();
  // One database that is away must not keep the token good in the others.
  for (const owner of every) {
    try {
      await inEach([owner], async (db) => {
        const inUse = (await listStaff(db)).filter((staff) => staff.revokedAt === null);
        await revokeStaff(db, idOrName);
        for (const { _id, name, role } of inUse) if (_id === idOrName || name === idOrName) revoked.add(`${_id} ${name} (${role})`);
      });
    } catch (error) {
      failures.add((error as Error).message);
    }
  }
  for (const token of revoked) console.log(`revoked: ${token}`);
  if (failures.size > 0) throw new CommandFailed(`${[...failures].join('\n')}\nThere it may still be in use: repeat the command.`);
  if (revoked.size === 0) throw new CommandFailed(`No token of ${idOrName} is in use. See: pnpm staff list`);
}

/** An admin's token is in every service: it is shown once. */
async function list(): Promise<void> {
  const byId = new Map<string, Omit<StaffDocument, 'hash'>>();
  await inEach(every, async (db) => {
    for (const staff of await listStaff(db)) if (byId.get(staff._id)?.revokedAt !== null) byId.set(staff._id, staff);
  });
  const found = [...byId.values()].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? '';
  const rows = found.map(({ _id, name, role, createdAt, revokedAt }) => [_id, name, role, day(createdAt), day(revokedAt)]);
  console.log(rows.length === 0 ? 'Nobody has a token yet.' : table(['id', 'name', 'role', 'since', 'revoked'], rows));
}

async function inEach(owners: readonly Owner[], work: (db: Db) => Promise<void>): Promise<void> {
  for (const owner of owners) {
    const own = { news: env.NEWS_MONGODB_URI, inquiry: env.INQUIRY_MONGODB_URI, registry: env.REGISTRY_MONGODB_URI };
    const uri =
      own[owner] ?? (env.MONGODB_URI && databaseUri(env.MONGODB_URI, databases[owner])) ?? (await runningMongodUri(env.DATA_DIR, owner));
    if (uri === undefined) {
      throw new CommandFailed(`No MongoDB runs on the data in ${env.DATA_DIR}. Start the site first (pnpm start), or set MONGODB_URI.`);
    }
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 3000, writeConcern: { w: 'majority' } });
    try {
      await work(client.db(/^mongodb(?:\+srv)?:\/\/[^/]+\/([^?/]+)/.exec(uri)?.[1] ?? databases[owner]));
    } catch (error) {
      if (error instanceof MongoError) throw new CommandFailed(`The database of the ${owner} service does not answer: ${error.message}`);
      throw error;
    } finally {
      await client.close();
    }
  }
}
