/** A service's own database: opened without waiting for it, prepared when it is there, away without hurting anything else. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { type Db, MongoClient, MongoError, MongoServerError } from 'mongodb';
import type { Log } from './log.ts';
import { Problem } from './problem.ts';
import { needsBeforeListening } from './starting.ts';

/** A visitor is told "later" within this time, whether mongod is gone, frozen or slow. */
const operationMs = 2000;
const retryMs = 1000;

export interface DatabaseOptions {
  /** Where the URI's path names no database, `name` is taken. */
  uri: string;
  name: string;
  appName: string;
  log: Log;
  /**
   * Creates what the service relies on (collections, validators, indexes). Several instances may run it at once, and it is
   * repeated until it succeeds: it has to be idempotent.
   */
  prepare(db: Db, client: MongoClient): Promise<void>;
}

export interface Database {
  db: Db;
  client: MongoClient;
  /** Resolves after the first successful `prepare`. */
  prepared: Promise<void>;
  /** The check for `/readyz`. */
  ping(): Promise<void>;
  /** Waits for what a visitor asked for, 2 s at most: the driver's own deadline (`timeoutMS`) does nothing any more. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Middleware: until the database is prepared, answers 503 at once. */
  gate: RequestHandler;
  close(): Promise<void>;
}

/** Opens a database and returns at once; a mongod that is away is tried again every second. Writes wait for a majority and the journal. */
export function openDatabase({ uri, name, appName, log, prepare }: DatabaseOptions): Database {
  const client = new MongoClient(uri, {
    appName,
    serverSelectionTimeoutMS: operationMs,
    connectTimeoutMS: operationMs,
    waitQueueTimeoutMS: operationMs,
    // Not socketTimeoutMS, which would cut the building of an index too. A frozen mongod is noticed by its heartbeat, within
    // these two times together, and what waits for it is interrupted.
    heartbeatFrequencyMS: 2000,
    maxPoolSize: 50,
    // With w:1 a SIGKILL of mongod lost 5,415 of 66,046 acknowledged inserts, with majority 0 of 19,651.
    writeConcern: { w: 'majority', journal: true },
    // A write that another instance has seen confirmed is never read as missing here.
    readConcern: { level: 'majority' },
  });
  const db = client.db(nameIn(uri) ?? name);
  const closing = new AbortController();
  let connected = false;
  let ready = false;

  async function prepareUntilDone(): Promise<void> {
    let told = '';
    for (;;) {
      try {
        // A client whose first connection failed connects again only when told to; once connected it does so by itself.
        if (!connected) await client.connect();
        connected = true;
        await checkReplicaSet(db);
        await prepare(db, client);
        ready = true;
        log.info({ database: db.databaseName }, 'database ready');
        return;
      } catch (err) {
        if (closing.signal.aborted) return;
        // Once per kind of failure, not once per second.
        const kind = err instanceof Error ? err.name : 'unknown';
        if (kind !== told) log.warn({ err }, 'database not ready, trying again every second');
        told = kind;
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {});
        if (closing.signal.aborted) return;
      }
    }
  }

  const prepared = prepareUntilDone();
  needsBeforeListening(prepared);
  return {
    db,
    client,
    prepared,
    ping: async () => {
      if (!ready) throw new Error('not prepared');
      await db.command({ ping: 1 });
    },
    within,
    gate: (_req, _res, next) => next(ready ? undefined : unavailable()),
    close: async () => {
      closing.abort();
      await client.close();
    },
  };
}

/** A mongod alone takes reads and single writes, and refuses every transaction: it would look well and fail each inquiry. */
async function checkReplicaSet(db: Db): Promise<void> {
  const { setName, msg } = await db.command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('MongoDB is not a replica set');
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error(`no answer from MongoDB within ${operationMs} ms`))), operationMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Error middleware, before `problemHandler`: what a database that is away, frozen or changing its primary throws becomes 503 with Retry-After. */
export const databaseErrors: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(isUnavailable(error) ? unavailable(error) : error);
};

function unavailable(cause?: unknown): Problem {
  return new Problem(503, 'Service unavailable', { detail: 'Please try again in a moment.', headers: { 'Retry-After': '2' }, cause });
}

/**
 * Server errors that pass by themselves: primary changes, shutdown, deadlines, write concern not reached in time, disk full,
 * credentials being changed. Others are our own mistakes.
 */
const passingCodes = new Set([6, 7, 18, 50, 64, 89, 91, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** Now and then the driver lets the error of a dying socket through as it is: seen with EPIPE when mongod was killed under load. */
const socketCodes = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT']);

function isUnavailable(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && socketCodes.has(String(error.code))) return true;
  if (!(error instanceof MongoError)) return false;
  // Without a code no server has said it: a bulk write wraps a broken connection in this way.
  if (!(error instanceof MongoServerError) || error.code === undefined) return true;
  return (
    passingCodes.has(Number(error.code)) || error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('TransientTransactionError')
  );
}

function nameIn(uri: string): string | undefined {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?/]+)/.exec(uri)?.[1];
}
