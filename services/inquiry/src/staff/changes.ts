/** What the staff API changes. Each change is one transaction of the inquiry, what hangs on it, and the audit entry. */
import { inTransaction } from '@colonnade/service/transaction';
import type { ClientSession, Db, MongoClient, UpdateFilter } from 'mongodb';
import { ObjectId } from 'mongodb';
import { auditOf, inquiriesOf, maxNotes, outboxOf } from '../collections.ts';
import type { Actor, AuditAction, InquiryDocument, MailKind, Status } from '../documents.ts';
import { changedMeanwhile, conflict, inquiryNotFound } from '../errors.ts';

/** An inquiry goes forward only. Who answers at once has nothing in progress; a duplicate or an advertisement needs no answer. */
const nextStatuses: Record<Status, readonly Status[]> = {
  new: ['in-progress', 'answered', 'closed'],
  'in-progress': ['answered', 'closed'],
  answered: ['closed'],
  closed: [],
};

/** Which inquiry, as whom, and which version of it the caller has seen (any, with `*`). */
export interface Target {
  reference: string;
  seen: number | '*';
  by: Actor;
}

interface Plan {
  action: AuditAction;
  to?: string | null;
  update: UpdateFilter<InquiryDocument>;
}

export class InquiryChanges {
  readonly #client: MongoClient;
  readonly #db: Db;

  constructor({ db, client }: { db: Db; client: MongoClient }) {
    this.#db = db;
    this.#client = client;
  }

  async assign(target: Target, assignee: string | null): Promise<void> {
    await this.#change(target, () => ({ action: 'assign', to: assignee, update: { $set: { assignee } } }));
  }

  /** @throws Problem 409 where the status does not follow the present one */
  async setStatus(target: Target, status: Status, closingReason: string | undefined): Promise<void> {
    await this.#change(target, (inquiry) => {
      const possible = nextStatuses[inquiry.status];
      if (!possible.includes(status)) {
        const choice = possible.length > 0 ? ` It can become ${possible.join(' or ')}.` : '';
        const why = status === inquiry.status ? 'already' : `and cannot become ${status}`;
        throw conflict(`The inquiry is ${inquiry.status} ${why}.${choice}`);
      }
      const closing = status === 'closed' ? { closedAt: new Date(), ...(closingReason !== undefined && { closingReason }) } : {};
      return { action: 'status', to: status, update: { $set: { status, ...closing } } };
    });
  }

  async addNote(target: Target, text: string): Promise<void> {
    await this.#change(target, ({ notes }) => {
      if (notes.length >= maxNotes) throw conflict(`The inquiry has ${maxNotes} notes already.`);
      return { action: 'note', update: { $push: { notes: { at: new Date(), by: target.by, text } } } };
    });
  }

  /** Puts a mail that was given up back into the queue. @throws Problem 409 where it was not given up */
  async resend(target: Target, kind: MailKind): Promise<void> {
    await this.#change(target, async ({ reference }, session) => {
      const again = { $set: { state: 'pending', attempts: 0, dueAt: new Date() }, $unset: { failure: '' } } as const;
      const { matchedCount } = await outboxOf(this.#db).updateOne({ _id: `${reference}.${kind}`, state: 'failed' }, again, { session });
      if (matchedCount === 0) throw conflict('Only a mail that was given up can be sent again.');
      return { action: 'resend', to: kind, update: {} };
    });
  }

  /** Notes that somebody took a copy of many inquiries. */
  async noteExport(by: Actor): Promise<void> {
    await auditOf(this.#db).insertOne({ _id: new ObjectId(), at: new Date(), by, action: 'export', schemaVersion: 1 });
  }

  async #change(
    { reference, seen, by }: Target,
    decide: (inquiry: InquiryDocument, session: ClientSession) => Plan | Promise<Plan>,
  ): Promise<void> {
    const inquiries = inquiriesOf(this.#db);
    await inTransaction(this.#client, async (session) => {
      const inquiry = await inquiries.findOne({ reference }, { session });
      if (inquiry === null) throw inquiryNotFound();
      if (seen !== '*' && seen !== inquiry.version) throw changedMeanwhile();
      if (inquiry.erased) throw conflict('The inquiry is erased. There is nothing left to change.');
      const { action, to, update } = await decide(inquiry, session);
      // A change since it was read is a conflict of transactions, after which all of this runs again.
      await inquiries.updateOne({ _id: inquiry._id }, { ...update, $inc: { version: 1 } }, { session });
      await auditOf(this.#db).insertOne(
        { _id: new ObjectId(), reference, at: new Date(), by, action, ...(to !== undefined && { to }), schemaVersion: 1 },
        { session },
      );
    });
  }
}
