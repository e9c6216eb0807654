import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { shuttingDown } from '@colonnade/service/shutdown';
import { Trials } from '../trial/trials.ts';
import { brokenRelease } from './broken-release.ts';
import { Canary } from './canary.ts';
import type { SetPointer } from './pointer-stream.ts';
import { Previews } from './previews.ts';
import { type Refusal, refusal } from './refusal.ts';
import type { Candidate, ReleaseSource, Wanted, WantedSet } from './releases/release-source.ts';
import type { Resident } from './resident.ts';
import { handOverMs, Residents, type ResidentsOptions } from './residents.ts';

/** What could not be brought live is tried again: it may have been the machine, or the network. */
const retryMs = 2000;
/** With a set that serves on there is no hurry, and each try takes a processor. */
const retryBesideLiveMs = 30_000;
const countMs = 2000;

interface ResidentSetsOptions extends ResidentsOptions {
  source: ReleaseSource;
}

/**
 * The release sets that have workers: the live one, for a while the one before it, the canary, a preview, and what is
 * being tried. Emits `pointer` when it moves, and `culprit` with the id of a request that has ended a worker.
 */
export class ResidentSets extends EventEmitter<{ pointer: []; culprit: [requestId: string] }> {
  readonly #options: ResidentSetsOptions;
  readonly #source: ReleaseSource;
  readonly #workers: number;
  readonly #residents: Residents;
  readonly #trials: Trials;
  #live: Resident | undefined;
  #liveSince = '';
  #previous: { resident: Resident; timer: NodeJS.Timeout } | undefined;
  readonly #canary: Canary;
  readonly #previews: Previews;
  /** Why a release that did load is to be left out from now on, by `name@version`. */
  readonly #unusable = new Map<string, string>();
  /** Why releases were left out, as it was told. */
  readonly #leftOut = new Map<string, string>();
  #refused: Refusal | undefined;
  /** Something may have changed since it was looked at. */
  #isStale = false;
  #working: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** The pointer as gateways know it. */
  #told = '';
  #closed: Promise<void> | undefined;

