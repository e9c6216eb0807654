import type { UpstreamAnswer } from '../upstream.ts';
import { type Answer, answerOf } from './answer.ts';
import type { CachedPage } from './cached-page.ts';
import type { Feed, Purge } from './feed.ts';

/** What a copy takes beside its bytes: objects, headers, map entries. An estimate. */
const overheadBytes = 2048;
/** No copy may take more of the budget than this. */
const largestShare = 1 / 4;
/** The rest is for pages that are new: they get their chance to be asked for again. */
const againShare = 3 / 4;

/** An answer of the shell that is kept. Times are on the cache's clock, in milliseconds. */
export interface Copy {
  readonly key: string;
  readonly answer: Answer;
  /** The release set that rendered it: a page navigates within its set. */
  readonly set: string;
  readonly tags: string[];
  /** The streams of changes that have to be heard for this copy to count as fresh. */
  readonly feeds: Feed[];
  /** When the shell was asked: what it shows may be as old as that. */
  readonly askedAt: number;
  readonly freshUntil: number;
  readonly keptUntil: number;
  /** What it shows has changed, or may have: the shell is asked before it is served again. */
  marked: boolean;
  /** After a failure to make it anew: until then it is served as it is, and nobody is asked. */
  retryAt: number | null;
}

/** Makes a copy of an answer. */
export function copyOf(page: CachedPage, given: UpstreamAnswer, about: { askedAt: number; feeds: Feed[]; copies: Copies }): Copy {
  const tags = tagsOf(given);
  const copy: Copy = {
    key: page.key,
    answer: answerOf(given, () => about.copies.resized(copy)),
    set: String(given.headers['x-release-set']),
    tags,
    feeds: about.feeds.filter((feed) => feed.covers(tags)),
    askedAt: about.askedAt,
    freshUntil: about.askedAt + page.freshMs,
    keptUntil: about.askedAt + page.staleMs,
    marked: false,
    retryAt: null,
  };
  return copy;
}

/** What of the services' data the shell says an answer shows. */
export function tagsOf({ headers }: UpstreamAnswer): string[] {
  const tags = headers['x-colonnade-tags'];
  return typeof tags === 'string' ? tags.split(' ').filter(Boolean) : [];
}

interface Entry {
  copy: Copy;
  bytes: number;
}

/**
 * The copies, bounded in bytes. Those that were asked for once go before those that were asked for again, and of each
 * the longest unused: somebody who makes up thousands of searches does not sweep out the pages that others read.
 */
export class Copies {
  readonly #maxBytes: number;
  /** Both in the order of use. */
  readonly #once = new Map<string, Entry>();
  readonly #again = new Map<string, Entry>();
  #bytes = 0;
  #againBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }
  get size(): number {
    return this.#once.size + this.#again.size;
  }

  /** The copy of a page, for somebody who asks for it: used once more, it stays longer. */
  get(key: string): Copy | undefined {
    const entry = this.#entry(key);
    if (!entry) return undefined;
    if (!this.#again.delete(key)) {
      this.#once.delete(key);
      this.#againBytes += entry.bytes;
    }
    this.#again.set(key, entry);
    this.#bound();
    return entry.copy;
  }

  /** Whether it is this copy that is kept. No use of it. */
  has(copy: Copy): boolean {
    return this.#entry(copy.key)?.copy === copy;
  }

  /** Keeps a copy in place of the one with its key, unless that is the newer one. */
  put(copy: Copy): void {
    if (this.#isNewer(copy)) return;
    const known = this.#again.has(copy.key);
    this.#drop(copy.key);
    const bytes = sizeOf(copy);
    if (bytes > this.#maxBytes * largestShare) return;
    (known ? this.#again : this.#once).set(copy.key, { copy, bytes });
    this.#bytes += bytes;
    if (known) this.#againBytes += bytes;
    this.#bound();
  }

  /** Drops what is kept of a page, unless it is newer than what is said now. */
  remove(said: Pick<Copy, 'key' | 'askedAt'>): void {
    if (!this.#isNewer(said)) this.#drop(said.key);
  }

  /** Counts a copy anew: packed variants come later than the copy. */
  resized(copy: Copy): void {
    const entry = this.#entry(copy.key);
    if (entry?.copy !== copy) return;
    const more = sizeOf(copy) - entry.bytes;
    entry.bytes += more;
    this.#bytes += more;
    if (this.#again.has(copy.key)) this.#againBytes += more;
    this.#bound();
  }

  /** Marks the copies that a purge concerns; those that show what was withdrawn go. */
  purge({ covers, withdrawn }: Purge): void {
    for (const { copy } of [...this.#once.values(), ...this.#again.values()]) {
      if (!covers(copy.tags)) continue;
      if (withdrawn) this.#drop(copy.key);
      copy.marked = true;
      copy.retryAt = null;
    }
  }

  #entry(key: string): Entry | undefined {
    return this.#again.get(key) ?? this.#once.get(key);
  }

  #isNewer({ key, askedAt }: Pick<Copy, 'key' | 'askedAt'>): boolean {
    return (this.#entry(key)?.copy.askedAt ?? Number.NEGATIVE_INFINITY) > askedAt;
  }

  #drop(key: string): void {
    const bytes = this.#entry(key)?.bytes ?? 0;
    this.#bytes -= bytes;
    if (this.#again.delete(key)) this.#againBytes -= bytes;
    else this.#once.delete(key);
  }

  #bound(): void {
    for (const [key, entry] of this.#again) {
      if (this.#againBytes <= this.#maxBytes * againShare) break;
      this.#again.delete(key);
      this.#againBytes -= entry.bytes;
      this.#once.set(key, entry);
    }
    for (const key of this.#once.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(key);
    }
  }
}

function sizeOf({ key, answer }: Copy): number {
  return answer.body.bytes + 2 * key.length + overheadBytes;
}
