/** The life of a process that listens: start, ready, drain, gone. */
import type { RequestListener, Server } from 'node:http';
import { type Listener, listen } from './listener.ts';
import type { Log } from './log.ts';
import { beginShutdown, shuttingDown } from './shutdown.ts';

/** Nothing may keep a process longer than this after a signal. */
const exitMs = 9500;

export interface ServeOptions {
  app: RequestListener;
  name: string;
  /** 0 lets the system choose. */
  port: number;
  host: string;
  log: Log;
  /** Runs when the last request has been answered, such as closing the database. */
  onClose?: () => Promise<void>;
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
 * gets `{ ready: true, name, port }`.
 */
export async function serve({ app, name, port, host, log, onClose }: ServeOptions): Promise<Served> {
  if (served.size === 0) watchProcess(log);
  let listener: Listener;
  try {
    listener = await listen(app, { port, host });
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
  if (code === 'EADDRINUSE') return `${name} cannot listen: port ${port} on ${host} is in use by another process`;
  if (code === 'EACCES') return `${name} cannot listen: this user may not use port ${port}`;
  return `${name} cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}

function watchProcess(log: Log): void {
  const fatal = (err: unknown) => {
    log.fatal({ err }, 'uncaught');
    process.exit(1);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
  // A terminal's Ctrl-C may come twice, from the terminal and from the parent: the first counts, the rest do nothing.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutDown(signal, log));
  if (process.connected) process.once('disconnect', () => shutDown('disconnect', log));
}

async function shutDown(why: string, log: Log): Promise<void> {
  if (shuttingDown.aborted) return;
  beginShutdown();
  log.info({ why }, 'shutting down');
  setTimeout(() => {
    log.warn('not drained in time');
    process.exit(0);
  }, exitMs).unref();
  await Promise.all([...served].map((entry) => entry.close()));
  log.info('stopped');
  process.exit(0);
}
