import { type Encoding, pack } from './encoding.ts';

/** Below this a packed answer is hardly smaller than a plain one (it fits one packet either way). */
const worthBytes = 1024;

/** A copy that is asked for so often is worth more effort; what somebody only leafs through is not. */
const worthBestAfter = 8;
/** One at a time: it takes tens of milliseconds of a thread that packs for the first time, too. */
let packingBest = false;

interface Variant {
  body: Buffer | Promise<Buffer>;
  asked: number;
  triedBest: boolean;
}

/** The bytes of an answer: as the shell sent them, and packed, each variant made when it is first asked for, and kept. */
export class Body {
  readonly identity: Buffer;
  readonly #variants = new Map<Encoding, Variant>();
  readonly #resized: () => void;

  /** @param resized told when `bytes` has changed */
  constructor(identity: Buffer, resized: () => void) {
    this.identity = identity;
    this.#resized = resized;
  }

  get bytes(): number {
    let bytes = this.identity.length;
    for (const { body } of this.#variants.values()) if (Buffer.isBuffer(body)) bytes += body.length;
    return bytes;
  }

  /** Whether it is worth packing at all. */
  get packable(): boolean {
    return this.identity.length >= worthBytes;
  }

  /** The bytes in that encoding where they need not be waited for. */
  ready(encoding: Encoding): Buffer | null {
    const known = this.#variants.get(encoding);
    const body = known && this.in(encoding);
    return Buffer.isBuffer(body) ? body : null;
  }

  /** A promise only while the first variant is being made; nobody waits for the better one. */
  in(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#variants.get(encoding);
    if (known === undefined) {
      const variant: Variant = { body: this.#pack(encoding, 'first'), asked: 1, triedBest: false };
      this.#variants.set(encoding, variant);
      return variant.body;
    }
    // Gzip's best is no smaller.
    if (++known.asked >= worthBestAfter && encoding === 'br' && !known.triedBest && !packingBest) this.#improve(known);
    return known.body;
  }

  /** Where that fails, the first one stays. */
  #improve(variant: Variant): void {
    variant.triedBest = true;
    packingBest = true;
    this.#pack('br', 'best')
      .catch(() => {})
      .finally(() => {
        packingBest = false;
      });
  }

  async #pack(encoding: Encoding, how: 'first' | 'best'): Promise<Buffer> {
    try {
      const body = await pack(encoding, this.identity, how);
      const variant = this.#variants.get(encoding);
      if (variant) variant.body = body;
      this.#resized();
      return body;
    } catch (error) {
      if (how === 'first') this.#variants.delete(encoding);
      throw error;
    }
  }
}
