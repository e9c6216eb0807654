/** The inquiry service: the process. */
import { openDatabase } from '@colonnade/service/database';
import { createLog } from '@colonnade/service/log';
import { createMetrics } from '@colonnade/service/metrics';
import { migrate } from '@colonnade/service/migrations';
import { serve } from '@colonnade/service/serve';
import { shuttingDown } from '@colonnade/service/shutdown';
import packageJson from '../package.json' with { type: 'json' };
import { inquiryApp } from './app.ts';
import { startBackground } from './background.ts';
import { inquiryEnv } from './env.ts';
import { outboxMetrics } from './mail/metrics.ts';
import { Outbox } from './mail/outbox.ts';
import { migrations } from './migrations.ts';
import { Erasure } from './retention/erasure.ts';

const env = inquiryEnv();
const log = createLog('inquiry');
const metrics = createMetrics('inquiry');

const database = openDatabase({
  uri: env.mongodbUri,
  name: 'colonnade_inquiry',
  appName: 'inquiry',
  log,
  prepare: (db, client) => migrate(db, client, migrations),
});
const outbox = new Outbox(database.db, env.mail.outbox);
outboxMetrics(outbox, metrics);
const erasure = new Erasure({ db: database.db, client: database.client, mailDir: env.mail.dir });
const background = startBackground({ database, outbox, erasure, mail: env.mail, retention: env.retention, log });

const app = inquiryApp({
  database,
  log,
  metrics,
  version: packageJson.version,
  visitors: env.visitors,
  attemptsPerMinute: env.attemptsPerMinute,
  erasure,
  onMail: background.wake,
});
// Before the last requests are answered: a mail that is begun now might be cut off at the end, and sent again by the next process.
shuttingDown.addEventListener('abort', background.stop);
const onClose = async () => {
  await background.stop();
  await database.close();
};
await serve({ app, name: 'inquiry', port: env.port, host: env.host, log, onClose });
