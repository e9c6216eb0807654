/** The life of a process that listens: start, ready, drain, gone. */
import cluster from 'node:cluster';
import type { RequestListener, Server } from 'node:http';
import { type Limits, type Listener, listen } from './listener.ts';
import type { Log } from './log.ts';
import { passedSocket } from './passed-socket.ts';
import { beginShutdown, shuttingDown } from './shutdown.ts';
import { readyToListen } from './starting.ts';

/** Nothing may keep a process longer than this after a signal. */
const exitMs = 9000;
/** How long a process serves on for its successor to come up, which takes a second or two: one that is told to end has little time. */
const successionMs = { told: 4000, byItself: 15_000 };

export interface ServeOptions {
  app: RequestListener;
  name: string;
  /** 0 lets the system choose. */
  port: number;
  host: string;
  log: Log;
  /** Where this listener's limits are others than those of every listener. */
  limits?: Partial<Limits>;
  /** Runs when the last request has been answered, such as closing the database. */
  onClose?: () => Promise<void>;
  /** Decides about an error that nobody caught. Default: the process logs it and ends, as its state is unknown. */
  onUncaught?: (error: unknown, kind: 'exception' | 'rejection') => void;
}

export interface Served {
  server: Server;
  port: number;
  /** Drains this listener and runs its `onClose`; the process lives on. */
  close(): Promise<void>;
}

const served = new Set<Served>();

/**
 * Listens until a signal (SIGTERM, SIGINT, or the parent's end where it spawned us with IPC), then drains and exits with 0
 * within 10 s. May be called more than once: a process ends when all its listeners have drained. A parent with IPC
 * gets `{ ready: true, name, port }`; one that has set `SUCCESSOR_FIRST` also gets `{ leaving: true }` on SIGTERM, and the
 * process serves on until it answers `drain`, 4 s at most. One that asks `alive` gets `{ alive: true }`.
 *
 * Where the parent holds the listening socket (`LISTEN_FDS`, as systemd passes it), that is taken instead of host and port.
 */
export async function serve({ app, name, port, host, log, limits, onClose, onUncaught }: ServeOptions): Promise<Served> {
  if (served.size === 0) watchProcess(log, onUncaught);
  await readyToListen();
  let listener: Listener;
  try {
    const fd = passedSocket(name);
    listener = await listen(app, fd === undefined ? { port, host } : { fd }, limits);
  } catch (error) {
    log.fatal(reason(error, { name, port, host }));
    process.exit(1);
  }
  let closed: Promise<void> | undefined;
  const entry: Served = {
    server: listener.server,
    port: listener.port,
    close: () => {
      closed ??= listener.drain().then(onClose);
      return closed;
    },
  };
  served.add(entry);
  log.info({ port: entry.port, host }, 'listening');
  // A parent that has gone meanwhile is told of by 'disconnect', not by an error here.
  process.send?.({ ready: true, name, port: entry.port }, () => {});
  return entry;
}

function reason(error: unknown, { name, port, host }: { name: string; port: number; host: string }): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `${name} cannot listen: port ${port} on ${host || 'every address'} is in use by another process`;
  if (code === 'EACCES') return `${name} cannot listen: this user may not use port ${port}`;
  return `${name} cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}

function watchProcess(log: Log, onUncaught?: ServeOptions['onUncaught']): void {
  const fatal = (err: unknown) => {
    log.fatal({ err }, 'uncaught');
    process.exit(1);
  };
  process.on('uncaughtException', (error) => (onUncaught ?? fatal)(error, 'exception'));
  process.on('unhandledRejection', (error) => (onUncaught ?? fatal)(error, 'rejection'));
  // A terminal's Ctrl-C may come twice, from the terminal and from the parent: the first counts, the rest do nothing.
  process.on('SIGINT', () => shutDown('SIGINT', log));
  process.on('SIGTERM', () => {
    limitTime(log);
    leave('SIGTERM', log, successionMs.told);
  });
  if (!process.connected) return;
  process.on('message', (message) => {
    if (message === 'drain') shutDown('drain', log);
    // Its pool ends a worker that does not say so.
    if (message === 'alive') process.send?.({ alive: true }, () => {});
  });
  process.once('disconnect', () => shutDown('disconnect', log));
  if (!cluster.worker) return;
  // The channel of a cluster whose primary was killed breaks in the middle of a message; 'disconnect' follows.
  cluster.worker.on('error', () => {});
  // Without this a worker whose primary was killed exits on the spot, before our handler, and fails what it is answering.
  cluster.worker.exitedAfterDisconnect = true;
}

let leaveBy = Number.POSITIVE_INFINITY;

/** Ends this process as SIGTERM does: where the parent starts a successor first, it serves on until that one is up, 15 s at most. */
export function leave(why: string, log: Log, forMs = successionMs.byItself): void {
  if (shuttingDown.aborted) return;
  if (!process.connected || !process.env.SUCCESSOR_FIRST) return void shutDown(why, log);
  const by = performance.now() + forMs;
  // A fault that goes on is told many times; only being told to end meanwhile leaves less time.
  if (by >= leaveBy) return;
  if (leaveBy === Number.POSITIVE_INFINITY) process.send?.({ leaving: true }, () => {});
  leaveBy = by;
  setTimeout(() => shutDown(why, log), forMs);
}

async function shutDown(why: string, log: Log): Promise<void> {
  if (shuttingDown.aborted) return;
  beginShutdown();
  log.info({ why }, 'shutting down');
  limitTime(log);
  await Promise.all([...served].map((entry) => entry.close()));
  log.info('stopped');
  process.exit(0);
}

let limited = false;
function limitTime(log: Log): void {
  if (limited) return;
  limited = true;
  setTimeout(() => {
    log.warn('not drained in time');
    process.exit(0);
  }, exitMs).unref();
}
