import { EventEmitter } from 'node:events';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@colonnade/service/log';
import { shuttingDown } from '@colonnade/service/shutdown';
import { WorkerFailed, WorkerPool } from '@colonnade/service/worker-pool';
import { deathReportSchema } from './containment/death-report.ts';
import { Fences } from './containment/fences.ts';
import type { Env } from './env.ts';
import { freePort } from './free-port.ts';
import { installShellFiles } from './install-shell.ts';
import type { SetPointer } from './pointer-stream.ts';
import { ReleaseBroken, type ReleaseSet, readReleaseSet } from './release-set.ts';
import { type RoutePolicy, routePolicies } from './route-policies.ts';

const pollMs = 200;
/** Gateways have the new pointer, or another supervisor, long before: only then may the old workers go. */
const handOverMs = 1000;
/** With nothing live, what failed is tried again: it may have been the machine. */
const retryMs = 2000;
/** Ports after the supervisor's own; more sets than this are never resident at once. */
const portSpan = 8;
/** Stands for a release as a whole, where it is no route's doing and no slot's. */
const whole = '*';

interface ResidentOptions extends Env {
  shellDir: string;
  log: Log;
}

/** A release set with its workers. */
interface Resident {
  set: ReleaseSet;
  pool: WorkerPool;
  port: number;
  routes: RoutePolicy[];
  /** Why a release was left out, by `name@version`. */
  broken: Map<string, string>;
}

/**
 * The release sets that have workers: the live one, and for a while the one before it. Emits `pointer` when it moves, and
 * `culprit` with the id of a request that has ended a worker.
 */
export class ResidentSets extends EventEmitter<{ pointer: []; culprit: [requestId: string] }> {
  readonly #options: ResidentOptions;
  readonly #fences = new Fences();
  #live: (Resident & { since: string }) | undefined;
  #previous: (Resident & { timer: NodeJS.Timeout }) | undefined;
  #leaving = new Set<Resident>();
  #starting: Resident | undefined;
  /** Why a release that did load is to be left out from now on, by `name@version`. */
  readonly #unusable = new Map<string, string>();
  #refused: { reason: string; at: string } | undefined;
  /** What was on disk when it was last tried. */
  #tried = '';
  #triedAt = 0;
  #closed: Promise<void> | undefined;

  constructor(options: ResidentOptions) {
    super();
    this.#options = options;
    shuttingDown.addEventListener('abort', () => this.close());
  }

