/** A gateway before a shell with several release sets: its supervisor is what the test says, its workers tell who they are. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { createLog } from '@colonnade/service/log';
import { Registry } from 'prom-client';
import { onTestFinished, vi } from 'vitest';
import { beacons } from '../src/beacons/beacons.ts';
import { createPageCache } from '../src/page-cache/page-cache.ts';
import { Purges } from '../src/page-cache/purges.ts';
import { SharedCaches } from '../src/page-cache/shared-caches.ts';
import { ShellSets } from '../src/shell-sets.ts';
import { createUpstream } from '../src/upstream.ts';
import { upstreamMetrics } from '../src/upstream-metrics.ts';
import { pageViews } from '../src/visits/page-views.ts';
import { createPreviews } from '../src/visits/previews.ts';
import { visits } from '../src/visits/visits.ts';
import { door } from './door.ts';
import { listening } from './servers.ts';

export const previewKey = 'a preview key of at least 32 characters';

/** What the supervisor says; sets are on ports of their own as soon as they are named. */
interface Pointer {
  live: string | null;
  previous?: string;
  canary?: string;
  canaryPercent?: number;
  preview?: { set: string; release: string } | null;
  /** What takes part in the pages of its sets. */
  bases?: string;
}
export interface Asked {
  set: string;
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}
export interface Answered {
  status: number;
  headers: Headers;
  body: string;
  cookies: string[];
}

const kept = { freshS: 60, staleS: 600 };
const routes = ['/', '/news', '/inquiry'].map((path) => ({
  path,
  basis: `basis of ${path}`,
  cache: path === '/inquiry' ? null : kept,
  query: ['page'],
}));

export class SetsSite {
  readonly metrics = new Registry();
  /** What the workers were asked, in order. */
  readonly asked: Asked[] = [];
  /** What the supervisor was asked, in order. */
  readonly previews: unknown[] = [];
  /** How the supervisor answers `POST /previews`. */
  preview: (asked: { name: string; version: string }, res: ServerResponse) => void = (_asked, res) => void res.writeHead(404).end();
  /** Sets whose workers cut the connection. */
  readonly dead = new Set<string>();
  /** Whether the supervisor says that it was the request. */
  tellsCulprit = false;
  /** The sets of requests that got no answer. */
  readonly unanswered: string[] = [];
  /** As messages of a worker to the primary. */
  readonly beacons: unknown[] = [];
  now = 1_000_000;
  sets!: ShellSets;
  #streams = new Set<ServerResponse>();
  #pointer = '';
  #ports: Record<string, number> = {};
  #port = 0;

  async start({
    origin = 'http://site.example',
    key = previewKey as string | null,
    previewMs = 5000,
    purgeUrls = [] as string[],
  } = {}): Promise<this> {
    const log = createLog('test');
    const { url } = await listening(async (req, res) => {
      if (req.url === '/previews') {
        const asked = (await json(req)) as { name: string; version: string };
        this.previews.push(asked);
        return this.preview(asked, res);
      }
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(this.#pointer || ':\n\n');
      this.#streams.add(res);
    });
    const common = { deadlineMs: 2000, maxInFlight: 64, maxQueued: 128, metrics: upstreamMetrics(new Registry()), log };
    this.sets = new ShellSets({
      url,
      log,
      upstream: (options) => createUpstream({ ...common, ...options }),
      unanswered: (set) => this.unanswered.push(set),
      moved: () => shared?.moved(),
    });
    const { sets, metrics } = this;
    void sets.follow();
    onTestFinished(() => sets.stop());
    const purges = new Purges({ urls: purgeUrls, host: new URL(origin).host, metrics, log });
    const shared = purgeUrls.length > 0 ? new SharedCaches({ sets, purges }) : undefined;
    const cache = createPageCache({ sets, origin, maxBytes: 1e6, changes: {}, ...(shared && { shared }), metrics, log });
    const previews = createPreviews({ key: key ?? undefined, origin, sets, url, deadlineMs: previewMs });
    const count = pageViews(metrics);
    this.#port = await door((_req, res) => void res.end(), {
      origin,
      sets,
      pages: visits({ sets, pages: cache.handler, previews, https: origin.startsWith('https:'), count }),
      first: { copies: cache, count, isDivided: () => sets.canary !== null },
      beacon: beacons({ sets, tell: (message) => this.beacons.push(message), metrics, now: () => this.now }),
      preview: previews.routes,
      trustedProxies: ['loopback'],
    });
    return this;
  }

  /** Moves the pointer, and waits until the gateway has heard of it. */
  async point(pointer: Pointer): Promise<void> {
    const ids = [pointer.live, pointer.previous, pointer.canary, pointer.preview?.set].filter((id) => typeof id === 'string');
    for (const id of ids) this.#ports[id] ??= await this.#worker(id);
    const sets = Object.fromEntries(ids.map((id) => [id, this.#ports[id]]));
    const all = Object.fromEntries(
      ids.map((id) => [id, routes.map((route) => ({ ...route, basis: `${pointer.bases ?? 'basis'} ${route.path}` }))]),
    );
    this.#pointer = `data: ${JSON.stringify({ previous: null, canary: null, ...pointer, sets, routes: all })}\n\n`;
    // Heard by the last of them at once, since all come over one stream.
    const marker = `marker${++this.#markers}`;
    this.#pointer = this.#pointer.replace('"sets":{', `"sets":{"${marker}":1${ids.length > 0 ? ',' : ''}`);
    for (const stream of this.#streams) stream.write(this.#pointer);
    await vi.waitFor(() => {
      if (!this.sets.isResident(marker)) throw new Error('not heard yet');
    }, 5000);
  }
  #markers = 0;

  get gateway(): string {
    return `http://localhost:${this.#port}`;
  }

  async visit(path: string, { cookie, ...init }: RequestInit & { cookie?: string } = {}): Promise<Answered> {
    const headers = { Host: 'localhost', ...(cookie === undefined ? {} : { Cookie: cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${this.gateway}${path}`, { redirect: 'manual', ...init, headers });
    return { status: answer.status, headers: answer.headers, body: await answer.text(), cookies: answer.headers.getSetCookie() };
  }

  /** Counted page views: `live 2xx` and so on. */
  async views(): Promise<Record<string, number>> {
    const { values = [] } = (await this.metrics.getSingleMetric('page_views_total')?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [`${labels.set} ${labels.status}`, value]));
  }

  async #worker(set: string): Promise<number> {
    const { port } = await listening(async (req, res) => {
      if (this.dead.has(set)) {
        const culprit = JSON.stringify({ requestId: req.headers['x-request-id'] });
        if (this.tellsCulprit) for (const stream of this.#streams) stream.write(`event: culprit\ndata: ${culprit}\n\n`);
        return void req.socket.destroy();
      }
      const body = await text(req);
      this.asked.push({ set, line: `${req.method} ${req.url}`, headers: req.headers, body });
      const named = new URL(req.url ?? '', 'http://a').searchParams.get('_data');
      const status = named !== null && named !== set ? 409 : 200;
      const headers = {
        'X-Release-Set': set,
        'Cache-Control': req.method === 'POST' ? 'no-store' : 'no-cache',
        'X-Colonnade-Tags': 'pages',
      };
      res.writeHead(status, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }).end(`${req.method} of ${set}`);
    });
    return port;
  }
}
