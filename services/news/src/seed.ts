import type { Db, MongoClient } from 'mongodb';
import { type NewsDocument, type NewsItem, newsDocument } from './schema.ts';

/**
 * Fills an empty collection and never touches another. In one transaction, so that a crash leaves nothing half filled and of
 * two instances that start at once one gives way (a write conflict), looks again and finds the collection full.
 * @returns how many items were written
 */
export async function seed(client: MongoClient, db: Db, items: readonly NewsItem[]): Promise<number> {
  const news = db.collection<NewsDocument>('news');
  const documents = items.map(newsDocument);
  return await client.withSession(async (session) =>
    session.withTransaction(async () => {
      if (documents.length === 0 || (await news.findOne({}, { session, projection: { _id: 1 } })) !== null) return 0;
      return (await news.insertMany(documents, { session })).insertedCount;
    }),
  );
}
