import http from 'node:http';
import https from 'node:https';
import { isIPv4 } from 'node:net';
import type { Log } from '@colonnade/service/log';
import { Counter, type Registry } from 'prom-client';
import type { Encoding } from './encoding.ts';

/** All that a shared cache holds of this site; not every one understands it. */
export const everything = '/*';

/** A shared cache keeps one variant of a page for each of these. */
const encodings: (Encoding | 'identity')[] = ['br', 'gzip', 'identity'];
/** An answer that was on its way here while its page was purged is stored by then, and purged too. */
const againMs = 1000;
const timeoutMs = 1000;
const retryMs = { first: 100, most: 5000 };
const maxAtOnce = 8;
/** More pages than this, which a cache that is away for long may leave, are purged with everything else. */
const maxWaiting = 20_000;
/** Nobody ends later because a shared cache does not answer. */
const leaveMs = 3000;
/** Not in the cache: nginx says 412. */
const done = (status: number) => (status >= 200 && status < 300) || status === 404 || status === 412;

export interface PurgesOptions {
  /** Base URLs of the shared caches. */
  urls: string[];
  /** The site's, as visitors call it. */
  host: string;
  metrics: Registry;
  log: Log;
}

interface Job {
  keys: string[];
  /** Done once: once more, and it is over. */
  again: boolean;
}

/** Tells shared caches which pages to drop, each until it has done so; nobody waits for it. */
export class Purges {
  readonly #caches: OneCache[];

  constructor({ urls, ...options }: PurgesOptions) {
    const purges = new Counter({
      name: 'shared_cache_purges_total',
      help: 'Requests to shared caches to drop a page, by what came of them.',
      labelNames: ['result'] as const,
      registers: [options.metrics],
    });
    for (const result of ['done', 'failed'] as const) purges.inc({ result }, 0);
    this.#caches = urls.map((url) => new OneCache(url, options, (result) => purges.inc({ result })));
  }

