import { isDeepStrictEqual } from 'node:util';
import type { Log } from '@colonnade/service/log';
import type { Trials } from '../trial/trials.ts';
import { type Refusal, refusal } from './refusal.ts';
import type { Wanted } from './releases/release-source.ts';
import type { Resident } from './resident.ts';

interface CanaryOptions {
  log: Log;
  trials: Trials;
  live(): Resident | undefined;
  /** Workers of a set. @throws ReleaseBroken, WorkerFailed */
  start(mfes: Record<string, string>): Promise<Resident>;
  /** Tries again, some time later. */
  later(work: () => void): void;
  /** It can serve, or cannot. */
  changed(): void;
}

/** On its way, beside everything else: its workers start and are tried. */
interface Attempt {
  mfes: Record<string, string>;
  /** What it is tried against. */
  live: Resident | undefined;
  resident?: Resident;
  passed?: boolean;
  refused?: Refusal;
}

/** The set that some visitors get. */
export class Canary {
  readonly #options: CanaryOptions;
  #serving: { resident: Resident; percent: number } | undefined;
  #attempt: Attempt | undefined;
  #closed = false;

  constructor(options: CanaryOptions) {
    this.#options = options;
  }

  /** What serves, and to how many visitors of a hundred. */
  get serving(): { resident: Resident; percent: number } | undefined {
    return this.#serving;
  }

  /** What is being tried, or has passed. */
  get tried(): Resident | undefined {
    return this.#attempt?.resident;
  }

  get refused(): Refusal | undefined {
    return this.#attempt?.refused;
  }

  /** The one that serves goes at once; the one that is to serve is begun, or serves where it has passed. */
  bring(wanted: Wanted['canary']): void {
    const { log, live } = this.#options;
    const attempt = this.#attempt;
    if (this.#serving?.resident.activation !== wanted?.activation || attempt?.refused) this.#serving = undefined;
    if (!wanted) this.#attempt = undefined;
    else if (!attempt || attempt.live !== live() || !isDeepStrictEqual(attempt.mfes, wanted.mfes)) {
      this.#attempt = { mfes: wanted.mfes, live: live() };
      this.#try(this.#attempt);
    } else if (attempt.resident && attempt.passed) {
      const { resident } = attempt;
      const { percent } = wanted;
      if (resident !== this.#serving?.resident) log.info({ set: resident.set.id, percent }, 'canary serves');
      resident.countFor(wanted.activation);
      this.#serving = { resident, percent };
    }
  }

  /** It serves everybody now. */
  wentLive(resident: Resident): void {
    if (this.#serving?.resident === resident) this.#serving = undefined;
  }

  /** What fails from now on fails because its workers are ended. */
  close(): void {
    this.#closed = true;
  }

  async #try(attempt: Attempt): Promise<void> {
    const { log, trials, live, start, later, changed } = this.#options;
    try {
      await trials.warm(attempt.mfes);
      attempt.resident = await start(attempt.mfes);
      await trials.pass(attempt.resident);
      attempt.passed = true;
      attempt.refused = undefined;
    } catch (error) {
      attempt.resident = undefined;
      // Its workers end with this process, or because it was withdrawn: that is no fault of it.
      if (!this.#closed && this.#attempt === attempt) {
        attempt.refused = refusal({ log, what: 'canary', error, before: attempt.refused, stillLive: live()?.set.id });
        later(() => this.#attempt === attempt && this.#try(attempt));
      }
    }
    changed();
  }
}
