import { postJson } from './post-json.ts';
import { repeatedly } from './repeatedly.ts';

const tellMs = 1000;
const requestMs = 2000;

/**
 * Counts the requests that a release set left without an answer, and tells the shell's supervisor: its workers cannot count what
 * they did not live to answer, and a release is judged by that too.
 */
export class UnansweredTally {
  readonly #url: string;
  readonly #counts = new Map<string, number>();
  readonly #stopped = new AbortController();

  /** @param url base URL of the shell's supervisor */
  constructor(url: string) {
    this.#url = url;
  }

  count(set: string): void {
    this.#counts.set(set, (this.#counts.get(set) ?? 0) + 1);
  }

  /** Tells what is new, again and again until it is stopped. */
  follow(): Promise<void> {
    return repeatedly(tellMs, this.#stopped.signal, () => this.tell());
  }

  /** What is not taken is not told again: a supervisor that was away was the reason, and no release. */
  async tell(): Promise<void> {
    const told = [...this.#counts];
    this.#counts.clear();
    for (const [set, requests] of told)
      await postJson(`${this.#url}/unanswered`, { set, requests }, AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(requestMs)]));
  }

  stop(): void {
    this.#stopped.abort();
  }
}
