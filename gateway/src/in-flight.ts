export interface InFlightOptions {
  /** Requests under way at once. */
  max: number;
  /** Requests that wait for one of them to end. */
  maxQueued: number;
  /** How long one waits. */
  waitMs: number;
}

/** There is no place, and none came free in time. */
export class NoPlace extends Error {
  override name = 'NoPlace';
  readonly reason: 'full' | 'waited';
  constructor(reason: 'full' | 'waited') {
    super(reason);
    this.reason = reason;
  }
}

/** One of each for all: under overload there are many, and where they were made says nothing. */
const full = new NoPlace('full');
const waited = new NoPlace('waited');

/** A bounded number of places and a bounded queue before them, first come, first served. */
export class InFlight {
  readonly #options: InFlightOptions;
  #taken = 0;
  /** In order of arrival: each takes over a place that was left. */
  #queue = new Set<() => void>();

  constructor(options: InFlightOptions) {
    this.#options = options;
  }

  get taken(): number {
    return this.#taken;
  }
  get queued(): number {
    return this.#queue.size;
  }

  /**
   * Resolves with a function that leaves the place, to be called once.
   * @throws NoPlace at once where the queue is full, or after `waitMs`; the signal's reason when it aborts while waiting
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    const { max, maxQueued, waitMs } = this.#options;
    if (this.#taken < max) this.#taken++;
    else if (this.#queue.size >= maxQueued) throw full;
    else await this.#wait(waitMs, signal);
    return () => {
      const [first] = this.#queue;
      // The place goes over to the first in the queue without ever being free.
      if (first) first();
      else this.#taken--;
    };
  }

  #wait(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        this.#queue.delete(enter);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const give = () => {
        leave();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        leave();
        reject(waited);
      }, waitMs);
      signal.addEventListener('abort', give);
      this.#queue.add(enter);
    });
  }
}
