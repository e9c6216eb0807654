import type { Db, MongoClient } from 'mongodb';
import { Counts } from './counts.ts';
import { newsCollections, publishedDocument, versionOf } from './documents.ts';
import { draftSchema, type NewsDraft } from './schema.ts';

const who = { id: 'seed', name: 'seed' };

/**
 * Fills an empty collection with published items and never touches another. In one transaction, so that a crash leaves nothing
 * half filled and of two instances that start at once one gives way (a write conflict), looks again and finds the
 * collection full.
 * @returns how many items were written
 */
export async function seed(client: MongoClient, db: Db, items: readonly (NewsDraft & { publishedAt: string })[]): Promise<number> {
  const { news, versions, ids, counts } = newsCollections(db);
  const documents = items.map((item) => {
    draftSchema.parse(item);
    return publishedDocument(item, new Date(item.publishedAt));
  });
  return await client.withSession(async (session) =>
    session.withTransaction(
      async () => {
        if (documents.length === 0 || (await news.findOne({}, { session, projection: { _id: 1 } })) !== null) return 0;
        await ids.insertMany(
          documents.map(({ _id, newsId }) => ({ _id: newsId, item: _id })),
          { session },
        );
        await versions.insertMany(
          documents.map((document) => versionOf(document, { what: 'published', who, announce: null })),
          { session },
        );
        const { insertedCount } = await news.insertMany(documents, { session });
        await new Counts({ news, counts }).rebuild(session);
        return insertedCount;
      },
      { readConcern: { level: 'snapshot' } },
    ),
  );
}
