export interface BreakerOptions {
  /** Failures in a row after which nothing is tried any more. */
  failures: number;
  /** How long nothing is tried; then one request is, and decides. */
  openMs: number;
  /** Told of each change of state. */
  changed?(state: BreakerState): void;
  now?(): number;
}
export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * A circuit breaker: after several failures in a row an upstream is left alone for a while, so that its visitors get a
 * quick answer and it gets time to recover. Then a single request probes it.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #now: () => number;
  #state: BreakerState = 'closed';
  #failures = 0;
  #openedAt = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether a request may be tried now. The one that turns an open breaker half-open is its probe. */
  allows(): boolean {
    if (this.#state === 'closed') return true;
    if (this.#state === 'half-open' || this.#now() - this.#openedAt < this.#options.openMs) return false;
    this.#become('half-open');
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#become('closed');
  }

  failed(): void {
    this.#failures++;
    if (this.#state === 'half-open' || this.#failures >= this.#options.failures) {
      this.#openedAt = this.#now();
      this.#become('open');
    }
  }

  /** The probe ended without a verdict, because its visitor left: the next request probes. */
  undecided(): void {
    if (this.#state === 'half-open') this.#become('open');
  }

  #become(state: BreakerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.changed?.(state);
  }
}
