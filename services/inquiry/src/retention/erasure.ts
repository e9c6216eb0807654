/**
 * Erasing a person. What stays of the inquiry is that there was one: reference, category, times, status, and who of the company
 * did what. Gone are the fields of the form, the notes' and the closing reason's text, the digest of the content, the mails, and how
 * many went to the address today.
 */
import { inTransaction } from '@colonnade/service/transaction';
import { type Db, type MongoClient, ObjectId } from 'mongodb';
import { confirmationLimit, type VisitorLimit } from '../abuse/visitor-limit.ts';
import { auditOf, inquiriesOf, outboxOf } from '../collections.ts';
import { type Actor, mailKinds } from '../documents.ts';
import { changedMeanwhile, inquiryNotFound } from '../errors.ts';
import { removeMails } from '../mail/folder.ts';

const personal = ['name', 'email', 'company', 'message', 'consent', 'submission', 'closingReason'];
const erasedUpdate = [
  {
    $set: {
      erased: true,
      // There is nobody left to answer.
      status: 'closed',
      closedAt: { $ifNull: ['$closedAt', '$$NOW'] },
      notes: { $map: { input: '$notes', in: { at: '$$this.at', by: '$$this.by' } } },
      version: { $add: ['$version', 1] },
    },
  },
  { $unset: personal },
];

export class Erasure {
  readonly #db: Db;
  readonly #client: MongoClient;
  readonly #confirmations: VisitorLimit;
  readonly #mailDir: string;

  constructor({ db, client, mailDir }: { db: Db; client: MongoClient; mailDir: string }) {
    this.#db = db;
    this.#client = client;
    this.#confirmations = confirmationLimit(db);
    this.#mailDir = mailDir;
  }

  /**
   * Erases an inquiry in one transaction, whoever else tries at the same time, and then its mails in the folder.
   * @param seen the version the caller has seen, or `*`
   * @returns false where it had been erased before
   */
  async erase({ reference, seen, by }: { reference: string; seen: number | '*'; by: Actor }): Promise<boolean> {
    const erased = await inTransaction(this.#client, async (session) => {
      const inquiry = await inquiriesOf(this.#db).findOne({ reference }, { session, projection: { erased: 1, version: 1, email: 1 } });
      if (inquiry === null) throw inquiryNotFound();
      if (seen !== '*' && seen !== inquiry.version) throw changedMeanwhile();
      if (inquiry.erased) return false;
      await inquiriesOf(this.#db).updateOne({ _id: inquiry._id }, erasedUpdate, { session });
      await outboxOf(this.#db).updateMany(
        { _id: { $in: mailKinds.map((kind) => `${reference}.${kind}`) }, state: { $ne: 'sent' } },
        { $set: { state: 'cancelled' }, $unset: { dueAt: '', lease: '', failure: '' } },
        { session },
      );
      if (inquiry.email !== undefined) await this.#confirmations.forget(inquiry.email.toLowerCase(), session);
      await auditOf(this.#db).insertOne(
        { _id: new ObjectId(), reference, at: new Date(), by, action: 'erase', schemaVersion: 1 },
        { session },
      );
      return true;
    });
    // Where the process dies before this, the next sweep does it.
    await removeMails(this.#mailDir, [reference]);
    return erased;
  }
}
