/** The mails that are owed: pending → sending (leased to one worker) → sent, or failed after too many attempts. */
import { randomUUID } from 'node:crypto';
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import { outboxOf } from '../collections.ts';
import type { MailDocument } from '../documents.ts';

export interface OutboxOptions {
  /** How long a worker has a mail for itself, counted from its last sign of life. One that dies leaves it to the others after this. */
  leaseMs: number;
  /** The first wait after a failure; it doubles up to an hour. */
  retryMs: number;
  /** How often a mail is tried. */
  attempts: number;
}

/** A mail that this worker alone may send now. */
export type Job = MailDocument & { lease: string };

const longestRetryMs = 3_600_000;
const waiting: Filter<MailDocument> = { state: { $in: ['pending', 'sending'] } };

export class Outbox {
  readonly mails: Collection<MailDocument>;
  readonly options: OutboxOptions;

  constructor(db: Db, options: OutboxOptions) {
    this.mails = outboxOf(db);
    this.options = options;
  }

  /**
   * Takes the mail that has waited longest, or null where none is due: one atomic update, so that each goes to one worker. One that
   * is being sent is due again when its lease has ended.
   */
  async claim(): Promise<Job | null> {
    const now = Date.now();
    const lease = randomUUID();
    const claimed = await this.mails.findOneAndUpdate(
      { dueAt: { $lte: new Date(now) } },
      { $set: { state: 'sending', lease, dueAt: new Date(now + this.options.leaseMs) }, $inc: { attempts: 1 } },
      { sort: { dueAt: 1 }, returnDocument: 'after' },
    );
    return claimed && { ...claimed, lease };
  }

  /** Tells the others that this worker lives and is still sending. Does nothing where the mail is no longer its own. */
  async renew({ _id, lease }: Job): Promise<void> {
    await this.mails.updateOne({ _id, lease }, { $set: { dueAt: new Date(Date.now() + this.options.leaseMs) } });
  }

  /** @returns false where the mail was no longer this worker's, such as one erased meanwhile */
  async sent({ _id, lease }: Job): Promise<boolean> {
    const done = { $set: { state: 'sent', sentAt: new Date() }, $unset: { dueAt: '', lease: '', failure: '' } } as const;
    return (await this.mails.updateOne({ _id, lease }, done)).matchedCount === 1;
  }

  /** Puts a mail back for a later attempt, or gives it up. @returns what became of it */
  async notSent({ _id, lease, attempts }: Job, failure: { code: string; permanent: boolean }): Promise<'pending' | 'failed'> {
    const state = failure.permanent || attempts >= this.options.attempts ? 'failed' : 'pending';
    const told = { state, failure: failure.code.slice(0, 100) } as const;
    const update: UpdateFilter<MailDocument> =
      state === 'failed'
        ? { $set: told, $unset: { dueAt: '', lease: '' } }
        : { $set: { ...told, dueAt: new Date(Date.now() + retryWaitMs(attempts, this.options.retryMs)) }, $unset: { lease: '' } };
    await this.mails.updateOne({ _id, lease }, update);
    return state;
  }

  /** Nothing is owed any more. */
  async cancel({ _id, lease }: Job): Promise<void> {
    await this.mails.updateOne({ _id, lease }, { $set: { state: 'cancelled' }, $unset: { dueAt: '', lease: '', failure: '' } });
  }

  /** How many wait, and how many were given up. */
  async counts(): Promise<{ pending: number; failed: number }> {
    const [pending, failed] = await Promise.all([this.mails.countDocuments(waiting), this.mails.countDocuments({ state: 'failed' })]);
    return { pending, failed };
  }

  /** For how long the oldest mail has waited, in seconds; 0 where none waits. */
  async oldestS(): Promise<number> {
    const oldest = await this.mails.findOne(waiting, { sort: { createdAt: 1 }, projection: { createdAt: 1 } });
    return oldest === null ? 0 : Math.max(0, (Date.now() - oldest.createdAt.getTime()) / 1000);
  }
}

/**
 * How long a mail waits after so many attempts: doubles with each, up to an hour. Between half and the whole of it by chance: mails
 * that failed together do not come back together.
 * @param chance from 0 to 1
 */
export function retryWaitMs(attempts: number, retryMs: number, chance = Math.random()): number {
  const whole = Math.min(longestRetryMs, retryMs * 2 ** Math.min(attempts - 1, 30));
  return whole * (0.5 + chance / 2);
}
