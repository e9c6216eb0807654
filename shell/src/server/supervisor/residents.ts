import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setPorts } from '@colonnade/service/env';
import type { Log } from '@colonnade/service/log';
import { deathReportSchema } from '../containment/death-report.ts';
import { Fences } from '../containment/fences.ts';
import type { Env } from '../env.ts';
import { type ReleaseSet, readReleaseSet } from '../release-set.ts';
import { freePort } from './free-port.ts';
import { installShellFiles } from './install-shell.ts';
import { Resident } from './resident.ts';
import { routePolicies } from './route-policies.ts';

/** Gateways have the new pointer, or another supervisor, long before: only then may the old workers go. */
export const handOverMs = 1000;
/** Stands for a release as a whole, where it is no route's doing and no slot's. */
const whole = '*';

export interface ResidentsOptions extends Env {
  shellDir: string;
  log: Log;
}

/** A release that ends workers without being asked for anything. */
export interface Unusable {
  mfe: string;
  version: string;
  reason: string;
}

/**
 * All sets that have workers, whatever they are there for. Emits `culprit` with the id of a request that has ended a worker, and
 * `unusable` with a release that has to be left out, and `unloadable` where one that is in use does not load in a further worker.
 */
export class Residents extends EventEmitter<{ culprit: [requestId: string]; unusable: [release: Unusable]; unloadable: [] }> {
  readonly #options: ResidentsOptions;
  readonly #fences = new Fences();
  readonly #all = new Set<Resident>();
  /** By set: asked for twice while it starts, it starts once. */
  readonly #starting = new Map<string, Promise<Resident>>();
  /** Those that end in a moment, unless they are wanted again. */
  readonly #leaving = new Set<Resident>();
  /** Each chooses a port when the one before it has its own. */
  #adding: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: ResidentsOptions) {
    super();
    this.#options = options;
  }

  /** What is fenced off of a release, and until when, in milliseconds since 1970. */
  fencesOf(name: string, version: string): { part: string; until: number }[] {
    const ofRelease = this.#fences.active().filter((fence) => fence.mfe === name && fence.version === version);
    return ofRelease.map(({ part, leftMs }) => ({ part, until: Date.now() + leftMs }));
  }

  ofSet(id: string): Resident[] {
    return [...this.#all].filter(({ set }) => set.id === id);
  }

  /**
   * The workers of a set: those that are there, as many as wanted, or new ones.
   * @param broken releases to leave out where they are of this set, and why, by `name@version`
   * @throws ReleaseBroken, SetRejected, WorkerFailed
   */
  async get(mfes: Record<string, string>, workers: number, broken: ReadonlyMap<string, string>): Promise<Resident> {
    const { DATA_DIR, shellDir } = this.#options;
    const names = new Set(Object.entries(mfes).map(([name, version]) => `${name}@${version}`));
    const leftOut = new Map([...broken].filter(([name]) => names.has(name)));
    const set = readReleaseSet(DATA_DIR, shellDir, mfes, [...leftOut.keys()]);
    let known = this.ofSet(set.id).find(({ starting, ending }) => !starting && !ending);
    if (!known) {
      const starting = this.#starting.get(set.id) ?? this.#start(set, workers, leftOut).finally(() => this.#starting.delete(set.id));
      this.#starting.set(set.id, starting);
      known = await starting;
    }
    this.#leaving.delete(known);
    await known.pool.grow(workers);
    return known;
  }

  async #start(set: ReleaseSet, workers: number, broken: Map<string, string>): Promise<Resident> {
    const { DATA_DIR, shellDir } = this.#options;
    installShellFiles(DATA_DIR, shellDir, set.shell);
    const added = this.#adding.then(() => this.#add(set, workers, broken));
    this.#adding = added.catch(() => {});
    const resident = await added;
    try {
      await resident.start();
      if (this.#closed) throw new Error('the supervisor is ending');
      return resident;
    } catch (error) {
      await resident.pool.stop();
      this.#all.delete(resident);
      throw error;
    }
  }

  async #add(set: ReleaseSet, workers: number, broken: Map<string, string>): Promise<Resident> {
    const { HOST, SHELL_PORT, SITE_ORIGIN, shellDir, log } = this.#options;
    const taken = new Set([...this.#all].map((resident) => resident.port));
    const port = await freePort(HOST, SHELL_PORT + 1, setPorts, taken);
    const resident = new Resident({
      set,
      host: HOST,
      port,
      routes: routePolicies(set, SITE_ORIGIN),
      broken,
      shellDir,
      workers,
      log,
      fences: () => this.#fences.active(),
      onFault: (from, report) => this.#blame(from, report),
    });
    this.#all.add(resident);
    return resident;
  }

  /** Ends the sets that are nothing any more, when the gateways have heard of it. */
  retireAllBut(used: ReadonlySet<Resident | undefined>): void {
    for (const resident of this.#all) {
      if (used.has(resident)) this.#leaving.delete(resident);
      if (resident.starting || used.has(resident) || this.#leaving.has(resident)) continue;
      this.#leaving.add(resident);
      setTimeout(async () => {
        if (!this.#leaving.delete(resident)) return;
        resident.ending = true;
        await resident.pool.stop();
        this.#all.delete(resident);
      }, handOverMs);
    }
  }

  /** Ends all workers, those that have not come up at once. */
  async close(): Promise<void> {
    this.#closed = true;
    const starting = [...this.#all].filter((resident) => resident.starting);
    await Promise.all([...starting.map(({ pool }) => pool.stop()), pause(handOverMs)]);
    await Promise.all([...this.#all].map(({ pool }) => pool.stop()));
  }

  /** A worker has ended, or has to: a page view that failed, since the worker could not count it any more. The request whose doing it was is named to the gateways. */
  #blame(resident: Resident, said: unknown): void {
    const { log } = this.#options;
    const { data: report } = deathReportSchema.safeParse(said);
    // Others have loaded it: it is the disk's doing, or the machine's.
    if (report?.reason === 'broken' && resident.pool.readyCount > 0) {
      this.emit('unloadable');
      return;
    }
    resident.addCounts({ pages: 1, errors: 1 });
    if (report?.requestId) this.emit('culprit', report.requestId);
    const { mfe, version, part, reason } = report ?? {};
    if (!mfe || !version) return;
    const fence = this.#fences.died({ mfe, version, part: part ?? whole }, report?.requestId);
    if (!fence) return;
    if (part === undefined) {
      // It does not take a request for that: only without the release it ends.
      log.error({ mfe, version, reason }, 'release is broken, left out');
      this.emit('unusable', { mfe, version, reason: `${reason}` });
      return;
    }
    log.error({ mfe, version, part, until: new Date(Date.now() + fence.leftMs).toISOString(), reason }, 'fenced off');
    for (const each of this.#all) each.pool.send({ fences: this.#fences.active() });
  }
}
