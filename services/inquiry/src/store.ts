/** Receiving: one document is one inquiry, whatever was sent twice, and with it, in one transaction, the mails that are owed. */
import { createHmac, randomUUID } from 'node:crypto';
import { inTransaction } from '@colonnade/service/transaction';
import { type ClientSession, type Collection, type Db, type MongoClient, MongoServerError, ObjectId } from 'mongodb';
import { confirmationLimit, type VisitorLimit } from './abuse/visitor-limit.ts';
import { inquiriesOf, outboxOf } from './collections.ts';
import { type InquiryDocument, type MailDocument, mailKinds, orderOf } from './documents.ts';
import { newReference } from './reference.ts';
import type { Inquiry } from './schema.ts';

const duplicateKey = 11_000;
/** Of 2^40 references, one collision is rare and five in a row do not happen. */
const referenceAttempts = 5;

export interface StoreOptions {
  /** The caller's idempotency key; without one each call stores. */
  key?: string | undefined;
  /** Runs in the transaction that stores a new inquiry, and may refuse it by throwing. */
  counted?: ((session: ClientSession) => Promise<void>) | undefined;
}

export class InquiryStore {
  readonly inquiries: Collection<InquiryDocument>;
  readonly outbox: Collection<MailDocument>;
  readonly confirmations: VisitorLimit;
  readonly client: MongoClient;
  readonly makeReference: () => string;

  constructor({ db, client }: { db: Db; client: MongoClient }, makeReference = newReference) {
    this.inquiries = inquiriesOf(db);
    this.outbox = outboxOf(db);
    this.confirmations = confirmationLimit(db);
    this.client = client;
    this.makeReference = makeReference;
  }

  /** The reference that the same content was stored with under this key. */
  async known(inquiry: Inquiry, key: string): Promise<string | undefined> {
    return await this.referenceOf(submissionDigest(inquiry, key), 'majority');
  }

  /**
   * Stores an inquiry and gives its reference; the same key with the same content gives the reference of the first time, by the
   * unique index: nobody has to ask `known` again right before.
   */
  async store(inquiry: Inquiry, { key, counted }: StoreOptions = {}): Promise<string> {
    const submission = submissionDigest(inquiry, key ?? randomUUID());
    const confirmed = await this.confirmations.taker(inquiry.email.toLowerCase());
    for (let attempt = 1; ; attempt++) {
      const reference = this.makeReference();
      try {
        await inTransaction(this.client, async (session) => {
          await this.inquiries.insertOne(newDocument(inquiry, { submission, reference }), { session });
          await counted?.(session);
          await this.outbox.insertMany(mailsFor(reference, await confirmed(session)), { session });
        });
        return reference;
      } catch (error) {
        if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
        const first = await this.referenceOf(submission, 'linearizable');
        if (first !== undefined) return first;
        // Not this submission but the reference was there already.
        if (attempt === referenceAttempts) throw error;
      }
    }
  }

  /** When the inquiry with this reference came, or null. Nothing of who sent it. */
  async receipt(reference: string): Promise<{ reference: string; receivedAt: Date } | null> {
    return await this.inquiries.findOne({ reference }, { projection: { _id: 0, reference: 1, receivedAt: 1 } });
  }

  /** Linearizable after a collision: the other submit may have been stored a moment ago, and is confirmed only when a majority has it. */
  private async referenceOf(submission: string, level: 'majority' | 'linearizable'): Promise<string | undefined> {
    const stored = await this.inquiries.findOne({ submission }, { projection: { reference: 1 }, readConcern: { level } });
    return stored?.reference;
  }
}

function newDocument(inquiry: Inquiry, { submission, reference }: { submission: string; reference: string }): InquiryDocument {
  const receivedAt = new Date();
  return {
    _id: new ObjectId(),
    reference,
    submission,
    order: orderOf(receivedAt, reference),
    ...inquiry,
    receivedAt,
    status: 'new',
    assignee: null,
    notes: [],
    version: 1,
    closedAt: null,
    erased: false,
    schemaVersion: 2,
  };
}

/** The office is owed its mail in any case; the visitor's is noted as cancelled where it is not confirmed, for the office to see. */
function mailsFor(reference: string, confirmed: boolean): MailDocument[] {
  const now = new Date();
  const owed = { state: 'pending', dueAt: now } as const;
  const cancelled = { state: 'cancelled' } as const;
  return mailKinds.map((kind) => ({
    ...{ _id: `${reference}.${kind}`, reference, kind, attempts: 0, createdAt: now, schemaVersion: 1 },
    ...(kind === 'office' || confirmed ? owed : cancelled),
  }));
}

/** Names one submission: the same key with other content is another. Keyed, so that it does not tell its content by trial. */
function submissionDigest({ name, email, company, category, message, consent }: Inquiry, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([name, email, company ?? null, category, message, consent]))
    .digest('hex');
}