  get ready(): boolean {
    return (this.#live?.pool.readyCount ?? 0) > 0;
  }

  pointer(): SetPointer {
    const residents = [this.#live, this.#previous].filter((resident) => resident !== undefined);
    return {
      live: this.#live?.set.id ?? null,
      previous: this.#previous?.set.id ?? null,
      canary: null,
      sets: Object.fromEntries(residents.map(({ set, port }) => [set.id, port])),
      routes: Object.fromEntries(residents.map(({ set, routes }) => [set.id, routes])),
    };
  }

  /** For `/readyz`: what is live, since when, what was refused, and which release is broken or fenced. */
  state(): object {
    const live = this.#live;
    const fenced = (name: string, version: string) => {
      const fences = this.#fences.active().filter((fence) => fence.mfe === name && fence.version === version);
      return fences.length > 0 ? fences.map(({ part, until }) => ({ id: part, until: new Date(until).toISOString() })) : undefined;
    };
    const releases = [...(live?.set.releases.map(({ release }) => release) ?? []), ...(live?.set.broken ?? [])];
    return {
      set: live?.set.id ?? null,
      since: live?.since ?? null,
      shell: live?.set.shell.hash ?? null,
      releases: releases.map(({ name, version, routes }) => ({
        name,
        version,
        routes: routes.map((route) => route.path),
        broken: live?.broken.get(`${name}@${version}`),
        fenced: fenced(name, version),
      })),
      refused: this.#refused ?? null,
      workers: live?.pool.readyCount ?? 0,
    };
  }

  /** Tries to bring what is on disk live. */
  async bringLive(): Promise<void> {
    this.#tried = this.#stamp();
    this.#triedAt = performance.now();
    try {
      const started = await this.#start();
      // Whatever was refused has been taken back.
      this.#refused = undefined;
      if (started && !this.#closed) this.#swap(started);
      else await started?.pool.stop();
    } catch (error) {
      const reason = (error as Error).message;
      // While nothing is live it is tried again and again; that is one event.
      if (reason !== this.#refused?.reason || this.#live)
        this.#options.log.error({ ...nameOf(error), err: error, stillLive: this.#live?.set.id }, 'release set refused');
      this.#refused = { reason, at: new Date().toISOString() };
    }
  }

  /** Follows what is on disk until the process shuts down. */
  async watch(): Promise<void> {
    if (this.#options.NODE_ENV === 'development')
      process.on('message', (message) => message === 'reload' && this.#live?.pool.send('reload'));
    while (!this.#closed) {
      const retry = !this.#live && performance.now() - this.#triedAt > retryMs;
      if (retry || this.#stamp() !== this.#tried) await this.bringLive();
      await pause(pollMs);
    }
  }

  /** Ends all workers, a moment after the pointer streams have ended: gateways follow another supervisor by then. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      clearTimeout(this.#previous?.timer);
      await Promise.all([this.#starting?.pool.stop(), pause(handOverMs)]);
      await Promise.all([this.#live, this.#previous, ...this.#leaving].map((resident) => resident?.pool.stop()));
    })();
    return this.#closed;
  }

  /** Changes when a file that makes up the set changes. In development that is each release's own account of itself. */
  #stamp(): string {
    const { DATA_DIR, shellDir, NODE_ENV } = this.#options;
    const files = [path.join(DATA_DIR, 'release-set.json'), path.join(shellDir, 'shell.json')];
    if (NODE_ENV === 'development') files.push(...(this.#live?.set.releases.map(({ dir }) => path.join(dir, 'release.json')) ?? []));
    return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join();
  }

  /**
   * Starts workers for the set on disk. Where nothing is live that could serve on, releases that are broken are left out.
   * @returns undefined where that set is live already
   */
  async #start(): Promise<Resident | undefined> {
    const { DATA_DIR, shellDir, log } = this.#options;
    const broken = new Map(this.#unusable);
    for (;;) {
      try {
        const set = readReleaseSet(DATA_DIR, shellDir, [...broken.keys()]);
        if (set.id === this.#live?.set.id) return undefined;
        installShellFiles(DATA_DIR, shellDir, set.shell);
        this.#starting = await this.#resident(set, broken);
        await this.#starting.pool.start();
        return this.#starting;
      } catch (error) {
        await this.#starting?.pool.stop();
        const release = brokenRelease(error);
        if (!release || this.#closed) throw error;
        const key = `${release.mfe}@${release.version}`;
        // One that is broken must not keep the others from a start, nor, once left out, from a swap.
        const left = this.#live?.broken.get(key);
        if (broken.has(key) || (this.#live && left === undefined)) throw release;
        broken.set(key, release.message);
        if (left !== release.message) log.error({ ...nameOf(release), err: release }, 'release is broken, left out');
      } finally {
        this.#starting = undefined;
      }
    }
  }

  async #resident(set: ReleaseSet, broken: Resident['broken']): Promise<Resident> {
    const { HOST, SHELL_PORT, shellDir, SHELL_WORKERS, SITE_ORIGIN, log } = this.#options;
    const port = await freePort(HOST, SHELL_PORT + 1, portSpan);
    const pool = new WorkerPool({
      name: `set ${set.id}`,
      exec: path.join(shellDir, 'server/worker.mjs'),
      env: () => ({
        WORKER_SET: set.id,
        WORKER_MFES: JSON.stringify(set.mfes),
        WORKER_PORT: String(port),
        WORKER_WITHOUT: [...broken.keys()].join(),
        WORKER_FENCES: JSON.stringify(this.#fences.active()),
      }),
      wanted: SHELL_WORKERS ?? availableParallelism(),
      log,
      onDeath: ({ report }) => {
        // While the set starts, a death refuses it, and counts for no more.
        if (this.#starting?.pool !== pool) this.#blame(report);
      },
      onMessage: (message) => {
        if (typeof message !== 'object' || message === null) return;
        if ('fault' in message) this.#blame(message.fault);
        else if ('asks' in message) pool.send({ fences: this.#fences.active() });
      },
    });
    return { set, pool, port, routes: routePolicies(set, SITE_ORIGIN), broken };
  }

  /** A worker has ended, or has to, because of a request: that one is named to the gateways, and what it ran is counted. */
  #blame(said: unknown): void {
    const { data: report } = deathReportSchema.safeParse(said);
    if (report?.requestId) this.emit('culprit', report.requestId);
    const { mfe, version, part, reason } = report ?? {};
    if (!mfe || !version) return;
    const fence = this.#fences.died({ mfe, version, part: part ?? whole }, report?.requestId);
    if (!fence) return;
    if (part === undefined) {
      // It does not take a request for that: only without the release it ends.
      this.#options.log.error({ mfe, version, reason }, 'release is broken, left out');
      this.#unusable.set(`${mfe}@${version}`, `${mfe}@${version}: ${reason}, whatever is asked of it`);
      this.#tried = '';
      return;
    }
    this.#options.log.error({ ...fence, until: new Date(fence.until).toISOString(), reason }, 'fenced off');
    for (const resident of [this.#live, this.#previous, this.#starting]) resident?.pool.send({ fences: this.#fences.active() });
  }

  #swap(resident: Resident): void {
    const { PREVIOUS_SET_MS, NODE_ENV, log } = this.#options;
    const old = this.#live;
    this.#live = { ...resident, since: new Date().toISOString() };
    if (this.#previous) this.#retire(this.#previous);
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
      this.#previous = { ...old, timer: setTimeout(expire, keepMs) };
      setTimeout(() => old.pool.shrink(1), handOverMs);
    }
    log.info({ set: resident.set.id, port: resident.port, previous: old?.set.id }, 'release set live');
    this.emit('pointer');
    if (NODE_ENV === 'development') old?.pool.send('replaced');
  }

  #retire(resident: Resident): void {
    this.#leaving.add(resident);
    setTimeout(() => resident.pool.stop().then(() => this.#leaving.delete(resident)), handOverMs);
  }
}

function nameOf(error: unknown): { mfe?: string; version?: string } {
  return error instanceof ReleaseBroken ? { mfe: error.mfe, version: error.version } : {};
}

/** The release because of which a set did not start, where it is known. */
function brokenRelease(error: unknown): ReleaseBroken | undefined {
  if (error instanceof ReleaseBroken) return error;
  const { data: report } = deathReportSchema.safeParse(error instanceof WorkerFailed ? error.death.report : undefined);
  if (!report?.mfe || !report.version) return undefined;
  const message = report.message ?? `${report.mfe}@${report.version}: ${report.reason} while loading`;
  const broken = new ReleaseBroken(report.mfe, report.version, message);
  // Where it happened, not where it was read.
  if (report.stack) broken.stack = report.stack;
  return broken;
}
