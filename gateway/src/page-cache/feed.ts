import { eventStream } from '@colonnade/release/event-stream';
import type { Log } from '@colonnade/service/log';
import * as z from 'zod';

const retryMs = 250;
/** The services write a line every 3 s. */
const silenceMs = 7000;

const changeSchema = z.object({ kind: z.string(), tags: z.array(z.string()) });

/** Copies that are not to be trusted any more. */
export interface Purge {
  covers(tags: string[]): boolean;
  /** What they show was taken back: they must not be shown again, whatever fails. */
  withdrawn: boolean;
}

interface FeedOptions {
  /** The service's name. Its tags are that name, and those that begin with it and a colon: `news`, `news:2026-11-05-x`. */
  name: string;
  /** The service's stream of changes. */
  url: string;
  purge(purge: Purge): void;
  /** From now on nobody says what changes. */
  lost(covers: Purge['covers']): void;
  log: Log;
}

/** Follows one service's stream of changes and purges what they touch. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #stopped = new AbortController();
  #lastId: string | undefined;
  #current = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Whether every change until now has been heard of. While it is not, a copy with tags of this service may be old. */
  get current(): boolean {
    return this.#current;
  }

  covers(tags: string[]): boolean {
    const { name } = this.#options;
    return tags.some((tag) => tag === name || tag.startsWith(`${name}:`));
  }

  async follow(): Promise<void> {
    const { name, url, log } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        // Where the service cannot go on from that id, it says `reset`.
        const headers: Record<string, string> = this.#lastId === undefined ? {} : { 'Last-Event-ID': this.#lastId };
        for await (const event of eventStream(url, { signal, silenceMs, headers })) {
          if (event.name === 'change') this.#changed(event.data);
          else if (event.name === 'reset') this.#options.purge({ covers: (tags) => this.covers(tags), withdrawn: false });
          this.#lastId = event.id ?? this.#lastId;
          // The stream's first line is no answer yet to where it goes on from.
          if (event.id !== undefined || event.name === 'reset') this.#turn(true);
        }
      } catch (error) {
        if (!signal.aborted) log.debug({ feed: name, err: error }, 'stream of changes ended');
      }
      this.#turn(false);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #changed(data: string): void {
    const { kind, tags } = changeSchema.parse(JSON.parse(data));
    // As the shell writes them in a header.
    const touched = new Set(tags.map((tag) => encodeURI(tag)));
    // Not its own page only: lists show its title and excerpt too.
    this.#options.purge({ covers: (shown) => shown.some((tag) => touched.has(tag)), withdrawn: kind === 'unpublished' });
  }

  #turn(current: boolean): void {
    if (current === this.#current) return;
    this.#current = current;
    if (!current) this.#options.lost((tags) => this.covers(tags));
    this.#options.log.info({ feed: this.#options.name, current }, 'stream of changes');
  }
}
