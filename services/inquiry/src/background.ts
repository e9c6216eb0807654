/** What the service does without being asked: sending mails and erasing what has been kept long enough. */
import type { Database } from '@colonnade/service/database';
import type { Log } from '@colonnade/service/log';
import type { Loop } from '@colonnade/service/loop';
import type { Db } from 'mongodb';
import type { MailSettings } from './mail/compose.ts';
import { folderTransport, removeMails } from './mail/folder.ts';
import type { Outbox } from './mail/outbox.ts';
import { smtpTransport } from './mail/smtp.ts';
import { startMailWorker } from './mail/worker.ts';
import type { Erasure } from './retention/erasure.ts';
import { startRetention } from './retention/retention.ts';

export interface BackgroundOptions {
  database: Pick<Database, 'prepared'> & { db: Db };
  outbox: Outbox;
  erasure: Erasure;
  /** Without `smtpUrl` mails go into `dir`. */
  mail: MailSettings & { smtpUrl?: string | undefined; dir: string };
  retention: { days: number; checkMs: number };
  log: Log;
}

export interface Background {
  /** There are mails to send. */
  wake(): void;
  stop(): Promise<void>;
}

/** Starts both as soon as the database is prepared. */
export function startBackground({ database, outbox, erasure, mail, retention, log }: BackgroundOptions): Background {
  const { db, prepared } = database;
  let loops: Loop[] = [];
  let stopped = false;
  prepared.then(() => {
    if (stopped) return;
    const transport = mail.smtpUrl === undefined ? folderTransport(mail.dir) : smtpTransport(mail.smtpUrl);
    const onTooLate = async (reference: string) => void (await removeMails(mail.dir, [reference]));
    loops = [
      startMailWorker({ db, outbox, transport, settings: mail, log, onTooLate }),
      startRetention({ db, erasure, mailDir: mail.dir, ...retention, log }),
    ];
    log.info(mail.smtpUrl === undefined ? { folder: mail.dir } : { smtp: new URL(mail.smtpUrl).host }, 'mails go to');
  });
  return {
    wake: () => loops[0]?.wake(),
    stop: async () => {
      stopped = true;
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
