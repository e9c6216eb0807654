import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Log } from '@colonnade/service/log';
import { WorkerPool } from '@colonnade/service/worker-pool';
import * as z from 'zod';
import type { Fence } from '../containment/fences.ts';
import type { ReleaseSet } from '../release-set.ts';
import { type TrialPaths, trialPathsSchema } from '../trial/trial-paths.ts';
import type { RoutePolicy } from './route-policies.ts';

const answerMs = 5000;

/** What a worker tells its supervisor beside what every process does. */
const messageSchema = z.union([
  z.object({ fault: z.unknown() }),
  z.object({ asks: z.literal('fences') }),
  z.object({ counts: z.object({ pages: z.int(), errors: z.int() }) }),
  z.object({ trialPaths: trialPathsSchema, of: z.string() }),
]);

interface ResidentOptions {
  set: ReleaseSet;
  host: string;
  port: number;
  routes: RoutePolicy[];
  /** Why a release was left out, by `name@version`. */
  broken: Map<string, string>;
  shellDir: string;
  workers: number;
  log: Log;
  fences(): Fence[];
  /** A worker has ended, or has to, for this reason. */
  onFault(resident: Resident, report: unknown): void;
}

/** A release set with its workers. */
export class Resident {
  readonly set: ReleaseSet;
  /** Where its workers listen. */
  readonly host: string;
  readonly port: number;
  readonly routes: RoutePolicy[];
  readonly broken: Map<string, string>;
  readonly pool: WorkerPool;
  /** Its workers come up for the first time: what ends one refuses the set, and counts for no more. */
  starting = true;
  /** Its workers have been told to end: it is not to be had any more. */
  ending = false;
  /** Its pages are known to do what those of the set before did. */
  tried = false;
  /** Distinct addresses whose browsers have said that something failed. */
  beacons = 0;
  #activation: string | null = null;
  #counts = { pages: 0, errors: 0 };
  /** Who waits for the paths of its trial. */
  readonly #asked = new Map<string, (paths: TrialPaths) => void>();

  constructor({ set, host, port, routes, broken, shellDir, workers, log, fences, onFault }: ResidentOptions) {
    this.set = set;
    this.host = host;
    this.port = port;
    this.routes = routes;
    this.broken = broken;
    this.pool = new WorkerPool({
      name: `set ${set.id}`,
      exec: path.join(shellDir, 'server/worker.mjs'),
      env: () => ({
        // The code of every team runs there.
        SHELL_TOKEN: '',
        WORKER_SET: set.id,
        WORKER_MFES: JSON.stringify(set.mfes),
        WORKER_PORT: String(port),
        WORKER_WITHOUT: [...broken.keys()].join(),
        WORKER_FENCES: JSON.stringify(fences()),
      }),
      wanted: workers,
      log,
      onDeath: ({ report }) => {
        if (!this.starting) onFault(this, report);
      },
      onMessage: (said) => {
        const { data: message } = messageSchema.safeParse(said);
        if (!message) return;
        if ('fault' in message) onFault(this, message.fault);
        else if ('asks' in message) this.pool.send({ fences: fences() });
        else if ('counts' in message) this.addCounts(message.counts);
        else this.#asked.get(message.of)?.(message.trialPaths);
      },
    });
  }

  /** Starts its workers. @throws WorkerFailed */
  async start(): Promise<void> {
    await this.pool.start();
    this.starting = false;
  }

  /** Names it where page views are counted; null while they are not. */
  get activation(): string | null {
    return this.#activation;
  }

  /** What was counted before is not this one's: its trial's, or that of another time as the live set. */
  countFor(activation: string | null): void {
    if (activation !== this.#activation) this.takeCounts();
    this.#activation = activation;
  }

  addCounts({ pages, errors }: { pages: number; errors: number }): void {
    this.#counts.pages += pages;
    this.#counts.errors += errors;
  }

  /** What was counted since this was asked before. */
  takeCounts(): { pages: number; errors: number } {
    const counts = this.#counts;
    this.#counts = { pages: 0, errors: 0 };
    return counts;
  }

  /** An existing page of each route with parameters, as the releases name it. @throws Error where no worker answers */
  async trialPaths(): Promise<TrialPaths> {
    const of = randomUUID();
    const answer = Promise.withResolvers<TrialPaths>();
    const late = setTimeout(() => answer.reject(new Error(`no page to try was named within ${answerMs} ms`)), answerMs);
    this.#asked.set(of, answer.resolve);
    try {
      this.pool.send({ trialPaths: of });
      return await answer.promise;
    } finally {
      clearTimeout(late);
      this.#asked.delete(of);
    }
  }
}
