/** The shell's supervisor: keeps the release sets that should be served by worker processes, and tells the gateways where. */
import path from 'node:path';
import { clusterMetrics } from '@colonnade/service/cluster-metrics';
import { createLog } from '@colonnade/service/log';
import { opsRoutes } from '@colonnade/service/ops';
import { notFoundHandler, problemHandler } from '@colonnade/service/problem';
import { requestId } from '@colonnade/service/request';
import { serve } from '@colonnade/service/serve';
import express from 'express';
import { env, forgetOtherVariables } from './env.ts';
import { gatewayRoutes } from './supervisor/gateway-routes.ts';
import { pointerStream } from './supervisor/pointer-stream.ts';
import { releaseSource } from './supervisor/releases/source.ts';
import { ResidentSets } from './supervisor/resident-sets.ts';

forgetOtherVariables();
const log = createLog('shell-supervisor');
const shellDir = path.join(import.meta.dirname, '../../', env.NODE_ENV === 'development' ? 'dist-dev' : 'dist');

const source = releaseSource(log, shellDir);
const sets = new ResidentSets({ ...env, source, shellDir, log });
const app = express();
app.disable('x-powered-by');
app.use(requestId);
app.use(
  opsRoutes({
    name: 'shell',
    version: '1',
    checks: {
      async live() {
        if (!sets.ready) throw new Error('no worker serves the live set');
      },
    },
    state: () => sets.state(),
    registry: clusterMetrics(),
  }),
);
app.get('/sets', pointerStream(sets));
app.use(gatewayRoutes(sets));
app.use(notFoundHandler, problemHandler(log));

// First the workers, then the listener: a supervisor that replaces another takes over with warm ones.
await sets.start();
await serve({ app, name: 'shell', host: env.HOST, port: env.SHELL_PORT, log, onClose: () => sets.close() });
