import type { Ending } from '@colonnade/service/ending';

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
   * @throws NoPlace at once where the queue is full, or after `waitMs`; the reason of an end that comes while waiting
   */
  async enter(ending: Ending): Promise<() => void> {
    const { max, maxQueued, waitMs } = this.#options;
    if (this.#taken < max) this.#taken++;
    else if (this.#queue.size >= maxQueued) throw full;
    else await this.#wait(waitMs, ending);
    return () => {
      const [first] = this.#queue;
      // The place goes over to the first in the queue without ever being free.
      if (first) first();
      else this.#taken--;
    };
  }

  #wait(waitMs: number, ending: Ending): Promise<void> {
    if (ending.reason) return Promise.reject(ending.reason);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        stay();
        this.#queue.delete(enter);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const timer = setTimeout(() => {
        leave();
        reject(waited);
      }, waitMs);
      const stay = ending.onEnd((reason) => {
        leave();
        reject(reason);
      });
      this.#queue.add(enter);
    });
  }
}
