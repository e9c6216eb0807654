/** The news service: the process. */
import { openDatabase } from '@colonnade/service/database';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { serve } from '@colonnade/service/serve';
import { shuttingDown } from '@colonnade/service/shutdown';
import packageJson from '../package.json' with { type: 'json' };
import { newsApp } from './app.ts';
import { Desk } from './desk.ts';
import { newsEnv } from './env.ts';
import { prepareNews } from './migrations.ts';
import { sampleNews } from './sample/index.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';
import { seed } from './seed.ts';

const env = newsEnv();
const log = createLog('news');
const metrics = createMetrics('news');

const database = openDatabase({
  uri: env.mongodbUri,
  name: 'colonnade_news',
  appName: 'news',
  log,
  prepare: async (db, client) => {
    await prepareNews(db, client);
    if (!env.seedSample) return;
    const count = await seed(client, db, sampleNews());
    if (count > 0) log.info({ count }, 'sample news written');
  },
});

let scheduler: Scheduler | undefined;
database.prepared.then(() => {
  if (!shuttingDown.aborted) scheduler = startScheduler({ desk: new Desk(database.db, database.client), log });
});

const app = newsApp({
  database,
  log,
  metrics,
  version: packageJson.version,
  onScheduled: () => scheduler?.wake(),
  attemptsPerMinute: env.attemptsPerMinute,
});
await serve({
  app,
  name: 'news',
  port: env.port,
  host: env.host,
  log,
  onClose: async () => {
    await scheduler?.stop();
    await database.close();
  },
});
