/** How many inquiries one visitor may send, counted by all instances together. */
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

/**
 * Fixed windows. Each has a key of its own, so that what is stored neither tells an address nor that two windows had the same
 * visitor. Only what is stored counts: a form with an error, or sent twice, does not.
 */
export class VisitorLimit {
  readonly #limits: Collection<LimitDocument>;
  readonly #keys: RotatingKeys;
  readonly #options: { limit: number; windowMs: number };

  constructor(db: Db, options: { limit: number; windowMs: number }) {
    this.#limits = db.collection(shapes.visitorLimits.name);
    this.#keys = new RotatingKeys(db, { purpose: 'visitor', periodMs: options.windowMs, keptPeriods: 0 });
    this.#options = options;
  }

  /**
   * Prepares to count one inquiry of this visitor; the result counts it in the transaction that stores the inquiry.
   * @throws Problem 429 from either, where the visitor has sent enough
   */
  async admit(visitor: string): Promise<(session: ClientSession) => Promise<void>> {
    const { limit, windowMs } = this.#options;
    if (limit === 0) return async () => {};
    const now = Date.now();
    const ends = (Math.floor(now / windowMs) + 1) * windowMs;
    const _id = createHmac('sha256', await this.#keys.at(now))
      .update(visitor)
      .digest('hex');
    const refused = () => tooManyInquiries(Math.max(1, Math.ceil((ends - now) / 1000)));
    // Before there is a transaction to undo: whoever goes on sending costs one read each.
    const known = await this.#limits.findOne({ _id });
    if (known !== null && known.count >= limit) throw refused();
    return async (session) => {
      const counted = await this.#limits.findOneAndUpdate(
        { _id },
        { $inc: { count: 1 }, $setOnInsert: { expiresAt: new Date(ends) } },
        { upsert: true, returnDocument: 'after', session },
      );
      if (counted !== null && counted.count > limit) throw refused();
    };
  }
}
