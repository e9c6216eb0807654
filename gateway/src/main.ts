/** The gateway: workers that are the only public door, and in this process the ops port. */
import { once } from 'node:events';
import path from 'node:path';
import { clusterMetrics } from '@colonnade/service/cluster-metrics';
import { createLog } from '@colonnade/service/log';
import { opsRoutes } from '@colonnade/service/ops';
import { notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { requestId } from '@colonnade/service/request';
import { serve } from '@colonnade/service/serve';
import { shuttingDown } from '@colonnade/service/shutdown';
import { WorkerPool } from '@colonnade/service/worker-pool';
import express from 'express';
import pkg from '../package.json' with { type: 'json' };
import { BeaconTally } from './beacons/beacon-tally.ts';
import { env } from './env.ts';
import { health } from './health.ts';
import { nowhere, ShellSets } from './shell-sets.ts';

const log = createLog('gateway-primary');
const workers = new WorkerPool({
  name: 'gateway',
  exec: path.join(import.meta.dirname, 'worker.ts'),
  env: () => ({}),
  wanted: env.GATEWAY_WORKERS,
  log,
  onMessage: (message) => beacons.take(message),
});
// Of its own, for `/readyz` and for beacons: this process asks the shell for no pages.
const sets = new ShellSets({
  url: env.SHELL_URL,
  log,
  upstream: () => nowhere,
});
sets.follow();
const beacons = new BeaconTally({ url: env.SHELL_URL, sets, log });
beacons.follow();

const ops = express();
ops.disable('x-powered-by');
ops.use(requestId);
ops.use(
  opsRoutes({
    name: 'gateway',
    version: pkg.version,
    checks: {
      async workers() {
        if (workers.readyCount === 0) throw new Error('no worker is ready');
      },
      async shell() {
        if (!sets.available) throw new Error('no release set is live');
      },
    },
    state: () => ({ workers: workers.readyCount }),
    registry: clusterMetrics(),
  }),
);
ops.use(
  health({
    services: {
      shell: env.SHELL_URL,
      news: env.NEWS_URL,
      inquiry: env.INQUIRY_URL,
      ...(env.REGISTRY_URL ? { registry: env.REGISTRY_URL } : {}),
    },
    version: pkg.version,
    workers: () => ({ ready: workers.readyCount, wanted: env.GATEWAY_WORKERS }),
  }),
);
ops.use(notFoundHandler, problemHandler(log));

// The workers drain while the ops port still says that they do: one after the other would take longer than the 10 s there are.
const stopped = once(shuttingDown, 'abort').then(async () => {
  sets.stop();
  beacons.stop();
  await workers.stop();
});
await serve({ app: ops, name: 'gateway-ops', host: env.OPS_HOST, port: env.OPS_PORT, log, onClose: () => stopped });
await workers.start().catch((error) => {
  // Those that had not come up were ended with all the rest.
  if (!shuttingDown.aborted) throw error;
});
