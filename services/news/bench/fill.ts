import { type Db, ObjectId } from 'mongodb';
import { Counts } from '../src/counts.ts';
import { createIndexes, newsCollections, publishedDocument } from '../src/documents.ts';
import { sampleNews } from '../src/sample/index.ts';

const batch = 2000;

/**
 * Replaces the news of a prepared database by items of the sample over and over, each with a date and an id of its own, in every year
 * from 2009 to 2026.
 */
export async function fill(db: Db, size: number): Promise<void> {
  const collections = newsCollections(db);
  await collections.ids.deleteMany({});
  await collections.news.deleteMany({});
  // Made at the end in one go, which is several times faster.
  await collections.news.dropIndexes();
  const sample = sampleNews().map((item) => publishedDocument(item, new Date(item.publishedAt)));
  const firstMs = Date.UTC(2009, 0);
  const stepMs = (Date.UTC(2026, 11) - firstMs) / size;
  for (let from = 0; from < size; from += batch) {
    const documents = Array.from({ length: Math.min(batch, size - from) }, (_, i) => {
      const number = from + i;
      const item = sample[number % sample.length];
      if (item === undefined) throw new Error('the sample is empty');
      const publishedAt = new Date(firstMs + number * stepMs);
      return { ...item, _id: new ObjectId(), newsId: `item-${number}`, publishedAt, updatedAt: publishedAt };
    });
    await collections.news.insertMany(documents, { ordered: false });
    await collections.ids.insertMany(documents.map(({ _id, newsId }) => ({ _id: newsId, item: _id })));
  }
  await createIndexes(db);
  await new Counts(collections).rebuild();
}
