/** An embedded MongoDB: a real mongod as a replica set of one, on loopback, with access control. Its data stays in the data directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { forgetOldLines } from '../log-files.ts';
import { freePort } from '../ports.ts';
import { findMongod, type Tell } from './mongod-binary.ts';
import { databases, type Owner, readSecrets } from './mongod-secrets.ts';
import { prepareReplicaSet } from './replica-set.ts';
import { endProcess, processOf } from './running-process.ts';

/** mongod closes its files within 1 s as a rule; with much to write it may take longer. */
const stopMs = 10_000;
const logLimitBytes = 20_000_000;

export interface Mongod {
  /** Connection strings by service, each for a user who may use this one database only. */
  uris: Record<Owner, string>;
  /** For tests and for a person who looks: may do everything. */
  adminUri: string;
  port: number;
  pid: number;
  /** Ends mongod in order; harmless when it has ended already. */
  stop(): Promise<void>;
  /** Resolves when mongod ends, wanted or not. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts mongod and resolves when it takes writes. Ends what a killed run of the same data directory has left.
 * @param port 0 takes a free one
 * @throws an Error that tells a person what is wrong: another run on the same data, a port in use, mongod's own last words
 */
export async function startMongod(options: { dataDir: string; port: number; log: Tell }): Promise<Mongod> {
  const dataDir = resolve(options.dataDir);
  const dbPath = join(dataDir, 'mongo');
  const pidFile = join(dataDir, 'mongod.pid');
  const logFile = join(dataDir, 'logs', 'mongod.log');
  const binary = await findMongod(options.log);
  await mkdir(dbPath, { recursive: true, mode: 0o700 });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  await endLeftover({ pidFile, dbPath, tell: options.log });
  const port = options.port === 0 ? await freePort() : options.port;
  await checkPort(port);
  const secrets = await readSecrets(dataDir);
  await forgetOldLines(join(dataDir, 'logs'), /^mongod\./);
  const logBytes = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  if (logBytes > logLimitBytes) await rename(logFile, `${logFile}.1`);

  const log = openSync(logFile, 'a');
  const child = spawn(
    binary,
    [
      ...['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
      ...['--replSet', 'rs0', '--keyFile', secrets.keyFile, '--oplogSize', '512'],
      // CVE-2025-14847: memory could be read before login through zlib-compressed messages.
      ...['--networkMessageCompressors', 'disabled'],
      // Whatever takes over 100 ms would be logged, with what a visitor searched for or sent. This is the most that it takes.
      ...['--slowms', '2147483647'],
      // A process killed in a transaction leaves its locks for this long, 60 s by default: the same inquiry, sent again, waits for them.
      ...['--setParameter', 'transactionLifetimeLimitSeconds=5'],
      ...['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false', '--quiet'],
    ],
    // A process group of its own: Ctrl-C in the terminal reaches the services first, which still want to write.
    { detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const exited = exitOf(child);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${binary} could not be started: ${(await exited).error}`);
  const self = await processOf(process.pid);
  writeFileSync(pidFile, JSON.stringify({ pid, owner: { pid: process.pid, started: self?.started } }));

  const stop = async () => {
    // By its handle, not its number: once it has ended, the number may be another's.
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await exited;
    clearTimeout(hard);
    await rm(pidFile, { force: true });
  };
  const died = exited.then(async ({ code, signal }) => {
    throw new Error(
      `mongod ended while starting (${signal ?? `code ${code}`}). Its last words, from ${logFile}:\n${await lastWords(logFile)}`,
    );
  });
  died.catch(() => {});
  try {
    await Promise.race([prepareReplicaSet({ port, passwords: secrets.passwords, dataDir }), died]);
  } catch (error) {
    await stop();
    throw error;
  }
  const uri = (user: Owner | 'root', path: string) =>
    `mongodb://${user}:${secrets.passwords[user]}@127.0.0.1:${port}/${path}${path.includes('?') ? '&' : '?'}replicaSet=rs0`;
  return {
    uris: { news: uri('news', databases.news), inquiry: uri('inquiry', databases.inquiry), registry: uri('registry', databases.registry) },
    adminUri: uri('root', '?authSource=admin'),
    port,
    pid,
    stop,
    exited,
  };
}

/** What the pid file says; a torn or foreign one says nothing. */
async function readPidFile(file: string): Promise<{ pid: number; owner: { pid: number; started?: string } } | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function endLeftover({ pidFile, dbPath, tell }: { pidFile: string; dbPath: string; tell: Tell }): Promise<void> {
  const known = await readPidFile(pidFile);
  const left = known && (await processOf(known.pid));
  if (!known || !left?.command.includes(dbPath)) return;
  const owner = await processOf(known.owner.pid);
  if (owner !== undefined && owner.started === known.owner.started) {
    throw new Error(`Another Colonnade (process ${known.owner.pid}) is running on the data in ${dbPath}. Stop it first, or set DATA_DIR.`);
  }
  tell(`MongoDB: ending process ${known.pid}, left by a run that was killed`);
  await endProcess(known.pid, stopMs);
}

/** Fails early and by name: mongod itself would only say so in its log. */
async function checkPort(port: number): Promise<void> {
  await new Promise<void>((resolveFree, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${error.code})`;
      reject(
        new Error(`MongoDB cannot start: port ${port} on 127.0.0.1 ${why}. End that program, or choose another port with MONGO_PORT.`),
      );
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolveFree()));
  });
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null; error?: string }> {
  return new Promise((resolveExit) => {
    child.once('error', (error) => resolveExit({ code: null, signal: null, error: error.message }));
    child.once('exit', (code, signal) => resolveExit({ code, signal }));
  });
}

/** mongod logs JSON; a person gets the errors of the last run, or else its last lines. */
async function lastWords(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n').slice(-200);
  const entries = lines.map((line) => {
    try {
      const { s, msg, attr } = JSON.parse(line);
      return { severe: s === 'E' || s === 'F', text: `${msg} ${attr === undefined ? '' : JSON.stringify(attr)}` };
    } catch {
      return { severe: true, text: line };
    }
  });
  const severe = entries.filter((entry) => entry.severe);
  return (severe.length > 0 ? severe : entries)
    .slice(-5)
    .map((entry) => `  ${entry.text.slice(0, 400)}`)
    .join('\n');
}
