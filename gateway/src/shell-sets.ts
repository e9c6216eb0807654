import { eventStream } from '@colonnade/release/event-stream';
import type { Log } from '@colonnade/service/log';
import { Problem } from '@colonnade/service/problem';
import type { Request, RequestHandler } from 'express';
import * as z from 'zod';
import { dataSetOf } from './data-request.ts';
import type { createUpstream, Upstream } from './upstream.ts';

const routePolicySchema = z.object({
  /** Pattern: `/news/:newsId`. */
  path: z.string(),
  /** Over everything of the release set that takes part in the route's page: the same in two sets, the same page. */
  basis: z.string(),
  cache: z.object({ freshS: z.number(), staleS: z.number() }).nullable(),
  /** The query keys that the page depends on, in the order of a canonical URL. */
  query: z.array(z.string()).transform((keys) => keys.sort()),
});
/** What a page cache has to know of a route. It is said by the route's release. */
export type RoutePolicy = z.infer<typeof routePolicySchema>;

/** What the shell's supervisor streams: which sets are resident, and the port and the routes of each, most specific first. */
const pointerSchema = z.object({
  live: z.string().nullable(),
  previous: z.string().nullable(),
  canary: z.string().nullable(),
  sets: z.record(z.string(), z.number()),
  routes: z.record(z.string(), z.array(routePolicySchema)),
  /** Of the visitors, that get the canary. A supervisor that says nothing of these two has neither. */
  canaryPercent: z.number().catch(0),
  preview: z.object({ set: z.string(), release: z.string() }).nullable().catch(null),
});
type Pointer = z.infer<typeof pointerSchema>;
const culpritSchema = z.object({ requestId: z.string() });

const retryMs = 250;
/** A shell that starts beside this gateway takes seconds; one that is away keeps nobody waiting longer than this, from the gateway's start on. */
const firstWordMs = 10_000;
/** The supervisor writes a line every 5 s. */
const silenceMs = 12_000;
/** Longer than the deadline of any request that could be tried again. */
const culpritMs = 10_000;

interface ShellSetsOptions {
  /** Base URL of the shell's supervisor. */
  url: string;
  log: Log;
  /** Makes the upstream of one set. */
  upstream(options: Pick<Parameters<typeof createUpstream>[0], 'name' | 'target' | 'wasCulprit' | 'unanswered'>): Upstream;
  /** Told after the pointer has moved. */
  moved?(): void;
  /** Told of each request that a set has left without an answer. */
  unanswered?(set: string): void;
}

/** A release set as a page request meets it. */
export interface ChosenSet {
  id: string;
  upstream: Upstream;
  routes: RoutePolicy[];
}
interface ResidentSet extends ChosenSet {
  port: number;
}

/** What a resident set is there for. */
export const setKinds = ['live', 'canary', 'previous', 'preview'] as const;
export type SetKind = (typeof setKinds)[number];

/** Follows the shell's resident release sets and chooses for each request the set it belongs to. */
export class ShellSets {
  readonly #options: ShellSetsOptions;
  #resident = new Map<string, ResidentSet>();
  #live: string | null = null;
  #beside: Pick<Pointer, 'canary' | 'canaryPercent' | 'previous' | 'preview'> | null = null;
  /** Of the set that was live last: copies of its pages can be found while no set is. */
  #last: ChosenSet | null = null;
  /** When each is forgotten, by request id. */
  #culprits = new Map<string, number>();
  #stopped = new AbortController();
  /** Of the supervisor, be it that nothing is live. */
  readonly #firstWord = Promise.withResolvers<void>();

