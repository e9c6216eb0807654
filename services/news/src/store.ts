/** All that visitors ask of the news: only what is published. Dates can be equal, so the id decides within one. */
import { type Db, type Filter, ObjectId } from 'mongodb';
import type { NewsDetail, NewsList, Published } from './answers.ts';
import { Counts, publishedCounts } from './counts.ts';
import { type NewsCollections, type NewsDocument, newestFirst, newsCollections, oldestFirst } from './documents.ts';
import { type ListQuery, maxPages } from './schema.ts';
import { queryWords } from './words.ts';

const linkFields = { newsId: 1, title: 1, language: 1 } as const;
const summaryFields = { ...linkFields, _id: 1, excerpt: 1, category: 1, publishedAt: 1, updatedAt: 1 } as const;
type Summary = Pick<NewsDocument, keyof typeof summaryFields>;

/**
 * A search looks at so many of the newest items that have its rarest word. So it finds all there is as long as one of its
 * words occurs in fewer, and never takes longer than that.
 */
const searchDepth = 500;
const searchResults = 100;
/** The rarest word is looked for among so many. */
const weighedWords = 8;
const publishedPage = 5000;

/** What an address of an item leads to. */
export type Found = { detail: NewsDetail; changedAt: Date } | { moved: string } | 'gone' | null;

export class NewsStore {
  readonly collections: NewsCollections;
  readonly counts: Counts;

  constructor(db: Db) {
    this.collections = newsCollections(db);
    this.counts = new Counts(this.collections);
  }

  /**
   * One page, newest first. A page beyond the end, or beyond the hundredth, is empty.
   * `changedAt`: nothing in the answer is newer. It is read first, so that it can be too old but not too new.
   */
  async list(query: ListQuery): Promise<{ list: NewsList; changedAt: Date }> {
    const { page, limit, category, year } = query;
    const counted = await this.counts.read();
    const counts = publishedCounts(counted);
    const skip = (page - 1) * limit;
    let documents: Summary[] = [];
    let total: number;
    if (query.q === undefined) {
      total = counts.total({ category, year });
      if (page <= maxPages && skip < total) documents = await this.page({ category, year }, skip, limit);
    } else {
      const found = await this.search(query.q, { category, year });
      total = found.length;
      if (page <= maxPages) documents = found.slice(skip, skip + limit);
    }
    const pages = Math.min(Math.ceil(total / limit), maxPages);
    const { categories, years } = counts;
    return { list: { items: documents.map(summaryOf), page, pages, total, categories, years }, changedAt: counted.changedAt };
  }

  /** One item with its neighbours in time, where it has moved to, or that there is none. */
  async find(newsId: string): Promise<Found> {
    const { changedAt } = await this.counts.read();
    const document = await this.collections.news.findOne({ newsId }, { projection: { body: 0, words: 0 } });
    if (document === null) return await this.findOldId(newsId);
    if (document.state !== 'published') return document.wasPublished ? 'gone' : null;
    const [previous, next] = await Promise.all([this.neighbour(document, '$lt'), this.neighbour(document, '$gt')]);
    return { detail: { ...summaryOf(document), body: document.tree, previous, next }, changedAt };
  }

  /** Every published item, page by page. The order is that of writing, which no change alters. */
  async published(after: string | undefined): Promise<Published> {
    const filter: Filter<NewsDocument> = { state: 'published', ...(after !== undefined && { _id: { $gt: new ObjectId(after) } }) };
    const documents = await this.collections.news
      .find(filter, { projection: { newsId: 1, updatedAt: 1 } })
      .sort({ _id: 1 })
      .limit(publishedPage)
      .toArray();
    const items = documents.map(({ newsId, updatedAt }) => ({ newsId, updatedAt: updatedAt.toISOString() }));
    return { items, next: documents.length === publishedPage ? (documents.at(-1)?._id.toHexString() ?? null) : null };
  }

  private async page(filter: Pick<ListQuery, 'category' | 'year'>, skip: number, limit: number): Promise<Summary[]> {
    const { category, year } = filter;
    return await this.collections.news
      .find({ state: 'published', ...(category && { category }), ...inYear(year) }, { projection: summaryFields })
      .sort(newestFirst)
      .skip(skip)
      .limit(limit)
      .toArray();
  }

  /** The newest items that have all words. Both the work and the answer are bounded, however many items there are. */
  private async search(q: string, { category, year }: Pick<ListQuery, 'category' | 'year'>): Promise<Summary[]> {
    const words = queryWords(q);
    const rarest = await this.rarest(words);
    if (rarest === undefined) return [];
    const others = words.filter((word) => word !== rarest);
    const further = { ...(others.length > 0 && { words: { $all: others } }), ...(category && { category }) };
    return await this.collections.news
      .aggregate<Summary>([
        { $match: { words: rarest, ...inYear(year) } },
        { $sort: newestFirst },
        { $limit: searchDepth },
        ...(Object.keys(further).length > 0 ? [{ $match: further }] : []),
        { $limit: searchResults },
        { $project: summaryFields },
      ])
      .toArray();
  }

  private async rarest(words: readonly string[]): Promise<string | undefined> {
    if (words.length < 2) return words[0];
    // The longest are likely to be rare.
    const weighed = words.toSorted((a, b) => b.length - a.length).slice(0, weighedWords);
    const counts = await Promise.all(weighed.map((word) => this.collections.news.countDocuments({ words: word }, { limit: searchDepth })));
    return weighed[counts.indexOf(Math.min(...counts))];
  }

  private async findOldId(newsId: string): Promise<Found> {
    const old = await this.collections.ids.findOne({ _id: newsId });
    const document =
      old && (await this.collections.news.findOne({ _id: old.item }, { projection: { newsId: 1, state: 1, wasPublished: 1 } }));
    if (!document) return null;
    if (document.state === 'published') return { moved: document.newsId };
    return document.wasPublished ? 'gone' : null;
  }

  private async neighbour(item: Pick<NewsDocument, 'newsId' | 'publishedAt'>, beyond: '$lt' | '$gt') {
    const { newsId, publishedAt } = item;
    const state = 'published';
    const filter = {
      $or: [
        { state, publishedAt: { [beyond]: publishedAt } },
        { state, publishedAt, newsId: { [beyond]: newsId } },
      ],
    } as Filter<NewsDocument>;
    const sort = beyond === '$lt' ? newestFirst : oldestFirst;
    return await this.collections.news.findOne(filter, { sort, projection: { _id: 0, ...linkFields } });
  }
}

/** By UTC, as the counts are. */
function inYear(year: number | undefined): { publishedAt?: { $gte: Date; $lt: Date } } {
  if (year === undefined) return {};
  return { publishedAt: { $gte: new Date(Date.UTC(year, 0)), $lt: new Date(Date.UTC(year + 1, 0)) } };
}

function summaryOf({ _id, newsId, title, language, excerpt, category, publishedAt, updatedAt }: Summary) {
  if (publishedAt === null) throw new Error('a published item without its date');
  const dates = { publishedAt: publishedAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { itemId: _id.toHexString(), newsId, title, language, excerpt, category, ...dates };
}