  /** @param keys what the page is about, as it was said with the page */
  send(path: string, keys: string[]): void {
    for (const cache of this.#caches) cache.send(path, keys);
  }

  /** Tries once to have these dropped, and what waits, and gives up the rest. */
  async leave(pages: ReadonlyMap<string, string[]>): Promise<void> {
    await Promise.all(this.#caches.map((cache) => cache.leave(pages)));
  }
}

class OneCache {
  readonly #url: string;
  readonly #options: Omit<PurgesOptions, 'urls'>;
  readonly #count: (result: 'done' | 'failed') => void;
  readonly #connections: ReturnType<typeof connectionsTo>;
  /** By path, until they are over. */
  readonly #jobs = new Map<string, Job>();
  /** Those that the next lane may take, the longest waiting first. */
  readonly #ready = new Map<string, Job>();
  /** Those that it takes where there is none of the others: they may fail for ever. */
  readonly #failed = new Map<string, Job>();
  #lanes = 0;
  #failing = false;

  constructor(url: string, options: Omit<PurgesOptions, 'urls'>, count: (result: 'done' | 'failed') => void) {
    this.#url = url;
    this.#connections = connectionsTo(url);
    this.#options = options;
    this.#count = count;
  }

  send(path: string, keys: string[]): void {
    if (this.#jobs.size >= maxWaiting && !this.#jobs.has(path)) {
      this.#forget();
      path = everything;
      keys = [];
    }
    // A job that is under way may have come too early for this one.
    const job = { keys, again: false };
    this.#jobs.set(path, job);
    this.#offer(path, job);
  }

  async leave(pages: ReadonlyMap<string, string[]>): Promise<void> {
    const waiting = [...this.#jobs].map(([path, { keys }]) => [path, keys] as const);
    this.#forget();
    // First what may be all that is needed: there may be more pages than there is time for.
    const rest = new Map([[everything, []], ...waiting, ...pages]).entries();
    const until = performance.now() + leaveMs;
    const lane = async () => {
      for (const [path, keys] of rest) {
        if (performance.now() > until) return;
        await this.#purge(path, keys).catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: maxAtOnce }, lane));
    this.#connections.agent.destroy();
  }

  #offer(path: string, job: Job): void {
    // Meanwhile there may be another one for the page, or everything is purged.
    if (this.#jobs.get(path) !== job) return;
    this.#failed.delete(path);
    this.#ready.set(path, job);
    if (this.#lanes < maxAtOnce) void this.#work();
  }

  /**
   * A lane carries one job after the other while there are any. After a failure it rests: a cache that is away is asked by
   * eight in so long, however many wait. What has failed comes after all others, which need not fail.
   */
  async #work(): Promise<void> {
    this.#lanes++;
    let restMs = retryMs.first;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [path, job] = next;
      if (await this.#told(path, job)) {
        restMs = retryMs.first;
        this.#done(path, job);
      } else {
        await pause(restMs);
        restMs = Math.min(retryMs.most, restMs * 2);
        // Not offered: another lane would take it with no rest behind it.
        if (this.#jobs.get(path) === job) this.#failed.set(path, job);
      }
    }
    this.#lanes--;
  }

  #next(): [path: string, job: Job] | undefined {
    const waiting = this.#ready.size > 0 ? this.#ready : this.#failed;
    const [next] = waiting;
    if (next) waiting.delete(next[0]);
    return next;
  }

  #forget(): void {
    for (const jobs of [this.#jobs, this.#ready, this.#failed]) jobs.clear();
  }

  #done(path: string, job: Job): void {
    if (this.#jobs.get(path) !== job) return;
    if (job.again) return void this.#jobs.delete(path);
    job.again = true;
    setTimeout(() => this.#offer(path, job), againMs).unref();
  }

  async #told(path: string, job: Job): Promise<boolean> {
    try {
      await this.#purge(path, job.keys);
      this.#count('done');
      this.#turn(false);
      return true;
    } catch (error) {
      this.#count('failed');
      this.#turn(true, error);
      return false;
    }
  }

  /** @throws where a variant may still be there */
  async #purge(path: string, keys: string[]): Promise<void> {
    await Promise.all(encodings.map((encoding) => this.#ask(path, keys, encoding)));
  }

  #ask(path: string, keys: string[], encoding: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { request, agent } = this.#connections;
      const headers = {
        Host: this.#options.host,
        'Accept-Encoding': encoding,
        ...(keys.length > 0 && { 'Surrogate-Key': keys.join(' ') }),
      };
      request(this.#url + path, { method: 'PURGE', agent, headers, signal: AbortSignal.timeout(timeoutMs) })
        .on('error', reject)
        .on('response', (answer) => {
          answer.resume();
          answer.on('error', reject);
          answer.on('close', () => reject(new Error('the answer broke off')));
          const status = answer.statusCode ?? 0;
          answer.on('end', () => (done(status) ? resolve() : reject(new Error(`answers ${status}`))));
        })
        .end();
    });
  }

  #turn(failing: boolean, err?: unknown): void {
    if (failing === this.#failing) return;
    this.#failing = failing;
    this.#options.log[failing ? 'warn' : 'info'](
      { cache: this.#url, err },
      failing ? 'shared cache is not purged' : 'shared cache is purged again',
    );
  }
}

function connectionsTo(url: string): { request: typeof http.request; agent: http.Agent } {
  const { protocol, hostname } = new URL(url);
  const kept = { keepAlive: true, maxSockets: maxAtOnce };
  if (protocol === 'http:') return { request: http.request, agent: new http.Agent(kept) };
  // The certificate is that of the URL: Node would expect one of `Host`, which is the site's. An address is no name.
  const servername = isIPv4(hostname) || hostname.startsWith('[') ? '' : hostname;
  return { request: https.request, agent: new https.Agent({ ...kept, servername }) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
