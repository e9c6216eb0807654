import type { KeyObject } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CountsReport, State } from '@colonnade/release/api';
import { RegistryClient } from '@colonnade/release/client';
import { StreamRefused } from '@colonnade/release/event-stream';
import { openKeyring } from '@colonnade/release/keyring';
import { RegistryRefused } from '@colonnade/release/registry-request';
import type { Keyring, SignedKeyring } from '@colonnade/release/schema';
import { refuseRevoked } from '@colonnade/release/verify';
import type { Log } from '@colonnade/service/log';
import { ReleaseBroken, SetRejected } from '../../release-set.ts';
import { type LastGood, readLastGood, writeLastGood } from './last-good.ts';
import type { Candidate, ReleaseSource, TrialReport, Wanted, WantedSet } from './release-source.ts';
import { ReleaseStore } from './release-store.ts';

/** A registry that is there answers in a few milliseconds. One that hangs must not keep a shell from starting. */
const firstStateMs = 2000;
const reconnectMs = 500;
const reportAttempts = 4;

interface RegistrySourceOptions {
  url: string;
  /** See `SHELL_TOKEN`. */
  token?: string | undefined;
  /** The operator's, pinned: whoever is not vouched for by it does not get code into this shell, not even the registry. */
  rootKey: KeyObject;
  dataDir: string;
  log: Log;
}

/**
 * Follows the registry. While it is away, what it said last holds; a shell that starts then begins with what was last
 * good here.
 */
export class RegistrySource implements ReleaseSource {
  readonly triesReleases = true;
  readonly #options: RegistrySourceOptions;
  readonly #client: RegistryClient;
  readonly #store: ReleaseStore;
  /** Anew with each process: the registry asks the present one for its trial. */
  readonly #shell = randomBytes(8).toString('hex');
  readonly #stopped = new AbortController();
  #state: State | undefined;
  #away: string | null = null;
  #lastGood: LastGood | null;
  /** Who has signed what lies on disk, by `name@version`. */
  readonly #keyIds = new Map<string, string>();
  #keyring: { signed: SignedKeyring; opened: Keyring } | undefined;

