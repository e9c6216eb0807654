/** Secret keys that all instances share and that are gone after a while. What was keyed with them can then be tied to nobody. */
import { randomBytes } from 'node:crypto';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import { shapes } from '../collections.ts';

export interface KeyDocument {
  /** `{purpose}/{period}` */
  _id: string;
  key: string;
  /** MongoDB deletes it then. */
  expiresAt: Date;
}

export interface RotatingKeysOptions {
  purpose: string;
  /** How long a key is used for new things. */
  periodMs: number;
  /** How many periods it is kept after its own, for things that were made with it. */
  keptPeriods: number;
}

const duplicateKey = 11_000;

export class RotatingKeys {
  readonly #keys: Collection<KeyDocument>;
  readonly #options: RotatingKeysOptions;
  readonly #known = new Map<number, Buffer>();

  constructor(db: Db, options: RotatingKeysOptions) {
    this.#keys = db.collection(shapes.keys.name);
    this.#options = options;
  }

  /** The key of the period that has this time in it; made where there is none yet. */
  async at(ms: number): Promise<Buffer> {
    const period = Math.floor(ms / this.#options.periodMs);
    const known = this.#known.get(period);
    if (known !== undefined) return known;
    const key = Buffer.from(await this.#shared(period), 'base64url');
    this.#known.set(period, key);
    // Not here either may a key outlive its time.
    for (const old of this.#known.keys()) if (old < period - this.#options.keptPeriods) this.#known.delete(old);
    return key;
  }

  /** The first instance to ask makes it; the others get the same. */
  async #shared(period: number): Promise<string> {
    const { purpose, periodMs, keptPeriods } = this.#options;
    const _id = `${purpose}/${period}`;
    const expiresAt = new Date((period + 1 + keptPeriods) * periodMs);
    const made = { key: randomBytes(32).toString('base64url'), expiresAt };
    for (;;) {
      try {
        const stored = await this.#keys.findOneAndUpdate({ _id }, { $setOnInsert: made }, { upsert: true, returnDocument: 'after' });
        if (stored !== null) return stored.key;
      } catch (error) {
        // Two made it at once: the other was first.
        if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
      }
    }
  }
}
