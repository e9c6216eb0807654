/** A worker: serves exactly one release set. Forked by the supervisor, which says which. */
import path from 'node:path';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { notFoundHandler, Problem, problemHandler } from '@colonnade/service/problem';
import { requestContext } from '@colonnade/service/request';
import { serve } from '@colonnade/service/serve';
import express from 'express';
import { AggregatorRegistry } from 'prom-client';
import site from '../../content/site.md';
import { chromeOf } from '../chrome.ts';
import { devEvents } from './dev-events.ts';
import { discovery } from './discovery/discovery.ts';
import { env } from './env.ts';
import { releaseFiles } from './files.ts';
import { pages } from './pages.ts';
import { readReleaseSet, setTable } from './release-set.ts';
import { loadRemotes } from './remotes.ts';
import { createResponder } from './respond.ts';
import { serviceClients } from './service-client.ts';

const dev = env.NODE_ENV === 'development';
const shellDir = path.join(import.meta.dirname, '..');
const log = createLog('shell').child({ worker: env.WORKER_SET });
const metrics = createMetrics('shell');
// The supervisor collects these and answers for all workers: what a worker's own port serves, visitors can reach.
AggregatorRegistry.setRegistries([metrics]);
new AggregatorRegistry();

const set = readReleaseSet(env.DATA_DIR, shellDir);
if (set.id !== env.WORKER_SET) throw new Error(`asked to serve set ${env.WORKER_SET}, found ${set.id} on disk`);
const remotes = await loadRemotes(set.releases, dev);
const table = setTable(set, !dev);
const chrome = chromeOf(
  set.releases.map(({ release }) => release),
  env.SITE_ORIGIN,
);
const clients = serviceClients(env.SERVICES, env.SERVICE_DEADLINE_MS);
const responder = createResponder({
  set: set.id,
  remotes,
  site: chrome.site,
  clients,
  log,
  routeDeadlineMs: env.ROUTE_DEADLINE_MS,
  slotDeadlineMs: env.SLOT_DEADLINE_MS,
});

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(requestContext({ log, metrics }));
app.get('/_mfe/sets/:file', (req, res) => {
  if (req.params.file !== `${set.id}.json`) throw new Problem(404, 'Not found');
  res.set('Cache-Control', dev ? 'no-cache' : 'public, max-age=31536000, immutable').json(table);
});
app.use('/_mfe', releaseFiles(env.DATA_DIR), notFoundHandler);
if (dev) app.get('/_dev/events', devEvents(set));
app.use(
  discovery({
    mfes: remotes.mfes,
    site: chrome.site,
    securityContact: site.security.contact,
    context: (scope) => ({ services: clients(scope), site: chrome.site, requestId: scope.requestId }),
    log,
  }),
);
app.use(pages({ set, table, chrome, shellDir, dev, responder }));
app.use(problemHandler(log));

await serve({ app, name: 'shell', host: env.HOST, port: env.WORKER_PORT ?? 0, log });
