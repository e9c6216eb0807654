import type { DataAnswer } from '../set-table.ts';
import { fetchAnswer } from './answer.ts';

/** Half of the time for which the gateway's copies of news are fresh. */
const keptMs = 30_000;
const mostKept = 50;

interface Kept {
  answer: Promise<DataAnswer>;
  /** When the answer came; not yet: it is under way. */
  since?: number;
}

/** What the server has answered to this document, for a while: a page that is met again, or was asked for ahead, is there at once. */
export class Answers {
  readonly #set: string;
  /** By path and query, the oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(set: string) {
    this.#set = set;
  }

  /** @throws NeedsDocument */
  get(url: URL): Promise<DataAnswer> {
    const key = url.pathname + url.search;
    const known = this.#kept.get(key);
    if (known && (known.since === undefined || performance.now() - known.since < keptMs)) return known.answer;
    const fetched = fetchAnswer(url, this.#set, null);
    const kept: Kept = { answer: fetched.then(({ answer }) => answer) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > mostKept) this.#kept.delete(oldest);
    const forget = () => this.#kept.get(key) === kept && this.#kept.delete(key);
    fetched.then(({ storable }) => {
      kept.since = performance.now();
      if (!storable) forget();
    }, forget);
    return kept.answer;
  }

  /** Sends a form. What was known before may not be so any more. @throws NeedsDocument */
  async post(url: URL, form: FormData, signal: AbortSignal): Promise<DataAnswer> {
    this.#kept.clear();
    return (await fetchAnswer(url, this.#set, form, signal)).answer;
  }
}
