/** Erases what has been kept long enough. Each instance looks; an inquiry is erased once, by whichever comes first. */
import type { Log } from '@colonnade/service/log';
import { type Loop, startLoop } from '@colonnade/service/loop';
import type { Db } from 'mongodb';
import { inquiriesOf, shapes } from '../collections.ts';
import { referencesIn, removeMails } from '../mail/folder.ts';
import type { Erasure } from './erasure.ts';

const batchSize = 100;
const dayMs = 86_400_000;
/** Whom the audit trail names. */
const service = { id: 'retention', name: 'retention period' };

export interface RetentionOptions {
  db: Db;
  erasure: Erasure;
  mailDir: string;
  /** From closing, or a later note, to erasing. */
  days: number;
  checkMs: number;
  log: Log;
}

/** Starts looking, at once and then every `checkMs`. */
export function startRetention({ db, erasure, mailDir, days, checkMs, log }: RetentionOptions): Loop {
  const work = async (stopping: AbortSignal) => {
    const then = new Date(Date.now() - days * dayMs);
    // Who writes again about a closed one is noted there: the matter goes on.
    const closed = { erased: false, closedAt: { $lte: then }, 'notes.at': { $not: { $gt: then } } };
    for (let found = batchSize; found === batchSize && !stopping.aborted; ) {
      const due = await inquiriesOf(db)
        .find(closed, { projection: { reference: 1 } })
        .sort({ closedAt: 1 })
        .limit(batchSize)
        .toArray();
      for (const { reference } of due) {
        if (stopping.aborted) return;
        if (await erasure.erase({ reference, seen: '*', by: service }))
          log.info({ reference }, 'inquiry erased after its retention period');
      }
      found = due.length;
    }
    await sweepMails(db, mailDir, log);
    await sweepExpired(db);
  };
  return startLoop({ name: 'retention', pauseMs: checkMs, log, work, confidential: true });
}

/** Removes mails of erased inquiries that this machine's folder still has: erased by another instance, or written at the same moment. */
async function sweepMails(db: Db, mailDir: string, log: Log): Promise<void> {
  const present = await referencesIn(mailDir);
  for (let i = 0; i < present.length; i += batchSize) {
    const part = present.slice(i, i + batchSize);
    const known = await inquiriesOf(db)
      .find({ reference: { $in: part } }, { projection: { reference: 1, erased: 1 } })
      .toArray();
    const erased = known.filter((inquiry) => inquiry.erased).map(({ reference }) => reference);
    const count = erased.length > 0 ? await removeMails(mailDir, erased) : 0;
    if (count > 0) log.info({ count }, 'mails of erased inquiries removed');
  }
}

/** MongoDB does so by itself within a minute; this makes it certain. */
async function sweepExpired(db: Db): Promise<void> {
  for (const { name } of [shapes.visitorLimits, shapes.keys]) await db.collection(name).deleteMany({ expiresAt: { $lte: new Date() } });
}
