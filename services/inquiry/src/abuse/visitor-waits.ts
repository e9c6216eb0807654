/** How many requests of one visitor wait at the same time, in this process. */
import { setTimeout as pause } from 'node:timers/promises';
import { tooManyInquiries } from '../errors.ts';

/** A request that waits holds one of the 64 places that a worker of the gateway has for all pages. A person has one form under way, an office a few. */
const most = 4;

export class VisitorWaits {
  readonly #waiting = new Map<string, number>();

  /**
   * Waits; whoever is no visitor (a trusted caller) as often as it likes, as with the limit.
   * @throws Problem 429 at once, where as many of this visitor are waiting as may
   */
  async wait(visitor: string | undefined, ms: number): Promise<void> {
    if (ms === 0) return;
    if (visitor === undefined) return await pause(ms);
    const before = this.#waiting.get(visitor) ?? 0;
    // In a second none of those that wait does any more.
    if (before >= most) throw tooManyInquiries(1);
    this.#waiting.set(visitor, before + 1);
    try {
      await pause(ms);
    } finally {
      const left = (this.#waiting.get(visitor) ?? 0) - 1;
      if (left > 0) this.#waiting.set(visitor, left);
      else this.#waiting.delete(visitor);
    }
  }
}
