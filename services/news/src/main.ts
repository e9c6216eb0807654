/** The news service: the process. */
import { openDatabase } from '@colonnade/service/database';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { serve } from '@colonnade/service/serve';
import packageJson from '../package.json' with { type: 'json' };
import { newsApp } from './app.ts';
import { newsEnv } from './env.ts';
import { sampleNews } from './sample/index.ts';
import { seed } from './seed.ts';
import { NewsStore } from './store.ts';

const env = newsEnv();
const log = createLog('news');
const metrics = createMetrics('news');

const database = openDatabase({
  uri: env.mongodbUri,
  name: 'colonnade_news',
  appName: 'news',
  log,
  prepare: async (db, client) => {
    await NewsStore.prepare(db);
    if (!env.seedSample) return;
    const count = await seed(client, db, sampleNews());
    if (count > 0) log.info({ count }, 'sample news written');
  },
});

const app = newsApp({ database, log, metrics, version: packageJson.version });
await serve({ app, name: 'news', port: env.port, host: env.host, log, onClose: database.close });