  constructor(options: RegistrySourceOptions) {
    this.#options = options;
    this.#client = new RegistryClient(options.url, options.token);
    this.#store = new ReleaseStore({ dataDir: options.dataDir, client: this.#client, log: options.log });
    this.#lastGood = readLastGood(options.dataDir);
    try {
      if (this.#lastGood) this.#takeKeyring(this.#lastGood.keyring);
    } catch (err) {
      options.log.error({ err }, 'the keyring on disk is refused');
      this.#lastGood = null;
    }
  }

  get away(): string | null {
    return this.#away;
  }

  async follow(changed: () => void): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.#follow(() => {
      first.resolve();
      changed();
    }, first.resolve);
    await Promise.race([first.promise, pause(firstStateMs, undefined, { ref: false })]);
  }

  wanted(): Wanted {
    const state = this.#state;
    if (!state) {
      if (!this.#lastGood) throw new SetRejected(`${this.#away ?? 'the registry has not answered yet'}, and nothing was ever live here`);
      const { live, activation } = this.#lastGood;
      return { live: { mfes: live, activation }, candidate: null, canary: null };
    }
    const { live, activation, candidate, canary } = state;
    const without = (name: string) => Object.fromEntries(Object.entries(live).filter(([each]) => each !== name));
    return {
      live: { mfes: live, activation },
      candidate: candidate && {
        mfes: candidate.version === null ? without(candidate.name) : { ...live, [candidate.name]: candidate.version },
        activation: candidate.id,
        name: candidate.name,
        version: candidate.version,
        asCanary: candidate.percent !== null,
      },
      canary: canary && { mfes: { ...live, [canary.name]: canary.version }, activation: canary.id, percent: canary.percent },
    };
  }

  async provide(mfes: Record<string, string>, candidate?: string): Promise<void> {
    await Promise.all(
      Object.entries(mfes).map(async ([name, version]) => {
        try {
          const keyring = this.#keyring?.opened;
          if (!keyring) throw new Error('there is no keyring to trust a release by');
          const verified = await this.#store.provide(name, version, keyring);
          this.#keyIds.set(`${name}@${version}`, verified.keyId);
          if (name === candidate) refuseRevoked(verified);
        } catch (error) {
          throw new ReleaseBroken(name, version, `${name}@${version}: ${(error as Error).message}`, { cause: error });
        }
      }),
    );
  }

  keyRevokedAt(name: string, version: string): string | undefined {
    const id = this.#keyIds.get(`${name}@${version}`);
    return this.#keyring?.opened.keys.find((key) => key.id === id)?.revokedAt;
  }

  serves({ mfes, activation }: WantedSet): void {
    if (!this.#keyring) return;
    this.#lastGood = {
      sequence: this.#state?.sequence ?? this.#lastGood?.sequence ?? 0,
      live: mfes,
      activation,
      keyring: this.#keyring.signed,
    };
    writeLastGood(this.#options.dataDir, this.#lastGood);
  }

  /** Until the registry has taken it, or the candidate is none any more: a shell that stays silent fails the trial for all. */
  async report({ activation }: Candidate, { reason, tookMs }: TrialReport): Promise<void> {
    const report = { candidate: activation, ok: reason === undefined, reason: reason?.slice(0, 2000), tookMs };
    for (let attempt = 1; attempt <= reportAttempts && this.#state?.candidate?.id === activation; attempt++) {
      try {
        return await this.#client.report(this.#shell, report);
      } catch (err) {
        if (err instanceof RegistryRefused) throw err;
        this.#options.log.warn({ err, candidate: activation }, 'the registry did not take the report of a trial');
        await pause(reconnectMs);
      }
    }
  }

  /** Not sent again where it fails: a count too few is harmless. */
  async count(counts: CountsReport['counts']): Promise<void> {
    if (this.#state) await this.#client.count(this.#shell, { counts }).catch(() => {});
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #follow(changed: () => void, away: () => void): Promise<void> {
    const { log, url } = this.#options;
    const { signal } = this.#stopped;
    let connected = false;
    while (!signal.aborted) {
      try {
        for await (const state of this.#client.states(this.#shell, signal)) {
          if (!connected) log.info({ sequence: state.sequence }, 'following the registry');
          connected = true;
          this.#away = null;
          await this.#take(state);
          changed();
        }
      } catch (err) {
        const reason = reasonOf(err, url);
        if (reason !== this.#away && !signal.aborted) log.warn({ err }, `${reason}: what it said last holds`);
        this.#away = reason;
        connected = false;
        away();
      }
      await pause(reconnectMs, undefined, { signal }).catch(() => {});
    }
  }

  async #take(state: State): Promise<void> {
    const { log, dataDir } = this.#options;
    if (state.keyringVersion > (this.#keyring?.opened.version ?? 0)) {
      try {
        const signed = await this.#client.keyring();
        if (signed) this.#takeKeyring(signed);
        if (this.#lastGood && this.#keyring) {
          this.#lastGood = { ...this.#lastGood, keyring: this.#keyring.signed };
          writeLastGood(dataDir, this.#lastGood);
        }
      } catch (err) {
        log.error({ err, version: state.keyringVersion }, 'keyring refused');
      }
    }
    // A registry that lost all it knew must not take the site away.
    if (state.activation === null && this.#lastGood && Object.keys(this.#lastGood.live).length > 0) {
      log.error({ sequence: state.sequence }, 'the registry knows of nothing that was ever live: what is live here stays');
      const reason =
        'the registry has lost what is live here: restore its database, or remove shell/last-good.json and start the shell anew';
      if (state.candidate)
        await this.#client.report(this.#shell, { candidate: state.candidate.id, ok: false, reason, tookMs: 0 }).catch(() => {});
      return;
    }
    this.#state = state;
  }

  /** @throws ReleaseRefused where the root key has not signed it, or it is older than the one known */
  #takeKeyring(signed: SignedKeyring): void {
    const opened = openKeyring(signed, this.#options.rootKey, this.#keyring?.opened.version ?? 0);
    this.#keyring = { signed, opened };
  }
}

function reasonOf(error: unknown, url: string): string {
  if (!(error instanceof StreamRefused)) return `the registry at ${url} does not answer`;
  const token = error.status === 401 ? ': SHELL_TOKEN is not the one that it knows' : '';
  return `the registry at ${url} answers ${error.status}${token}`;
}
