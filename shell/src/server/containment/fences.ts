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
  /** Milliseconds since 1970. */
  until: number;
}

interface Record {
  /** When workers died of it, the last minute's. */
  deaths: number[];
  /** What they died of. */
  requests: Set<string>;
  fence?: Fence;
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

  constructor(now: () => number = Date.now) {
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
    const record: Record = this.#records.get(key) ?? { deaths: [], requests: new Set(), lastMs: 0 };
    this.#records.set(key, record);
    if (requestId !== undefined && record.requests.has(requestId)) return undefined;
    if (requestId !== undefined) record.requests.add(requestId);
    // What was under way when the fence went up.
    if (record.fence && record.fence.until > now) return undefined;
    record.deaths = [...record.deaths.filter((at) => at > now - windowMs), now];
    if (!record.fence && record.deaths.length < deathsUntilFence) return undefined;
    record.lastMs = record.fence ? Math.min(record.lastMs * 2, longestMs) : firstMs;
    record.fence = { mfe, version, part, until: now + record.lastMs };
    return record.fence;
  }

  /** The fences that are up. */
  active(): Fence[] {
    const now = this.#now();
    return [...this.#records.values()].flatMap(({ fence }) => (fence && fence.until > now ? [fence] : []));
  }

  /** Drops what has been quiet for a minute. */
  #forget(now: number): void {
    for (const [key, { deaths, fence }] of this.#records) {
      if (Math.max(fence?.until ?? 0, deaths.at(-1) ?? 0) <= now - windowMs) this.#records.delete(key);
    }
  }
}