  constructor(options: ShellSetsOptions) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#live !== null;
  }

  /** Whether a set can be asked for data: a page of one that cannot is not a good page to begin with. */
  isResident(id: string): boolean {
    return this.#resident.has(id);
  }

  /** The set on trial with some of the visitors. */
  get canary(): { set: ChosenSet; percent: number } | null {
    const { canary = null, canaryPercent: percent = 0 } = this.#beside ?? {};
    const set = this.#resident.get(canary ?? '');
    return set && percent > 0 ? { set, percent } : null;
  }

  /** The set in which this release (`name@version`) can be seen before it is live, while it is resident. */
  preview(release: string): ChosenSet | null {
    const preview = this.#beside?.preview;
    return (preview?.release === release && this.#resident.get(preview.set)) || null;
  }

  /** Everybody may see what is not there for a preview alone. */
  kindOf(id: string): SetKind {
    if (id === this.#live) return 'live';
    if (id === this.#beside?.canary) return 'canary';
    if (id === this.#beside?.preview?.set && id !== this.#beside.previous) return 'preview';
    return 'previous';
  }

  /** Keeps the last pointer while the supervisor is away: its workers may well serve on. */
  async follow(): Promise<void> {
    const { url, log } = this.#options;
    const { signal } = this.#stopped;
    setTimeout(this.#firstWord.resolve, firstWordMs).unref();
    while (!signal.aborted) {
      try {
        for await (const { name, data } of eventStream(`${url}/sets`, { signal, silenceMs })) {
          if (name === 'culprit') this.#culprit(culpritSchema.parse(JSON.parse(data)).requestId);
          else if (data !== '') this.#moved(pointerSchema.parse(JSON.parse(data)));
        }
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'set stream ended');
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  stop(): void {
    this.#stopped.abort();
    this.#firstWord.resolve();
  }

  /** Goes before whatever depends on which sets there are: who comes before the supervisor's first word waits for it. */
  readonly known: RequestHandler = async (_req, _res, next) => {
    await this.#firstWord.promise;
    next();
  };

  /** To the live set. */
  readonly live: RequestHandler = (req, res, next) => (this.#resident.get(this.#live ?? '')?.upstream ?? nowhere).proxy(req, res, next);

  /** To the set that a data request or a set table names, while that is resident; documents always come from the live one. */
  readonly forPage: RequestHandler = (req, res, next) => (this.choose(req)?.upstream ?? nowhere).page(req, res, next);

  /** The same for a file of a release. */
  readonly forFile: RequestHandler = (req, res, next) => (this.choose(req)?.upstream ?? nowhere).proxy(req, res, next);

  /** The set that `forPage` and `forFile` take. With none live, the one that was: it can be asked nothing, but there may be copies of its pages. */
  choose({ originalUrl }: Pick<Request, 'originalUrl'>): ChosenSet | null {
    const named = nameIn(originalUrl);
    return (named === null ? undefined : this.#resident.get(named)) ?? this.#resident.get(this.#live ?? '') ?? this.#last;
  }

  #moved({ live, sets, routes, ...beside }: Pointer): void {
    const { url, log, upstream, unanswered } = this.#options;
    for (const [id, port] of Object.entries(sets)) {
      const target = new URL(url);
      target.port = String(port);
      const known = this.#resident.get(id);
      // A supervisor that was started anew has its sets at other ports.
      if (known && known.port !== port) known.upstream.moveTo(target.origin);
      const wasCulprit = (requestId: string) => this.#wasCulprit(requestId);
      this.#resident.set(id, {
        id,
        port,
        routes: routes[id] ?? [],
        upstream:
          known?.upstream ?? upstream({ name: `shell ${id}`, target: target.origin, wasCulprit, unanswered: () => unanswered?.(id) }),
      });
    }
    for (const [id, gone] of this.#resident) {
      if (id in sets) continue;
      this.#resident.delete(id);
      gone.upstream.forget();
    }
    if (live !== this.#live) log.info({ live, sets: Object.keys(sets) }, 'release set moved');
    this.#live = live;
    this.#beside = beside;
    const set = this.#resident.get(live ?? '');
    if (set) this.#last = { id: set.id, routes: set.routes, upstream: nowhere };
    this.#firstWord.resolve();
    this.#options.moved?.();
  }

  #culprit(requestId: string): void {
    const now = performance.now();
    for (const [id, until] of this.#culprits) if (until < now) this.#culprits.delete(id);
    this.#culprits.set(requestId, now + culpritMs);
  }

  /** Whether a worker was killed because of that request: it must not meet another one. */
  #wasCulprit(requestId: string): boolean {
    return (this.#culprits.get(requestId) ?? 0) > performance.now();
  }
}

function nameIn(originalUrl: string): string | null {
  return /^\/_mfe\/sets\/(\w+)\.json(?:\?|$)/.exec(originalUrl)?.[1] ?? dataSetOf(originalUrl);
}

function noSet(): Problem {
  return new Problem(503, 'Service unavailable', { headers: { 'Retry-After': '5' } });
}
const nobody: RequestHandler = (_req, _res, next) => next(noSet());
/** For whoever has nobody to ask. */
export const nowhere: Upstream = { proxy: nobody, page: nobody, fetch: async () => Promise.reject(noSet()), moveTo() {}, forget() {} };
