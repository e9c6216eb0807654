/** The registry: the process. */
import { openDatabase } from '@colonnade/service/database';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { serve } from '@colonnade/service/serve';
import packageJson from '../package.json' with { type: 'json' };
import { registryApp } from './app.ts';
import { registryEnv } from './env.ts';
import { prepareRegistry } from './migrations.ts';
import { createRegistry } from './parts.ts';

const { mongodbUri: uri, port, host, attemptsPerMinute, shellToken, ...settings } = registryEnv();
const log = createLog('registry');
const database = openDatabase({ uri, name: 'colonnade_registry', appName: 'registry', log, prepare: prepareRegistry });
const registry = createRegistry({ database, log, ...settings });

await serve({
  app: registryApp({
    registry,
    database,
    log,
    metrics: createMetrics('registry'),
    version: packageJson.version,
    attemptsPerMinute,
    shellToken,
  }),
  name: 'registry',
  port,
  host,
  log,
  onClose: async () => {
    await registry.stop();
    await database.close();
  },
});
