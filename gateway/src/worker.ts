/** A worker of the gateway: listens on the public port, which all workers share. */
import { tellMetrics } from '@colonnade/service/cluster-metrics';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { serve } from '@colonnade/service/serve';
import { createApp } from './app.ts';
import { beacons } from './beacons/beacons.ts';
import { changesUrls, env, siteOrigin } from './env.ts';
import { createPageCache } from './page-cache/page-cache.ts';
import { Purges } from './page-cache/purges.ts';
import { SharedCaches } from './page-cache/shared-caches.ts';
import { answerRaw } from './raw-answers.ts';
import { ShellSets } from './shell-sets.ts';
import { UnansweredTally } from './unanswered-tally.ts';
import { createUpstream, type UpstreamOptions } from './upstream.ts';
import { upstreamMetrics } from './upstream-metrics.ts';
import { pageViews } from './visits/page-views.ts';
import { createPreviews } from './visits/previews.ts';
import { visits } from './visits/visits.ts';

/** For a preview's workers to come up; somebody waits for them with a page half open. */
const previewMs = 8000;

const log = createLog('gateway');
const metrics = createMetrics('gateway');
// The primary collects these and answers for all workers.
tellMetrics(metrics);

const common = {
  deadlineMs: env.UPSTREAM_DEADLINE_MS,
  maxInFlight: env.UPSTREAM_MAX_IN_FLIGHT,
  maxQueued: env.UPSTREAM_MAX_QUEUED,
  metrics: upstreamMetrics(metrics),
  log,
};
const upstream = (options: Pick<UpstreamOptions, 'name' | 'target' | 'wasCulprit' | 'unanswered'>) =>
  createUpstream({ ...common, ...options });

const tally = new UnansweredTally(env.SHELL_URL);
tally.follow();
const unanswered = (set: string) => tally.count(set);
const sets = new ShellSets({ url: env.SHELL_URL, log, upstream, unanswered, moved: () => shared?.moved() });
sets.follow();
const dev = env.NODE_ENV === 'development';
// In development what is kept is what was changed a moment ago.
const caching = env.PAGE_CACHE === 'on' && !dev;
const purges = new Purges({ urls: env.PURGE_URLS, host: new URL(siteOrigin).host, metrics, log });
const shared = caching && env.PURGE_URLS.length > 0 ? new SharedCaches({ sets, purges }) : undefined;
const pageCache = caching
  ? createPageCache({
      sets,
      origin: siteOrigin,
      maxBytes: env.PAGE_CACHE_MB * 1_000_000,
      changes: changesUrls,
      ...(shared && { shared }),
      metrics,
      log,
    })
  : undefined;
pageCache?.follow();
const previews = createPreviews({ key: env.PREVIEW_KEY, origin: siteOrigin, sets, url: env.SHELL_URL, deadlineMs: previewMs });

const count = pageViews(metrics);
const app = createApp({
  log,
  metrics,
  origin: siteOrigin,
  hosts: env.ALLOWED_HOSTS,
  trustedProxies: env.TRUSTED_PROXIES,
  floodPerMinute: env.FLOOD_LIMIT,
  services: {
    news: upstream({ name: 'news', target: env.NEWS_URL }),
    inquiry: upstream({ name: 'inquiry', target: env.INQUIRY_URL }),
  },
  sets,
  pages: visits({ sets, pages: pageCache?.handler ?? sets.forPage, previews, https: siteOrigin.startsWith('https:'), count }),
  ...(pageCache && { first: { copies: pageCache, count, isDivided: () => sets.canary !== null } }),
  beacon: beacons({ sets, tell: (message) => process.send?.(message, () => {}), metrics }),
  preview: previews.routes,
  dev,
});
const onClose = async () => {
  pageCache?.stop();
  tally.stop();
  sets.stop();
  await shared?.leave();
};
const { server } = await serve({ app, name: 'gateway', host: env.HOST, port: env.PORT, log, onClose });
answerRaw(server, siteOrigin);
