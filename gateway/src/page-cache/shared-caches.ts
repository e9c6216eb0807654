import type { ChosenSet, ShellSets } from '../shell-sets.ts';
import { type CachedPage, cachedPage } from './cached-page.ts';
import type { Copy } from './copies.ts';
import type { Purge } from './feed.ts';
import { everything, type Purges } from './purges.ts';

/** What is said to shared caches only. */
export const sharedFields = ['CDN-Cache-Control', 'Surrogate-Key', 'X-Accel-Expires'] as const;
export type SharedFields = [name: (typeof sharedFields)[number], value: string][];

/** Pages of which a shared cache may hold a copy; beyond that the oldest are purged. */
const maxServed = 10_000;

/** Of the copy. */
type Served = Pick<Copy, 'key' | 'set' | 'tags'>;

interface SharedCachesOptions {
  sets: Pick<ShellSets, 'choose' | 'isResident' | 'canary'>;
  purges: Pick<Purges, 'send' | 'leave'>;
}

/**
 * Lets the shared caches that the operator has put in front keep pages, and has them drop what has changed. Every worker
 * of the gateway knows what it has let them keep, so what it forgets, it purges.
 * @see docs/shared-cache.md
 */
export class SharedCaches {
  readonly #options: SharedCachesOptions;
  /** By URL, the oldest first. */
  readonly #served = new Map<string, Served>();

  constructor(options: SharedCachesOptions) {
    this.#options = options;
    // Nobody knows what a worker that was killed had let them keep.
    options.purges.send(everything, []);
  }

  /**
   * What to say with a copy, once it is known to be fresh. Nothing where the URL is not the page's own spelling: what is
   * kept under others could not be purged.
   */
  allow(url: string, page: CachedPage, { key, set, tags }: Copy, ttlS: number): SharedFields {
    const { sets, purges } = this.#options;
    if (url !== page.target || sets.canary || ttlS < 1) return [];
    const served = { key, set, tags };
    this.#served.delete(url);
    this.#served.set(url, served);
    for (const [oldest, forgotten] of this.#served) {
      if (this.#served.size <= maxServed) break;
      this.#served.delete(oldest);
      purges.send(oldest, keysOf(forgotten));
    }
    const [freshS, staleS] = [Math.floor(page.freshMs / 1000), Math.floor(page.staleMs / 1000)];
    return [
      // The whole life: `Age` is subtracted from it (RFC 9111 section 4.2).
      ['CDN-Cache-Control', `max-age=${freshS}, stale-while-revalidate=${freshS}, stale-if-error=${staleS}`],
      ['Surrogate-Key', keysOf(served).join(' ')],
      // What is left of it: nginx does not look at `Age`.
      ['X-Accel-Expires', String(ttlS)],
    ];
  }

  /** Drops what shows something that has changed, or may have. */
  purge({ covers }: Pick<Purge, 'covers'>): void {
    this.#drop(({ tags }) => covers(tags));
  }

  /** Drops what is another page in the sets of now, or is of one that is gone: it navigates within its set. All of it while a canary divides the visitors. */
  moved(): void {
    const { sets } = this.#options;
    this.#drop(({ key, set: from }, url) => {
      const set: ChosenSet | null = sets.canary ? null : sets.choose({ originalUrl: url });
      return !set || !sets.isResident(from) || cachedPage(url, set)?.key !== key;
    });
  }

  /** Nobody purges after this worker what it has let them keep. */
  leave(): Promise<void> {
    return this.#options.purges.leave(new Map([...this.#served].map(([url, served]) => [url, keysOf(served)])));
  }

  #drop(concerned: (served: Served, url: string) => boolean): void {
    for (const [url, served] of this.#served) {
      if (!concerned(served, url)) continue;
      this.#served.delete(url);
      this.#options.purges.send(url, keysOf(served));
    }
  }
}

/** What the page is about: the services' data that it shows, and, as the copy's key begins with it, the releases that take part. */
function keysOf({ key, tags }: Served): string[] {
  return [...tags, `release:${key.split(' ', 1)[0]}`];
}
