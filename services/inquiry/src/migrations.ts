/** How stored data gets into the form that this version needs; each step runs once, whichever instance comes first. */
import { ensureCollection } from '@colonnade/service/collection';
import type { Migration } from '@colonnade/service/migrations';
import { prepareStaff } from '@colonnade/service/staff';
import { type Db, type MongoClient, ObjectId } from 'mongodb';
import { shapes } from './collections.ts';
import { type InquiryDocument, orderOf } from './documents.ts';
import type { Inquiry } from './schema.ts';

/** An inquiry as version 1 stored it: its primary key was the digest of its content. */
type FirstInquiry = Inquiry & { _id: string; reference: string; receivedAt: Date; status: 'new'; schemaVersion: 1 };

const batchSize = 200;

export const migrations: Migration[] = [
  {
    id: '0001-collections',
    run: async (db) => {
      for (const shape of Object.values(shapes)) await ensureCollection(db, shape);
      await prepareStaff(db);
    },
  },
  { id: '0002-inquiries-with-a-status', run: upgradeInquiries },
];

/**
 * Version 1 to 2. A primary key cannot be changed, so each is deleted and stored anew, in one transaction per batch: an instance
 * that dies leaves whole inquiries. No mails are made for them, as they were received before there were any.
 */
async function upgradeInquiries(db: Db, client: MongoClient): Promise<void> {
  const first = db.collection<FirstInquiry>('inquiries');
  const second = db.collection<InquiryDocument>('inquiries');
  for (;;) {
    const batch = await first.find({ schemaVersion: 1 }).limit(batchSize).toArray();
    if (batch.length === 0) break;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await first.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } }, { session });
        await second.insertMany(batch.map(upgraded), { session });
      }),
    );
  }
  // Of version 1; `order` has taken its place.
  await second.dropIndex('receivedAt_-1__id_-1').catch((error) => {
    if (error.codeName !== 'IndexNotFound') throw error;
  });
}

function upgraded({ _id: submission, receivedAt, reference, ...inquiry }: FirstInquiry): InquiryDocument {
  const order = orderOf(receivedAt, reference);
  const rest = { assignee: null, notes: [], version: 1, closedAt: null, erased: false, schemaVersion: 2 } as const;
  return { ...inquiry, _id: new ObjectId(), submission, reference, receivedAt, order, ...rest, notes: [] };
}
