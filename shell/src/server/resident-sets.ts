import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { shuttingDown } from '@colonnade/service/shutdown';
import { brokenRelease } from './broken-release.ts';
import type { SetPointer } from './pointer-stream.ts';
import { ReleaseBroken } from './release-set.ts';
import type { Candidate, ReleaseSource, Wanted, WantedSet } from './releases/release-source.ts';
import type { Resident } from './resident.ts';
import { handOverMs, Residents, type ResidentsOptions } from './residents.ts';
import { Trials } from './trial/trials.ts';

/** What could not be brought live is tried again: it may have been the machine, or the network. */
const retryMs = 2000;
/** With a set that serves on there is no hurry, and each try takes a processor. */
const retryBesideLiveMs = 30_000;
/** A preview that nobody asked for in this time takes no memory any more. */
const previewMs = 30 * 60_000;
const countMs = 2000;

interface ResidentSetsOptions extends ResidentsOptions {
  source: ReleaseSource;
}

/** What was not brought, as it is told. */
interface Refusal {
  reason: string;
  at: string;
}

/** A canary on its way, beside everything else: its workers start and are tried. */
interface CanaryAttempt {
  mfes: Record<string, string>;
  /** What it is tried against. */
  live: Resident | undefined;
  resident?: Resident;
  passed?: boolean;
  refused?: Refusal;
}

