/** The collection of news, and all that is asked of it. Dates can be equal, so the id decides within one. */
import type { Collection, Db, Filter } from 'mongodb';
import { type Category, categories, type ListQuery, languages, type NewsDetail, type NewsDocument, type NewsList } from './schema.ts';

const newestFirst = { publishedAt: -1, _id: -1 } as const;
const oldestFirst = { publishedAt: 1, _id: 1 } as const;
const linkFields = { title: 1, language: 1 } as const;

/** Guards the collection against whatever does not come through this service. */
const validator = {
  $jsonSchema: {
    bsonType: 'object',
    required: ['_id', 'title', 'language', 'category', 'excerpt', 'body', 'tree', 'publishedAt', 'schemaVersion'],
    additionalProperties: false,
    properties: {
      _id: { bsonType: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 100 },
      title: { bsonType: 'string', minLength: 1, maxLength: 200 },
      language: { enum: [...languages] },
      category: { enum: [...categories] },
      excerpt: { bsonType: 'string', minLength: 1, maxLength: 500 },
      body: { bsonType: 'string', maxLength: 100_000 },
      tree: { bsonType: 'array' },
      publishedAt: { bsonType: 'date' },
      schemaVersion: { enum: [1] },
    },
  },
};

const namespaceExists = 48;

export class NewsStore {
  readonly news: Collection<NewsDocument>;

  constructor(db: Db) {
    this.news = db.collection('news');
  }

  /** Creates the collection with its validator and indexes, or brings them up to date. Several instances may do so at once. */
  static async prepare(db: Db): Promise<void> {
    await db.createCollection('news', { validator }).catch(async (error) => {
      if (error.code !== namespaceExists) throw error;
      await db.command({ collMod: 'news', validator });
    });
    await db.collection('news').createIndexes([{ key: newestFirst }, { key: { category: 1, ...newestFirst } }]);
  }

  /** One page, newest first. A page beyond the end is empty. */
  async list({ page, limit, category }: ListQuery): Promise<NewsList> {
    const filter = category === undefined ? {} : { category };
    const [documents, counts] = await Promise.all([
      this.news
        .find(filter, { projection: { ...linkFields, excerpt: 1, category: 1, publishedAt: 1 } })
        .sort(newestFirst)
        .skip((page - 1) * limit)
        .limit(limit)
        .toArray(),
      this.counts(),
    ]);
    const total = category === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[category];
    return { items: documents.map(summaryOf), page, pages: Math.ceil(total / limit), total, categories: counts };
  }

  /** One item with its neighbours in time, or null. */
  async detail(newsId: string): Promise<NewsDetail | null> {
    const document = await this.news.findOne({ _id: newsId }, { projection: { body: 0 } });
    if (document === null) return null;
    const [previous, next] = await Promise.all([this.neighbour(document, '$lt'), this.neighbour(document, '$gt')]);
    return { ...summaryOf(document), body: document.tree, previous, next };
  }

  private async counts(): Promise<Record<Category, number>> {
    const groups = await this.news
      .aggregate<{ _id: Category; count: number }>([{ $group: { _id: '$category', count: { $sum: 1 } } }])
      .toArray();
    const counts = { products: 0, calibration: 0, company: 0, exhibitions: 0 };
    for (const group of groups) counts[group._id] = group.count;
    return counts;
  }

  private async neighbour({ _id, publishedAt }: Pick<NewsDocument, '_id' | 'publishedAt'>, beyond: '$lt' | '$gt') {
    const filter = { $or: [{ publishedAt: { [beyond]: publishedAt } }, { publishedAt, _id: { [beyond]: _id } }] } as Filter<NewsDocument>;
    const sort = beyond === '$lt' ? newestFirst : oldestFirst;
    const found = await this.news.findOne(filter, { sort, projection: linkFields });
    return found === null ? null : { newsId: found._id, title: found.title, language: found.language };
  }
}

function summaryOf(document: Pick<NewsDocument, '_id' | 'title' | 'language' | 'excerpt' | 'category' | 'publishedAt'>) {
  const { _id: newsId, title, language, excerpt, category, publishedAt } = document;
  return { newsId, title, language, excerpt, category, publishedAt: publishedAt.toISOString() };
}
