/** The embedded MongoDB of a site that runs, for commands that are given beside it. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { databases, type Owner } from './mongod-secrets.ts';
import { processOf } from './running-process.ts';

/** How to reach the database of one service; undefined where no mongod runs on this data directory. */
export async function runningMongodUri(dataDir: string, owner: Owner): Promise<string | undefined> {
  try {
    const dir = resolve(dataDir);
    const { pid } = JSON.parse(await readFile(join(dir, 'mongod.pid'), 'utf8')) as { pid: number };
    const command = (await processOf(pid))?.command ?? '';
    const port = command.includes(join(dir, 'mongo')) ? /--port (\d+)/.exec(command)?.[1] : undefined;
    if (port === undefined) return undefined;
    const passwords = JSON.parse(await readFile(join(dir, 'mongod-users.json'), 'utf8')) as Record<string, string>;
    return `mongodb://${owner}:${passwords[owner]}@127.0.0.1:${port}/${databases[owner]}?replicaSet=rs0`;
  } catch {
    return undefined;
  }
}
