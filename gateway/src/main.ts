/** The gateway: the only public door, and beside it the ops port. */
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { opsRoutes } from '@colonnade/service/ops';
import { notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { serve } from '@colonnade/service/serve';
import express from 'express';
import pkg from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { env, siteOrigin } from './env.ts';
import { health } from './health.ts';
import { ShellSets } from './shell-sets.ts';

const log = createLog('gateway');
const metrics = createMetrics('gateway');
const sets = new ShellSets({ url: env.SHELL_URL, deadlineMs: env.UPSTREAM_DEADLINE_MS, log });
sets.follow();

const app = createApp({
  log,
  metrics,
  origin: siteOrigin,
  hosts: env.ALLOWED_HOSTS,
  upstreams: { news: env.NEWS_URL, inquiry: env.INQUIRY_URL },
  sets,
  deadlineMs: env.UPSTREAM_DEADLINE_MS,
  dev: env.NODE_ENV === 'development',
});

const ops = express();
ops.disable('x-powered-by');
ops.use(
  opsRoutes({
    name: 'gateway',
    version: pkg.version,
    checks: {
      async shell() {
        if (!sets.available) throw new Error('no release set is live');
      },
    },
    registry: metrics,
  }),
);
ops.use(health({ shell: env.SHELL_URL, news: env.NEWS_URL, inquiry: env.INQUIRY_URL }));
ops.use(notFoundHandler, problemHandler(log));

await serve({ app: ops, name: 'gateway-ops', host: env.OPS_HOST, port: env.OPS_PORT, log });
await serve({ app, name: 'gateway', host: env.HOST, port: env.PORT, log, onClose: async () => sets.stop() });
