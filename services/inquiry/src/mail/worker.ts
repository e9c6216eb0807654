/** Sends what the outbox holds. Each instance of the service runs one; the leases keep them apart. */
import type { Log } from '@colonnade/service/log';
import { type Loop, startLoop } from '@colonnade/service/loop';
import type { Collection, Db } from 'mongodb';
import { inquiriesOf } from '../collections.ts';
import type { InquiryDocument } from '../documents.ts';
import { compose, type MailSettings } from './compose.ts';
import type { Job, Outbox } from './outbox.ts';
import { DeliveryFailed, type Transport } from './transport.ts';

/** A mail that another instance has put back, or whose lease has ended, waits no longer than this. */
const lookMs = 1000;
/** A server that takes minutes over one mail does not hold up the others. */
const sideBySide = 4;

export interface MailWorkerOptions {
  db: Db;
  outbox: Outbox;
  transport: Transport;
  settings: MailSettings;
  log: Log;
  /** A mail went out although its inquiry was erased meanwhile: removes what is within reach. */
  onTooLate(reference: string): Promise<void>;
}

/**
 * Starts sending. At least once: a process that ends while the server thinks, or before it has noted the "250", leaves a mail that is
 * sent again after the lease, with the same Message-ID, by which mail programs drop the second.
 */
export function startMailWorker(options: MailWorkerOptions): Loop {
  const { db, outbox, log } = options;
  const inquiries = inquiriesOf(db);
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const work = async (stopping: AbortSignal) => {
    // Told by the loop like its own, and so once: mostly the database is away for all of them.
    if (failures.length > 0) throw failures.splice(0)[0];
    while (underWay.size < sideBySide && !stopping.aborted) {
      const job = await outbox.claim();
      if (job === null) return;
      const sending = send(job, inquiries, options)
        .catch((error) => void failures.push(error))
        .finally(() => {
          underWay.delete(sending);
          loop.wake();
        });
      underWay.add(sending);
    }
  };
  const loop = startLoop({ name: 'mail', pauseMs: lookMs, log, work, confidential: true });
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

async function send(job: Job, inquiries: Collection<InquiryDocument>, options: MailWorkerOptions): Promise<void> {
  const { outbox, transport, settings, log } = options;
  const { reference, kind, attempts } = job;
  const inquiry = await inquiries.findOne({ reference });
  if (inquiry === null || inquiry.erased) return await outbox.cancel(job);
  // Four times in a lease: even where the clocks of two instances differ by half of it, no two send at a time.
  const renewal = setInterval(() => outbox.renew(job).catch(() => {}), outbox.options.leaseMs / 4);
  try {
    await transport.deliver(compose(inquiry, kind, settings));
  } catch (error) {
    const failure = error instanceof DeliveryFailed ? error : new DeliveryFailed('cannot be composed', true);
    // The office's address is a setting, and whatever refuses it can be mended.
    const permanent = failure.permanent && kind === 'visitor';
    const { code } = failure;
    const state = await outbox.notSent(job, { code, permanent });
    const told = { reference, kind, attempts, code };
    if (state === 'failed') log.error({ ...told, alert: true }, 'mail given up: somebody has to look');
    else log.warn(told, 'mail not sent, trying again later');
    return;
  } finally {
    clearInterval(renewal);
  }
  if (await outbox.sent(job)) return log.info({ reference, kind, attempts }, 'mail sent');
  // Erased meanwhile; or another instance has it by now, because this one could not renew its lease.
  if (await isErased()) await options.onTooLate(reference);

  async function isErased(): Promise<boolean> {
    const now = await inquiries.findOne({ reference }, { projection: { erased: 1 } });
    return now === null || now.erased;
  }
}
