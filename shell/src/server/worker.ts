/** A worker: serves exactly one release set. Forked by the supervisor, which says which. */
import path from 'node:path';
import { tellMetrics } from '@colonnade/service/cluster-metrics';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { recordRequests, requestContext } from '@colonnade/service/request';
import { leave, serve } from '@colonnade/service/serve';
import express from 'express';
import site from '../../content/site.md';
import { chromeOf } from '../chrome.ts';
import { type DeathReport, leaveReport } from './containment/death-report.ts';
import { guardExits } from './containment/exit-guard.ts';
import { FencedParts } from './containment/fenced-parts.ts';
import type { Fence } from './containment/fences.ts';
import { createStrayHandler } from './containment/strays.ts';
import { currentWork } from './containment/work.ts';
import { devEvents } from './dev-events.ts';
import { discovery } from './discovery/discovery.ts';
import { env } from './env.ts';
import { releaseFiles } from './files.ts';
import { countPages } from './page-counts.ts';
import { pages } from './pages.ts';
import { ReleaseBroken, readReleaseSet, setTable } from './release-set.ts';
import { loadRemotes } from './remotes.ts';
import { createResponder } from './respond.ts';
import { type CallScope, serviceClients } from './service-client.ts';
import { setTableFile } from './set-table-file.ts';
import { nameTrialPaths } from './trial/trial-paths.ts';
import { startWatchdog } from './watchdog/watchdog.ts';

const dev = env.NODE_ENV === 'development';
const shellDir = path.join(import.meta.dirname, '..');
const log = createLog('shell').child({ worker: env.WORKER_SET });
const metrics = createMetrics('shell');
// The supervisor collects these and answers for all workers: what a worker's own port serves, visitors can reach.
tellMetrics(metrics);

const set = readReleaseSet(env.DATA_DIR, shellDir, env.WORKER_MFES, env.WORKER_WITHOUT);
if (set.id !== env.WORKER_SET) throw new Error(`asked to serve set ${env.WORKER_SET}, found ${set.id} on disk`);
const guard = guardExits();
if (env.WATCHDOG === 'on') startWatchdog({ releases: set.releases, memoryLimitMb: env.WORKER_MEMORY_MB, log, onGrown: beReplaced });
const fenced = new FencedParts();
fenced.set(env.WORKER_FENCES);
process.on('message', (message: { fences?: Fence[] }) => message.fences && fenced.set(message.fences));

/** A release that throws where nobody waits for it, before this worker serves: nothing is lost yet by doing without it. */
const onStrayWhileLoading = (error: unknown) => broken(currentWork(), error);
process.on('uncaughtException', onStrayWhileLoading);
const remotes = await loadRemotes(set.releases, dev).catch((error) => broken(error instanceof ReleaseBroken ? error : undefined, error));
const table = setTable(set, !dev);
const tableFile = setTableFile(table, dev);
const chrome = chromeOf([...set.releases.map(({ release }) => release), ...set.broken], env.SITE_ORIGIN);
const clients = serviceClients(env.SERVICES, env.SERVICE_DEADLINE_MS);
const context = (scope: CallScope) => ({ services: clients(scope), site: chrome.site, requestId: scope.requestId });
process.on('message', async ({ trialPaths: of }: { trialPaths?: string }) => {
  if (!of) return;
  const trialPaths = await nameTrialPaths({ routes: remotes.routes, context, deadlineMs: env.ROUTE_DEADLINE_MS });
  process.send?.({ trialPaths, of }, () => {});
});
const responder = createResponder({
  set: set.id,
  remotes,
  brokenPaths: set.broken.flatMap(({ routes }) => routes.map((route) => route.path)),
  fenced,
  site: chrome.site,
  clients,
  log,
  routeDeadlineMs: env.ROUTE_DEADLINE_MS,
  slotDeadlineMs: env.SLOT_DEADLINE_MS,
});

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(requestContext(recordRequests({ log, metrics, inner: true })));
app.use(countPages((counts) => process.send?.({ counts }, () => {})));
app.get('/_mfe/sets/:file', tableFile.send);
app.use('/_mfe', releaseFiles(env.DATA_DIR), notFoundHandler);
if (dev) app.get('/_dev/events', devEvents(set));
app.use(
  discovery({
    mfes: remotes.mfes,
    fenced,
    site: chrome.site,
    feedAuthority: site.feed.authority,
    securityContact: site.security.contact,
    context,
    log,
  }),
);
app.use(pages({ set, table, tableIntegrity: tableFile.integrity, chrome, shellDir, dev, responder }));
app.use(problemHandler(log));

const onUncaught = createStrayHandler({ log, metrics, onException: beReplaced });
process.off('uncaughtException', onStrayWhileLoading);
await guard.lifted(() => serve({ app, name: 'shell-worker', host: env.HOST, port: env.WORKER_PORT ?? 0, log, onUncaught }));
// What was fenced while this worker started.
process.send?.({ asks: 'fences' });

/** Ends this worker in order, its successor first, telling the supervisor whose doing it is. */
function beReplaced(report: DeathReport): void {
  log.error(report, 'worker has to be replaced');
  process.send?.({ fault: report });
  leave(report.reason, log);
}

/** Ends this worker before it serves, telling the supervisor which release cannot be used. */
function broken(of: { mfe: string; version: string } | undefined, error: unknown): never {
  if (!of) log.fatal({ err: error }, 'worker cannot start');
  const cause = error instanceof ReleaseBroken && error.cause instanceof Error ? error.cause : error;
  leaveReport({
    reason: 'broken',
    mfe: of?.mfe,
    version: of?.version,
    message: error instanceof Error ? error.message : String(error),
    stack: cause instanceof Error ? cause.stack : undefined,
  });
  return guard.exit(1);
}
