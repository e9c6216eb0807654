/** The shapes that the stored news has had, and how each becomes the next. */
import { type Migration, migrate } from '@colonnade/service/migrations';
import { prepareStaff } from '@colonnade/service/staff';
import type { AnyBulkWriteOperation, Db, MongoClient } from 'mongodb';
import { Counts } from './counts.ts';
import {
  createCollections,
  createIndexes,
  type NewsDocument,
  newsCollections,
  publishedDocument,
  versionOf,
  visibleWords,
} from './documents.ts';
import type { Category, Language } from './schema.ts';

/** Small enough for a transaction of well under a second. */
const batchSize = 100;
const indexNotFound = 27;
const namespaceNotFound = 26;

/** The first shape: everything stored was published, and its newsId was the primary key. */
interface FirstDocument {
  _id: string;
  title: string;
  language: Language;
  category: Category;
  excerpt: string;
  body: string;
  publishedAt: Date;
  schemaVersion: 1;
}

const steps: Migration[] = [
  { id: '0001-staff', run: prepareStaff },
  { id: '0002-collections', run: createCollections },
  { id: '0003-items-with-states', run: addStates },
  { id: '0004-indexes', run: replaceIndexes },
  { id: '0005-counts', run: async (db) => void (await new Counts(newsCollections(db)).rebuild()) },
  { id: '0006-letters-without-their-strokes', run: renewWords },
];

/** Brings a database of any age, or an empty one, to what this code expects. Several instances may do so at once. */
export async function prepareNews(db: Db, client: MongoClient): Promise<void> {
  await migrate(db, client, steps);
  // They may have been removed by hand, to be made anew.
  await new Counts(newsCollections(db)).read();
}

/** Replaces each item of the first shape, with its first version, batch by batch. What is done already is not found again. */
async function addStates(db: Db, client: MongoClient): Promise<void> {
  const { news, versions, ids } = newsCollections(db);
  const first = db.collection<FirstDocument>('news');
  const who = { id: 'migration', name: 'migration' };
  let batch: FirstDocument[] = [];
  const replaceBatch = async () => {
    const documents = batch.map(({ _id: newsId, publishedAt, ...rest }) =>
      publishedDocument({ newsId, ...rest, publishedAt }, publishedAt),
    );
    const old = batch.map(({ _id }) => _id);
    batch = [];
    if (documents.length === 0) return;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await first.deleteMany({ _id: { $in: old } }, { session });
        await news.insertMany(documents, { session });
        await ids.insertMany(
          documents.map(({ _id, newsId }) => ({ _id: newsId, item: _id })),
          { session },
        );
        await versions.insertMany(
          documents.map((document) => versionOf(document, { what: 'published', who, announce: null })),
          { session },
        );
      }),
    );
  };
  for await (const document of first.find({ schemaVersion: 1 })) {
    batch.push(document);
    if (batch.length === batchSize) await replaceBatch();
  }
  await replaceBatch();
}

async function replaceIndexes(db: Db): Promise<void> {
  for (const name of ['publishedAt_-1__id_-1', 'category_1_publishedAt_-1__id_-1']) {
    await db
      .collection('news')
      .dropIndex(name)
      .catch((error) => {
        if (error.code !== indexNotFound && error.code !== namespaceNotFound) throw error;
      });
  }
  await createIndexes(db);
}

/**
 * Makes the words of published items anew that have letters which `words.ts` takes apart now: the shape stays. A change
 * meanwhile has made its own words; one by an instance of the version before, which goes on until it is replaced, has made them as
 * that one does, and the next change or the same text sent once more heals it. What is done is not found again, so a run that was
 * broken off goes on.
 */
async function renewWords(db: Db): Promise<void> {
  const { news, counts } = newsCollections(db);
  const published = news.find(
    { state: 'published', words: /[łđðþħı]/ },
    { projection: { state: 1, title: 1, excerpt: 1, tree: 1, revision: 1 } },
  );
  let batch: AnyBulkWriteOperation<NewsDocument>[] = [];
  const writeBatch = async () => {
    if (batch.length > 0) await news.bulkWrite(batch, { ordered: false });
    batch = [];
  };
  for await (const document of published) {
    const { _id, revision } = document;
    batch.push({ updateOne: { filter: { _id, revision }, update: { $set: { words: visibleWords(document) } } } });
    if (batch.length === batchSize) await writeBatch();
  }
  await writeBatch();
  // Other items are found now than what visitors and caches have seen.
  await counts.updateOne({ _id: 'news' }, { $currentDate: { changedAt: true }, $inc: { changes: 1 } });
}
