/** Parts of releases that have ended workers are kept from running for a while. */

const windowMs = 60_000;
const firstMs = 60_000;
const longestMs = 3_600_000;
const deathsUntilFence = 2;

/** A route or a slot of one release. */
export interface Part {
  mfe: string;
  version: string;
  /** Route pattern or slot name. */
  part: string;
}
export interface Fence extends Part {
  /** A length, not a time: it means the same in each process, and whatever is done to the machine's clock. */
  leftMs: number;
}

interface Record extends Part {
  /** When workers died of it, the last minute's. */
  deaths: number[];
  /** What they died of. */
  requests: Set<string>;
  /** When its fence ends, or has ended; 0: it has had none. */
  fencedUntil: number;
  lastMs: number;
}

export const partKey = ({ mfe, version, part }: Part) => `${mfe}@${version} ${part}`;

/**
 * Who is fenced: at the second death in a minute for a minute; whoever ends a worker in the minute after its fence, for
 * twice as long each time, an hour at most. A release is named with its version: a mended one is free at once.
 */
export class Fences {
  readonly #now: () => number;
  readonly #records = new Map<string, Record>();

  /** @param now a clock that never goes back, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Notes that a worker died of a part.
   * @param requestId the request it was working on: one counts once, even where it has been told of before its worker died
   * @returns the fence that this has put up
   */
  died({ mfe, version, part }: Part, requestId?: string): Fence | undefined {
    const now = this.#now();
    this.#forget(now);
    const key = partKey({ mfe, version, part });
    const record: Record = this.#records.get(key) ?? { mfe, version, part, deaths: [], requests: new Set(), fencedUntil: 0, lastMs: 0 };
    this.#records.set(key, record);
    if (requestId !== undefined && record.requests.has(requestId)) return undefined;
    if (requestId !== undefined) record.requests.add(requestId);
    // What was under way when the fence went up.
    if (record.fencedUntil > now) return undefined;
    record.deaths = [...record.deaths.filter((at) => at > now - windowMs), now];
    const first = record.fencedUntil === 0;
    if (first && record.deaths.length < deathsUntilFence) return undefined;
    record.lastMs = first ? firstMs : Math.min(record.lastMs * 2, longestMs);
    record.fencedUntil = now + record.lastMs;
    return { mfe, version, part, leftMs: record.lastMs };
  }

  /** The fences that are up. */
  active(): Fence[] {
    const now = this.#now();
    return [...this.#records.values()].flatMap(({ mfe, version, part, fencedUntil }) =>
      fencedUntil > now ? [{ mfe, version, part, leftMs: fencedUntil - now }] : [],
    );
  }

  /** Drops what has been quiet for a minute. */
  #forget(now: number): void {
    for (const [key, { deaths, fencedUntil }] of this.#records) {
      if (Math.max(fencedUntil, deaths.at(-1) ?? 0) <= now - windowMs) this.#records.delete(key);
    }
  }
}
