/** The secrets of one data directory: made once, readable by their owner only. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Whose database is whose: nobody else touches its collections. */
export const databases = { news: 'colonnade_news', inquiry: 'colonnade_inquiry', registry: 'colonnade_registry' } as const;
export type Owner = keyof typeof databases;

export interface Secrets {
  /** The file by which members of the replica set know each other; needed for access control even with one member. */
  keyFile: string;
  /** Passwords by user: `root` and each owner of a database. */
  passwords: Record<'root' | Owner, string>;
}

/** Reads the secrets of a data directory and makes those that are missing. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const keyFile = join(dataDir, 'mongod.key');
  await writeFile(keyFile, randomBytes(384).toString('base64'), { flag: 'wx', mode: 0o600 }).catch(ignoreExisting);

  const file = join(dataDir, 'mongod-users.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const known = z.record(z.string(), z.string()).parse(JSON.parse(text));
  const users = ['root', ...Object.keys(databases)] as ('root' | Owner)[];
  const passwords = Object.fromEntries(users.map((user) => [user, known[user] ?? randomBytes(24).toString('base64url')]));
  await writeFile(`${file}.new`, `${JSON.stringify({ ...known, ...passwords }, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return { keyFile, passwords: passwords as Secrets['passwords'] };
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
