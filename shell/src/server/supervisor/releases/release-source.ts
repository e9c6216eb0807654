import type { CountsReport } from '@colonnade/release/api';

/** A set that is to have workers. */
export interface WantedSet {
  /** The version of each microfrontend. */
  mfes: Record<string, string>;
  /** The activation that made it: names the set where its page views are counted. Null: nobody counts. */
  activation: string | null;
}

/** The live set with one release replaced or taken away, to be tried before it serves anybody. */
export interface Candidate extends WantedSet {
  activation: string;
  /** The release that is tried. Its version is null where it is taken away. */
  name: string;
  version: string | null;
  /** Some visitors are to get it, not all. */
  asCanary: boolean;
}

/** What the shell is to serve. */
export interface Wanted {
  live: WantedSet;
  candidate: Candidate | null;
  canary: (WantedSet & { activation: string; percent: number }) | null;
}

/** How the trial of a candidate went. */
export interface TrialReport {
  /** Why it must not go live; undefined: it may. */
  reason: string | undefined;
  tookMs: number;
}

/** Where the shell learns what to serve, and where releases come from. */
export interface ReleaseSource {
  /** A set that was not tried as a candidate is tried before it replaces one that serves. */
  readonly triesReleases: boolean;
  /** Why it does not hear what to serve; null while it does. */
  readonly away: string | null;
  /** Resolves when it is known what to serve, or that it will not be soon; `changed` is called on every change from then on. */
  follow(changed: () => void): Promise<void>;
  /** @throws SetRejected where that is not known */
  wanted(): Wanted;
  /**
   * Puts the releases of a set on disk, verified.
   * @param candidate the one that is new: a key that was revoked meanwhile must not bring it in
   * @throws ReleaseBroken
   */
  provide(mfes: Record<string, string>, candidate?: string): Promise<void>;
  /** Since when the key of a release on disk is no longer trusted. It stays live; somebody should know. */
  keyRevokedAt(name: string, version: string): string | undefined;
  /** This set serves now: what to begin with where nobody says what to serve. @throws where that cannot be kept */
  serves(set: WantedSet): void;
  report(candidate: Candidate, report: TrialReport): Promise<void>;
  count(counts: CountsReport['counts']): Promise<void>;
  stop(): void;
}
