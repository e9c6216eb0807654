import { EventEmitter } from 'node:events';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Log } from '@colonnade/service/log';
import { shuttingDown } from '@colonnade/service/shutdown';
import type { Env } from './env.ts';
import { installShellFiles } from './install-shell.ts';
import type { SetPointer } from './pointer-stream.ts';
import { type ReleaseSet, readReleaseSet } from './release-set.ts';
import { WorkerPool } from './worker-pool.ts';

const pollMs = 200;
/** Gateways have the new pointer long before: only then may the old workers go. */
const handOverMs = 1000;
/** Ports after the supervisor's own; more sets than this are never resident at once. */
const portSpan = 8;

interface ResidentOptions extends Env {
  shellDir: string;
  log: Log;
}

/** The release sets that have workers: the live one, and for a while the one before it. Emits `pointer` when it moves. */
export class ResidentSets extends EventEmitter<{ pointer: [] }> {
  readonly #options: ResidentOptions;
  #live: { pool: WorkerPool; set: ReleaseSet; since: string } | undefined;
  #previous: { pool: WorkerPool; timer: NodeJS.Timeout } | undefined;
  #leaving = new Set<WorkerPool>();
  #refused: { reason: string; at: string } | undefined;
  #closed = false;

  constructor(options: ResidentOptions) {
    super();
    this.#options = options;
  }

  get ready(): boolean {
    return (this.#live?.pool.readyCount ?? 0) > 0;
  }

  pointer(): SetPointer {
    const pools = [this.#live?.pool, this.#previous?.pool].filter((pool) => pool !== undefined);
    return {
      live: this.#live?.pool.set ?? null,
      previous: this.#previous?.pool.set ?? null,
      canary: null,
      sets: Object.fromEntries(pools.map((pool) => [pool.set, pool.port])),
    };
  }

  /** For `/readyz`: what is live, since when, and what was refused. */
  state(): object {
    return {
      set: this.#live?.set.id ?? null,
      since: this.#live?.since ?? null,
      shell: this.#live?.set.shell.hash ?? null,
      releases:
        this.#live?.set.releases.map(({ release }) => ({
          name: release.name,
          version: release.version,
          routes: release.routes.map((r) => r.path),
        })) ?? [],
      refused: this.#refused ?? null,
      workers: this.#live?.pool.readyCount ?? 0,
    };
  }

  /** Brings what is on disk live, now and whenever it changes, until the process shuts down. */
  async watch(): Promise<void> {
    if (this.#options.NODE_ENV === 'development')
      process.on('message', (message) => message === 'reload' && this.#live?.pool.send('reload'));
    let seen = '';
    while (!this.#closed && !shuttingDown.aborted) {
      const stamp = this.#stamp();
      if (stamp !== seen) {
        seen = stamp;
        await this.#bringLive();
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#previous?.timer);
    await Promise.all([this.#live?.pool, this.#previous?.pool, ...this.#leaving].map((pool) => pool?.stop()));
  }

  /** Changes when a file that makes up the set changes. In development that is each release's own account of itself. */
  #stamp(): string {
    const { DATA_DIR, shellDir, NODE_ENV } = this.#options;
    const files = [path.join(DATA_DIR, 'release-set.json'), path.join(shellDir, 'shell.json')];
    if (NODE_ENV === 'development') files.push(...(this.#live?.set.releases.map(({ dir }) => path.join(dir, 'release.json')) ?? []));
    return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
  }

  async #bringLive(): Promise<void> {
    const { DATA_DIR, shellDir, SHELL_WORKERS, log } = this.#options;
    let pool: WorkerPool | undefined;
    try {
      const set = readReleaseSet(DATA_DIR, shellDir);
      if (set.id === this.#live?.set.id) {
        // What was refused has been taken back.
        this.#refused = undefined;
        return;
      }
      installShellFiles(DATA_DIR, shellDir, set.shell);
      pool = new WorkerPool(set.id, this.#freePort(), SHELL_WORKERS ?? availableParallelism(), log);
      await pool.start();
      if (this.#closed) return void pool.stop();
      this.#refused = undefined;
      this.#swap(pool, set);
    } catch (error) {
      this.#refused = { reason: (error as Error).message, at: new Date().toISOString() };
      log.error({ err: error, stillLive: this.#live?.set.id }, 'release set refused');
      await pool?.stop();
    }
  }

  #swap(pool: WorkerPool, set: ReleaseSet): void {
    const { PREVIOUS_SET_MS, NODE_ENV, log } = this.#options;
    const old = this.#live?.pool;
    this.#live = { pool, set, since: new Date().toISOString() };
    if (this.#previous) this.#retire(this.#previous.pool);
    clearTimeout(this.#previous?.timer);
    this.#previous = undefined;
    if (old) {
      // In development every save makes a set: keeping them warm would only use memory.
      const keepMs = NODE_ENV === 'development' ? 0 : PREVIOUS_SET_MS;
      const expire = () => {
        this.#previous = undefined;
        this.emit('pointer');
        this.#retire(old);
      };
      this.#previous = { pool: old, timer: setTimeout(expire, keepMs) };
      setTimeout(() => old.shrink(1), handOverMs);
    }
    log.info({ set: set.id, port: pool.port, previous: old?.set }, 'release set live');
    this.emit('pointer');
    if (NODE_ENV === 'development') old?.send('replaced');
  }

  #retire(pool: WorkerPool): void {
    this.#leaving.add(pool);
    setTimeout(() => pool.stop().then(() => this.#leaving.delete(pool)), handOverMs);
  }

  #freePort(): number {
    const { SHELL_PORT } = this.#options;
    const used = new Set([this.#live?.pool, this.#previous?.pool, ...this.#leaving].map((pool) => pool?.port));
    for (let port = SHELL_PORT + 1; port <= SHELL_PORT + portSpan; port++) if (!used.has(port)) return port;
    throw new Error(`no free port among the ${portSpan} after ${SHELL_PORT}`);
  }
}
