/** The inquiry service: the process. */
import { openDatabase } from '@colonnade/service/database';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { serve } from '@colonnade/service/serve';
import packageJson from '../package.json' with { type: 'json' };
import { inquiryApp } from './app.ts';
import { inquiryEnv } from './env.ts';
import { InquiryStore } from './store.ts';

const env = inquiryEnv();
const log = createLog('inquiry');
const metrics = createMetrics('inquiry');

const database = openDatabase({
  uri: env.mongodbUri,
  name: 'colonnade_inquiry',
  appName: 'inquiry',
  log,
  prepare: InquiryStore.prepare,
});

const app = inquiryApp({ database, log, metrics, version: packageJson.version });
await serve({ app, name: 'inquiry', port: env.port, host: env.host, log, onClose: database.close });
