import type { UpstreamAnswer } from '../upstream.ts';
import { type Answer, answerOf } from './answer.ts';
import type { CachedPage } from './cached-page.ts';
import { type Copies, type Copy, copyOf } from './copies.ts';
import type { Feed, Purge } from './feed.ts';

/** After a failure the shell is asked for that page once in so long; until it succeeds, the copy is served at once. */
const retryMs = 1000;

/** What asking the shell came to. */
export type Filled =
  | { kind: 'copy'; copy: Copy; stored: boolean }
  /** Not a page, but an answer: a redirect, 404, 410. The copy is gone. */
  | { kind: 'answer'; answer: Answer }
  /** An answer that any copy is better than: a server error, or a page that lacks a part. */
  | { kind: 'failure'; answer: Answer }
  /** No answer. */
  | { kind: 'nothing'; error: unknown };

interface Fill {
  /** What came in meanwhile: the page may have been rendered before it. */
  purges: Purge[];
  filled: Promise<Filled>;
}

interface FillsOptions {
  copies: Copies;
  feeds: Feed[];
  now(): number;
}

/** Asks the shell for pages: once for all who want the same at the same time, whoever of them leaves. */
export class Fills {
  readonly #options: FillsOptions;
  /** By key; those that may be joined. */
  readonly #open = new Map<string, Fill>();
  readonly #all = new Set<Fill>();

  constructor(options: FillsOptions) {
    this.#options = options;
  }

  /** Joins the fill of that page, or begins it. What it returns never rejects. */
  fill(page: CachedPage, ask: () => Promise<UpstreamAnswer>): { filled: Promise<Filled>; collapsed: boolean } {
    const open = this.#open.get(page.key);
    if (open) return { filled: open.filled, collapsed: true };
    const fill: Fill = { purges: [], filled: Promise.resolve().then(() => this.#run(page, ask, fill)) };
    this.#open.set(page.key, fill);
    this.#all.add(fill);
    return { filled: fill.filled, collapsed: false };
  }

  /** Serves the copy as it is for a while: to make it anew has failed, or takes long. */
  postpone(key: string): void {
    const copy = this.#options.copies.get(key);
    if (copy) copy.retryAt = this.#options.now() + retryMs;
  }

  purge(purge: Purge): void {
    for (const fill of this.#all) fill.purges.push(purge);
    // Whoever comes from now on must not get a page that was asked for before; what it shows is not known yet.
    this.#open.clear();
  }

  async #run(page: CachedPage, ask: () => Promise<UpstreamAnswer>, fill: Fill): Promise<Filled> {
    const { copies, now } = this.#options;
    const askedAt = now();
    try {
      const given = await ask();
      const { status, headers } = given;
      // The shell says so where a slot failed: whoever comes next may get the whole page.
      if (status >= 500 || headers['x-colonnade-incomplete'] !== undefined) {
        this.postpone(page.key);
        return { kind: 'failure', answer: answerOf(given) };
      }
      // Data that says where to go instead is a 200 too, but without tags. What sets a cookie is for one visitor.
      if (status === 200 && headers['x-colonnade-tags'] !== undefined && headers['set-cookie'] === undefined)
        return this.#keep(page, given, askedAt, fill.purges);
      copies.remove({ key: page.key, askedAt });
      return { kind: 'answer', answer: answerOf(given) };
    } catch (error) {
      this.postpone(page.key);
      return { kind: 'nothing', error };
    } finally {
      this.#all.delete(fill);
      if (this.#open.get(page.key) === fill) this.#open.delete(page.key);
    }
  }

  #keep(page: CachedPage, given: UpstreamAnswer, askedAt: number, purges: Purge[]): Filled {
    const { copies, feeds } = this.#options;
    const copy = copyOf(page, given, { askedAt, feeds, copies });
    const meanwhile = purges.filter(({ covers }) => covers(copy.tags));
    copy.marked = meanwhile.length > 0;
    const stored = !meanwhile.some(({ withdrawn }) => withdrawn);
    if (stored) copies.put(copy);
    return { kind: 'copy', copy, stored };
  }
}
