/** How many inquiries one visitor may send, and how many confirmations one address gets, counted by all instances together. */
import { createHmac } from 'node:crypto';
import type { ClientSession, Collection, Db } from 'mongodb';
import { shapes } from '../collections.ts';
import { tooManyInquiries } from '../errors.ts';
import { RotatingKeys } from './rotating-keys.ts';

interface LimitDocument {
  /** HMAC of window and address, with a key that is gone soon after the window. */
  _id: string;
  count: number;
  /** MongoDB deletes it then. */
  expiresAt: Date;
}

const dayMs = 86_400_000;

/** How many confirmations one address, in small letters, gets in a day: anybody can enter anybody's, to have it flooded by us. */
export const confirmationLimit = (db: Db) => new VisitorLimit(db, { purpose: 'recipient', limit: 3, windowMs: dayMs });

/**
 * Fixed windows. Each has a key of its own, so that what is stored neither tells an address nor that two windows had the same
 * visitor. Only what is stored counts: a form with an error, or sent twice, does not.
 */
export class VisitorLimit {
  readonly #limits: Collection<LimitDocument>;
  readonly #keys: RotatingKeys;
  readonly #options: { limit: number; windowMs: number };

  /** @param purpose what is counted, where it is not the inquiries of a visitor: it has keys of its own */
  constructor(db: Db, { purpose = 'visitor', ...options }: { purpose?: string; limit: number; windowMs: number }) {
    this.#limits = db.collection(shapes.visitorLimits.name);
    this.#keys = new RotatingKeys(db, { purpose, periodMs: options.windowMs, keptPeriods: 0 });
    this.#options = options;
  }

  /**
   * Prepares to count one inquiry of this visitor; the result counts it in the transaction that stores the inquiry.
   * @throws Problem 429 from either, where the visitor has sent enough
   */
  async admit(visitor: string): Promise<(session: ClientSession) => Promise<void>> {
    if (this.#options.limit === 0) return async () => {};
    const { now, ends, isFull, take } = await this.#window(visitor);
    const refused = () => tooManyInquiries(Math.max(1, Math.ceil((ends - now) / 1000)));
    // Before there is a transaction to undo: whoever goes on sending costs one read each.
    if (await isFull()) throw refused();
    return async (session) => {
      if (!(await take(session))) throw refused();
    };
  }

  /** The same without refusing: the result says false where there have been enough. */
  async taker(name: string): Promise<(session: ClientSession) => Promise<boolean>> {
    return (await this.#window(name)).take;
  }

  /** Begins anew: somebody who is erased leaves no count either. */
  async forget(name: string, session: ClientSession): Promise<void> {
    const { _id } = await this.#window(name);
    await this.#limits.deleteOne({ _id }, { session });
  }

  async #window(name: string) {
    const { limit, windowMs } = this.#options;
    const now = Date.now();
    const ends = (Math.floor(now / windowMs) + 1) * windowMs;
    const _id = createHmac('sha256', await this.#keys.at(now))
      .update(name)
      .digest('hex');
    const isFull = async (session?: ClientSession) => ((await this.#limits.findOne({ _id }, { session }))?.count ?? 0) >= limit;
    const take = async (session: ClientSession) => {
      // A full count is not written to: those that come after it are not in each other's way.
      if (await isFull(session)) return false;
      const counted = { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(ends) } };
      await this.#limits.updateOne({ _id }, counted, { upsert: true, session });
      return true;
    };
    return { _id, now, ends, isFull, take };
  }
}
