/** What the staff API asks: lists, one inquiry, an export. */
import type { Collection, Db, Filter, FindCursor } from 'mongodb';
import { auditOf, inquiriesOf, outboxOf } from '../collections.ts';
import { type AuditDocument, type InquiryDocument, type MailDocument, mailKinds, statuses } from '../documents.ts';
import { categories } from '../schema.ts';
import { detailOf, summaryOf } from './answers.ts';
import { csvRow } from './csv.ts';
import type { InquiryDetail, InquiryFilter, InquiryList } from './schema.ts';

const historyLimit = 200;
/** Memory an export takes: a message is 5,000 characters at most. */
const exportBatch = 200;
const columns = ['reference', 'received', 'status', 'category', 'assignee', 'name', 'email', 'company', 'message', 'closed'];

export class InquiryReading {
  readonly #inquiries: Collection<InquiryDocument>;
  readonly #outbox: Collection<MailDocument>;
  readonly #audit: Collection<AuditDocument>;

  constructor(db: Db) {
    this.#inquiries = inquiriesOf(db);
    this.#outbox = outboxOf(db);
    this.#audit = auditOf(db);
  }

  /** One page, newest first. */
  async list(filter: InquiryFilter, { cursor, limit }: { cursor?: string | undefined; limit: number }): Promise<InquiryList> {
    const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
    const found = await (await this.#find(filter, after))
      .project<InquiryDocument>({ message: 0, notes: 0 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit);
    const mails = await this.#mails(page.map(({ reference }) => reference));
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map((document) => summaryOf(document, mails)),
      next: last === undefined ? null : Buffer.from(last.order).toString('base64url'),
    };
  }

  /** One inquiry, or null. */
  async detail(reference: string): Promise<InquiryDetail | null> {
    const [document, mails, history] = await Promise.all([
      this.#inquiries.findOne({ reference }),
      this.#mails([reference]),
      this.#audit.find({ reference }).sort({ _id: -1 }).limit(historyLimit).toArray(),
    ]);
    return document && detailOf(document, mails, history.reverse());
  }

  /** A table of all that the filter lets through, row by row. */
  async *csv(filter: InquiryFilter, { bom }: { bom: boolean }): AsyncGenerator<string> {
    yield (bom ? '\ufeff' : '') + csvRow(columns);
    for await (const document of (await this.#find(filter)).batchSize(exportBatch)) {
      const { reference, receivedAt, status, category, assignee, name, email, company, message, closedAt } = document;
      const shown = [name, email, company, message].map((cell) => cell ?? '');
      yield csvRow([reference, receivedAt.toISOString(), status, category, assignee, ...shown, closedAt?.toISOString() ?? null]);
    }
  }

  /** Newest first. A filter that is not set asks for all values, so that one of two indexes always gives the order. */
  async #find({ status, category, assignee, from, to }: InquiryFilter, after?: string): Promise<FindCursor<InquiryDocument>> {
    // `order` begins with the time in ISO 8601: T99 is after every time of the day.
    const order = { ...(from && { $gte: from }), ...(to && { $lt: `${to}T99` }) };
    const bounds = after === undefined ? [order] : [order, { $lt: after }];
    const filter: Filter<InquiryDocument> = {
      ...(assignee !== undefined && { assignee: assignee === 'none' ? null : { $in: await this.#spellings(assignee) } }),
      status: status ?? { $in: [...statuses] },
      category: category ?? { $in: [...categories] },
      $and: bounds.filter((bound) => Object.keys(bound).length > 0).map((bound) => ({ order: bound })),
    };
    if (filter.$and?.length === 0) delete filter.$and;
    return this.#inquiries.find(filter).sort({ order: -1 });
  }

  /** A name in all the small and large letters that are in use: from the index, which tells them apart. */
  async #spellings(assignee: string): Promise<string[]> {
    const wanted = assignee.toLowerCase();
    const used = await this.#inquiries.distinct('assignee');
    return [assignee, ...used.filter((name) => name !== null).filter((name) => name.toLowerCase() === wanted)];
  }

  async #mails(references: string[]): Promise<Map<string, MailDocument>> {
    const ids = references.flatMap((reference) => mailKinds.map((kind) => `${reference}.${kind}`));
    return new Map((await this.#outbox.find({ _id: { $in: ids } }).toArray()).map((mail) => [mail._id, mail]));
  }
}