  constructor(options: ResidentSetsOptions) {
    super();
    // Every process of every gateway listens.
    this.setMaxListeners(0);
    this.#options = options;
    this.#source = options.source;
    this.#workers = options.SHELL_WORKERS ?? availableParallelism();
    this.#residents = new Residents(options);
    this.#residents.on('culprit', (requestId) => this.emit('culprit', requestId));
    this.#residents.on('unusable', ({ mfe, version, reason }) => {
      this.#unusable.set(`${mfe}@${version}`, `${mfe}@${version}: ${reason}, whatever is asked of it`);
      this.#wake();
    });
    // What lies on disk is looked at again then.
    this.#residents.on('unloadable', () => this.#retryLater());
    this.#trials = new Trials({
      source: options.source,
      log: options.log,
      live: () => this.#live,
      start: (candidate) => this.#startCandidate(candidate),
      dropped: () => this.#wake(),
    });
    this.#canary = new Canary({
      log: options.log,
      trials: this.#trials,
      live: () => this.#live,
      start: (mfes) => this.#residentOf(mfes, 1),
      later: (work) => this.#later(work),
      changed: () => this.#wake(),
    });
    this.#previews = new Previews({ start: (name, version) => this.#startPreview(name, version), moved: () => this.#pointerMoved() });
    shuttingDown.addEventListener('abort', () => this.close());
  }

  get ready(): boolean {
    return (this.#live?.pool.readyCount ?? 0) > 0;
  }

  pointer(): SetPointer {
    const canary = this.#canary.serving;
    const preview = this.#previews.serving;
    const serving = this.#serving();
    return {
      live: this.#live?.set.id ?? null,
      previous: this.#previous?.resident.set.id ?? null,
      canary: canary?.resident.set.id ?? null,
      canaryPercent: canary?.percent ?? 0,
      preview: preview ? { set: preview.resident.set.id, release: preview.release } : null,
      sets: Object.fromEntries(serving.map(({ set, port }) => [set.id, port])),
      routes: Object.fromEntries(serving.map(({ set, routes }) => [set.id, routes])),
    };
  }

  /** For `/readyz`: what is live, since when, what was refused, why nothing newer is heard of, and which release is broken, fenced, or signed by a key that was revoked. */
  state(): object {
    const live = this.#live;
    const fenced = (name: string, version: string) => {
      const fences = this.#residents.fencesOf(name, version);
      return fences.length > 0 ? fences.map(({ part, until }) => ({ id: part, until: new Date(until).toISOString() })) : undefined;
    };
    const releases = [...(live?.set.releases.map(({ release }) => release) ?? []), ...(live?.set.broken ?? [])];
    return {
      set: live?.set.id ?? null,
      since: live ? this.#liveSince : null,
      shell: live?.set.shell.hash ?? null,
      releases: releases.map(({ name, version, routes }) => ({
        name,
        version,
        routes: routes.map((route) => route.path),
        broken: live?.broken.get(`${name}@${version}`),
        fenced: fenced(name, version),
        keyRevokedAt: this.#source.keyRevokedAt(name, version),
      })),
      refused: this.#refused ?? this.#canary.refused ?? null,
      away: this.#source.away,
      workers: live?.pool.readyCount ?? 0,
    };
  }

  /** Brings live what should be, and follows the source from then on. Resolves when the first try of that has ended, well or not. */
  async start(): Promise<void> {
    const { NODE_ENV } = this.#options;
    if (NODE_ENV === 'development') process.on('message', (message) => message === 'reload' && this.#live?.pool.send('reload'));
    // What changes before the first try is seen by it.
    let started = false;
    await this.#source.follow(() => started && this.#wake());
    started = true;
    this.#wake();
    await this.#working;
    setInterval(() => this.#reportCounts(), countMs).unref();
  }

  /**
   * Makes a set resident in which one release is another than the live one. The one before it goes.
   * @throws ReleaseBroken, WorkerFailed
   */
  async preview(name: string, version: string): Promise<Resident> {
    // Beside the set that is to be live, not the one it replaces.
    await this.#working;
    return await this.#previews.bring(name, version);
  }

  /** How many browsers have said that something fails in a set, as a gateway counts them. */
  takeBeacons(set: string, addresses: number): void {
    for (const resident of this.#residents.ofSet(set)) resident.beacons = Math.max(resident.beacons, addresses);
  }

  /** How many requests a set has left without an answer: each is a page view that failed. */
  takeUnanswered(set: string, requests: number): void {
    for (const resident of this.#residents.ofSet(set)) resident.addCounts({ pages: requests, errors: requests });
  }

  /** Ends all workers, a moment after the pointer streams have ended: gateways follow another supervisor by then. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      clearTimeout(this.#previous?.timer);
      this.#source.stop();
      for (const part of [this.#trials, this.#canary, this.#previews]) part.close();
      await this.#residents.close();
    })();
    return this.#closed;
  }

  /** Something may have changed. One look at a time; what changes meanwhile is looked at after it. */
  #wake(): void {
    this.#isStale = true;
    // In a step of its own: work that fails at once would have ended before it is noted here that there is any.
    this.#working ??= Promise.resolve().then(() => this.#work());
  }

  async #work(): Promise<void> {
    while (this.#isStale && !this.#closed) {
      this.#isStale = false;
      let wanted: Wanted | undefined;
      try {
        wanted = this.#source.wanted();
        await this.#bringLive(wanted.live);
        this.#refused = undefined;
      } catch (error) {
        if (this.#closed) break;
        const stillLive = this.#live?.set.id;
        this.#refused = refusal({ log: this.#options.log, what: 'release set', error, before: this.#refused, stillLive });
        this.#retryLater();
      }
      if (wanted) {
        this.#canary.bring(wanted.canary);
        this.#trials.begin(wanted.candidate);
      }
      this.#retireUnused();
    }
    // In the same step in which nothing was stale: whoever calls after it begins anew.
    this.#working = undefined;
  }

  /** Once, however often it fails meanwhile. */
  #retryLater(): void {
    this.#retry ??= this.#later(() => {
      this.#retry = undefined;
      this.#wake();
    });
  }

  #later(work: () => void): NodeJS.Timeout {
    return setTimeout(() => this.#closed || work(), this.#live ? retryBesideLiveMs : retryMs).unref();
  }

  /** The source has kept what is live. */
  #isKept = false;

  async #bringLive({ mfes, activation }: WantedSet): Promise<void> {
    await this.#trials.warm(mfes);
    const resident = await this.#startLive(mfes);
    if (this.#closed) return;
    if (resident === this.#live) {
      if (resident.activation === activation && this.#isKept) return;
    } else this.#swap(resident);
    resident.countFor(activation);
    this.#isKept = false;
    this.#source.serves({ mfes, activation });
    this.#isKept = true;
  }

  /**
   * Starts workers for what should be live. Where nothing is live that could serve on, releases that are broken are left out.
   * @returns the live one where nothing changes
   */
  async #startLive(mfes: Record<string, string>): Promise<Resident> {
    const { log } = this.#options;
    const broken = new Map(this.#unusable);
    for (;;) {
      try {
        const resident = await this.#residentOf(mfes, this.#workers, { broken });
        await this.#trials.pass(resident);
        for (const key of this.#leftOut.keys()) if (!broken.has(key)) this.#leftOut.delete(key);
        return resident;
      } catch (error) {
        const release = brokenRelease(error);
        if (!release || this.#closed) throw error;
        const key = `${release.mfe}@${release.version}`;
        // One that is broken must not keep the others from a start, nor, once left out, from a swap.
        if (broken.has(key) || (this.#live && !this.#live.broken.has(key))) throw release;
        broken.set(key, release.message);
        if (this.#leftOut.get(key) !== release.message)
          log.error({ mfe: release.mfe, version: release.version, err: release }, 'release is broken, left out');
        this.#leftOut.set(key, release.message);
      }
    }
  }

  async #startCandidate({ mfes, name, version, asCanary }: Candidate): Promise<Resident> {
    const unusable = this.#unusable.get(`${name}@${version}`);
    if (unusable !== undefined) throw new Error(unusable);
    return await this.#residentOf(mfes, asCanary ? 1 : this.#workers, { candidate: name });
  }

  async #startPreview(name: string, version: string): Promise<Resident> {
    const { live } = this.#source.wanted();
    return await this.#residentOf({ ...live.mfes, [name]: version }, 1, { candidate: name });
  }

  /** Workers of a set, whose releases are got first; what is left out need not be there. */
  async #residentOf(
    mfes: Record<string, string>,
    workers: number,
    {
      broken = this.#live?.broken ?? new Map<string, string>(),
      candidate,
    }: { broken?: ReadonlyMap<string, string>; candidate?: string } = {},
  ): Promise<Resident> {
    const needed = Object.entries(mfes).filter(([name, version]) => !broken.has(`${name}@${version}`));
    await this.#source.provide(Object.fromEntries(needed), candidate);
    return await this.#residents.get(mfes, workers, broken);
  }

  #swap(resident: Resident): void {
    const { PREVIOUS_SET_MS, NODE_ENV, log } = this.#options;
    const old = this.#live;
    this.#live = resident;
    this.#liveSince = new Date().toISOString();
    resident.tried = true;
    clearTimeout(this.#previous?.timer);
    this.#previous = undefined;
    this.#canary.wentLive(resident);
    if (old) {
      old.countFor(null);
      // In development every save makes a set: keeping them warm would only use memory.
      const keepMs = NODE_ENV === 'development' ? 0 : PREVIOUS_SET_MS;
      const expire = () => {
        this.#previous = undefined;
        this.#pointerMoved();
      };
      this.#previous = { resident: old, timer: setTimeout(expire, keepMs) };
      setTimeout(() => {
        if (this.#previous?.resident === old && this.#trials.resident !== old) old.pool.shrink(1);
      }, handOverMs);
    }
    log.info({ set: resident.set.id, port: resident.port, previous: old?.set.id }, 'release set live');
    this.emit('pointer');
    if (NODE_ENV === 'development') old?.pool.send('replaced');
  }

  #pointerMoved(): void {
    this.emit('pointer');
    this.#wake();
  }

  #serving(): Resident[] {
    const residents = [this.#live, this.#previous?.resident, this.#canary.serving?.resident, this.#previews.serving?.resident];
    return residents.filter((resident) => resident !== undefined);
  }

  #retireUnused(): void {
    this.#residents.retireAllBut(new Set([...this.#serving(), this.#canary.tried, this.#trials.resident]));
    const pointer = JSON.stringify(this.pointer());
    if (pointer !== this.#told) this.emit('pointer');
    this.#told = pointer;
  }

  #reportCounts(): void {
    const counts = [this.#live, this.#canary.serving?.resident].flatMap((resident) => {
      if (!resident?.activation) return [];
      const { pages, errors } = resident.takeCounts();
      return pages > 0 || resident.beacons > 0 ? [{ of: resident.activation, pages, errors, beacons: resident.beacons }] : [];
    });
    if (counts.length > 0) this.#source.count(counts);
  }
}
