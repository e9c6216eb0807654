import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@colonnade/service/log';
import { brokenRelease } from '../supervisor/broken-release.ts';
import type { Candidate, ReleaseSource } from '../supervisor/releases/release-source.ts';
import type { Resident } from '../supervisor/resident.ts';
import { trial } from './trial.ts';

interface TrialsOptions {
  source: ReleaseSource;
  log: Log;
  live(): Resident | undefined;
  /** Workers of a candidate's set. @throws ReleaseBroken, WorkerFailed */
  start(candidate: Candidate): Promise<Resident>;
  /** The workers of a candidate that was dropped meanwhile have to go. */
  dropped(): void;
}

/** A candidate on its way: fetched, started, tried, reported. */
interface Attempt {
  candidate: Candidate;
  /** Resolves when its workers are up, or have not come up. */
  started: Promise<void>;
  resident?: Resident;
}

/** What is tried before it serves: candidates, one at a time, and what came about while this shell was not asked. */
export class Trials {
  readonly #options: TrialsOptions;
  #attempt: Attempt | undefined;
  #closed = false;

  constructor(options: TrialsOptions) {
    this.#options = options;
  }

  /** Of the present candidate, once its workers are up. */
  get resident(): Resident | undefined {
    return this.#attempt?.resident;
  }

  /** Where a set is what is being tried, its workers are warm, or will be in a moment. */
  async warm(mfes: Record<string, string>): Promise<void> {
    if (this.#attempt && isDeepStrictEqual(this.#attempt.candidate.mfes, mfes)) await this.#attempt.started;
  }

  /** Lets pass what was tried, and tries what was not, where there is something that could serve on. @throws where it fails */
  async pass(resident: Resident): Promise<void> {
    const { source } = this.#options;
    const live = this.#options.live();
    if (!live || resident === live || resident.tried || !source.triesReleases) return;
    const reason = await trial(resident, live);
    if (reason !== null) throw new Error(`does not serve here, as its trial failed: ${reason}`);
    resident.tried = true;
  }

  /** Beside everything else: a trial takes seconds, and what is live may have to change meanwhile. */
  begin(candidate: Candidate | null): void {
    if (candidate?.activation === this.#attempt?.candidate.activation) return;
    this.#attempt = undefined;
    if (!candidate) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#attempt = { candidate, started: promise };
    this.#try(this.#attempt, resolve).catch((err) => this.#options.log.error({ err }, 'the report of a trial was not taken'));
  }

  /** What fails from now on fails because its workers are ended. */
  close(): void {
    this.#closed = true;
  }

  async #try(attempt: Attempt, started: () => void): Promise<void> {
    const { source, log, live, start, dropped } = this.#options;
    const { candidate } = attempt;
    const begun = performance.now();
    let reason: string | null;
    try {
      const resident = await start(candidate);
      attempt.resident = resident;
      started();
      reason = await trial(resident, live());
      resident.tried = reason === null;
    } catch (error) {
      reason = (brokenRelease(error) ?? (error as Error)).message;
    } finally {
      started();
    }
    const tookMs = Math.round(performance.now() - begun);
    const about = { mfe: candidate.name, version: candidate.version, activation: candidate.activation, tookMs };
    if (this.#attempt !== attempt) dropped();
    else if (reason === null) log.info(about, 'candidate passes its trial');
    else log.error({ ...about, reason }, 'candidate fails its trial');
    if (!this.#closed) await source.report(candidate, { reason: reason ?? undefined, tookMs });
  }
}