/** Somebody waits for a set in which one release is another than the live one. */
interface PreviewWish {
  name: string;
  version: string;
  resolve(resident: Resident): void;
  reject(error: unknown): void;
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
  #canary: { resident: Resident; percent: number } | undefined;
  #canaryAttempt: CanaryAttempt | undefined;
  #preview: { resident: Resident; release: string; timer: NodeJS.Timeout } | undefined;
  #previewWishes: PreviewWish[] = [];
  #previewing = Promise.resolve();
  /** Why a release that did load is to be left out from now on, by `name@version`. */
  readonly #unusable = new Map<string, string>();
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
    this.#options = options;
    this.#source = options.source;
    this.#workers = options.SHELL_WORKERS ?? availableParallelism();
    this.#residents = new Residents(options);
    this.#residents.on('culprit', (requestId) => this.emit('culprit', requestId));
    this.#residents.on('unusable', ({ mfe, version, reason }) => {
      this.#unusable.set(`${mfe}@${version}`, `${mfe}@${version}: ${reason}, whatever is asked of it`);
      this.#wake();
    });
    this.#trials = new Trials({
      source: options.source,
      log: options.log,
      live: () => this.#live,
      start: (candidate) => this.#startCandidate(candidate),
      dropped: () => this.#wake(),
    });
    shuttingDown.addEventListener('abort', () => this.close());
  }

  get ready(): boolean {
    return (this.#live?.pool.readyCount ?? 0) > 0;
  }

  pointer(): SetPointer {
    const residents = [this.#live, this.#previous?.resident, this.#canary?.resident, this.#preview?.resident].filter(
      (resident) => resident !== undefined,
    );
    return {
      live: this.#live?.set.id ?? null,
      previous: this.#previous?.resident.set.id ?? null,
      canary: this.#canary?.resident.set.id ?? null,
      canaryPercent: this.#canary?.percent ?? 0,
      preview: this.#preview ? { set: this.#preview.resident.set.id, release: this.#preview.release } : null,
      sets: Object.fromEntries(residents.map(({ set, port }) => [set.id, port])),
      routes: Object.fromEntries(residents.map(({ set, routes }) => [set.id, routes])),
    };
  }

  /** For `/readyz`: what is live, since when, what was refused, and which release is broken, fenced, or signed by a key that was revoked. */
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
      refused: this.#refused ?? this.#canaryAttempt?.refused ?? null,
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
  preview(name: string, version: string): Promise<Resident> {
    const { promise, resolve, reject } = Promise.withResolvers<Resident>();
    this.#previewWishes.push({ name, version, resolve, reject });
    this.#wake();
    return promise;
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
      for (const timer of [this.#previous?.timer, this.#preview?.timer]) clearTimeout(timer);
      this.#source.stop();
      this.#trials.close();
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
        this.#refused = this.#refusal('release set', error, this.#refused);
        clearTimeout(this.#retry);
        this.#retry = this.#later(() => this.#wake());
      }
      if (wanted) {
        this.#bringCanary(wanted.canary);
        this.#trials.begin(wanted.candidate);
      }
      // Beside everything else, one after the other: it is the one asked for last that stays.
      this.#previewing = this.#previewing.then(() => this.#bringPreviews());
      this.#retireUnused();
    }
    // In the same step in which nothing was stale: whoever calls after it begins anew.
    this.#working = undefined;
  }

  #later(work: () => void): NodeJS.Timeout {
    return setTimeout(() => this.#closed || work(), this.#live ? retryBesideLiveMs : retryMs).unref();
  }

  /** Logged once, however often it is tried again and fails of the same. */
  #refusal(what: 'release set' | 'canary', error: unknown, before: Refusal | undefined): Refusal {
    const { log } = this.#options;
    const reason = (error as Error).message;
    if (reason !== before?.reason && !this.#closed)
      log.error({ ...nameOf(error), err: error, stillLive: this.#live?.set.id }, `${what} refused`);
    return { reason, at: new Date().toISOString() };
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
        return resident;
      } catch (error) {
        const release = brokenRelease(error);
        if (!release || this.#closed) throw error;
        const key = `${release.mfe}@${release.version}`;
        // One that is broken must not keep the others from a start, nor, once left out, from a swap.
        const left = this.#live?.broken.get(key);
        if (broken.has(key) || (this.#live && left === undefined)) throw release;
        broken.set(key, release.message);
        if (left !== release.message) log.error({ ...nameOf(release), err: release }, 'release is broken, left out');
      }
    }
  }

  /** The one that serves goes at once; the one that is to serve is begun, or serves where it has passed. */
  #bringCanary(wanted: Wanted['canary']): void {
    const attempt = this.#canaryAttempt;
    if (this.#canary?.resident.activation !== wanted?.activation || attempt?.refused) this.#canary = undefined;
    if (!wanted) this.#canaryAttempt = undefined;
    else if (!attempt || attempt.live !== this.#live || !isDeepStrictEqual(attempt.mfes, wanted.mfes)) {
      this.#canaryAttempt = { mfes: wanted.mfes, live: this.#live };
      this.#tryCanary(this.#canaryAttempt);
    } else if (attempt.resident && attempt.passed) {
      const { resident } = attempt;
      const { percent } = wanted;
      if (resident !== this.#canary?.resident) this.#options.log.info({ set: resident.set.id, percent }, 'canary serves');
      resident.countFor(wanted.activation);
      this.#canary = { resident, percent };
    }
  }

  async #tryCanary(attempt: CanaryAttempt): Promise<void> {
    try {
      await this.#trials.warm(attempt.mfes);
      attempt.resident = await this.#residentOf(attempt.mfes, 1);
      await this.#trials.pass(attempt.resident);
      attempt.passed = true;
      attempt.refused = undefined;
    } catch (error) {
      attempt.resident = undefined;
      // Its workers end with this process, or because it was withdrawn: that is no fault of it.
      if (this.#closed || this.#canaryAttempt !== attempt) return this.#wake();
      attempt.refused = this.#refusal('canary', error, attempt.refused);
      this.#later(() => this.#canaryAttempt === attempt && this.#tryCanary(attempt));
    }
    this.#wake();
  }

  async #startCandidate({ mfes, name, version, asCanary }: Candidate): Promise<Resident> {
    const unusable = this.#unusable.get(`${name}@${version}`);
    if (unusable !== undefined) throw new Error(unusable);
    return await this.#residentOf(mfes, asCanary ? 1 : this.#workers, { candidate: name });
  }

  async #bringPreviews(): Promise<void> {
    for (const { name, version, resolve, reject } of this.#previewWishes.splice(0)) {
      try {
        const { live } = this.#source.wanted();
        const resident = await this.#residentOf({ ...live.mfes, [name]: version }, 1, { candidate: name });
        clearTimeout(this.#preview?.timer);
        const expire = () => {
          this.#preview = undefined;
          this.#pointerMoved();
        };
        this.#preview = { resident, release: `${name}@${version}`, timer: setTimeout(expire, previewMs) };
        this.#pointerMoved();
        resolve(resident);
      } catch (error) {
        reject(brokenRelease(error) ?? error);
      }
    }
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
    if (this.#canary?.resident === resident) this.#canary = undefined;
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

  #retireUnused(): void {
    const serving = [this.#live, this.#previous?.resident, this.#canary?.resident, this.#preview?.resident];
    this.#residents.retireAllBut(new Set([...serving, this.#canaryAttempt?.resident, this.#trials.resident]));
    const pointer = JSON.stringify(this.pointer());
    if (pointer !== this.#told) this.emit('pointer');
    this.#told = pointer;
  }

  #reportCounts(): void {
    const counts = [this.#live, this.#canary?.resident].flatMap((resident) => {
      if (!resident?.activation) return [];
      const { pages, errors } = resident.takeCounts();
      return pages > 0 || resident.beacons > 0 ? [{ of: resident.activation, pages, errors, beacons: resident.beacons }] : [];
    });
    if (counts.length > 0) this.#source.count(counts);
  }
}

function nameOf(error: unknown): { mfe?: string; version?: string } {
  return error instanceof ReleaseBroken ? { mfe: error.mfe, version: error.version } : {};
}
