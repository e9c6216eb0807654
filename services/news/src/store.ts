/** All that visitors ask of the news: only what is published. Dates can be equal, so the id decides within one. */
import { type Db, type Filter, ObjectId } from 'mongodb';
import type { NewsDetail, NewsList, Published } from './answers.ts';
import { Counts, publishedCounts, publishedTotal, visibleState } from './counts.ts';
import { type CountsDocument, type NewsCollections, type NewsDocument, newestFirst, newsCollections, oldestFirst } from './documents.ts';
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
/** Of so many items: as those that many visitors ask for. */
const rememberedNeighbours = 1000;

type NewsLink = Pick<NewsDocument, keyof typeof linkFields>;
type Neighbours = { previous: NewsLink | null; next: NewsLink | null };

/** Of a list: the counts as they were just before, what is on the page, how many there are on all pages, and whether those are all. */
interface Page {
  counted: CountsDocument;
  found: Summary[];
  total: number;
  more?: true;
}

/** What an address of an item leads to. */
export type Found = { detail: NewsDetail; changedAt: Date } | { moved: string } | 'gone' | null;

export class NewsStore {
  readonly collections: NewsCollections;
  readonly counts: Counts;
  /** Neighbours by item, as of one state of the news. */
  #remembered = { state: '', neighbours: new Map<string, Neighbours>() };

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
    const skip = (page - 1) * limit;
    const { counted, found, total, more } =
      query.q === undefined
        ? await this.page({ category, year }, skip, page <= maxPages ? limit : 0)
        : await this.results(query.q, { category, year }, skip, page <= maxPages ? limit : 0);
    const pages = Math.min(Math.ceil(total / limit), maxPages);
    const { categories, years } = publishedCounts(counted);
    return { list: { items: found.map(summaryOf), page, pages, total, more, categories, years }, changedAt: counted.changedAt };
  }

  /** The newest items. */
  async latest(limit: number): Promise<Pick<NewsList, 'items'>> {
    const found = await this.collections.news
      .find<Summary>({ state: 'published' }, { projection: summaryFields, batchSize: limit, singleBatch: true })
      .sort(newestFirst)
      .limit(limit)
      .toArray();
    return { items: found.map(summaryOf) };
  }

  /** One item with its neighbours in time, where it has moved to, or that there is none. */
  async find(newsId: string): Promise<Found> {
    const { counts, found } = await this.counts.readWith<NewsDocument>([{ $match: { newsId } }, { $project: { body: 0, words: 0 } }]);
    const [document] = found;
    if (document === undefined) return await this.findOldId(newsId);
    if (document.state !== 'published') return document.wasPublished ? 'gone' : null;
    return {
      detail: { ...summaryOf(document), body: document.tree, ...(await this.neighbours(document, visibleState(counts))) },
      changedAt: counts.changedAt,
    };
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

  /** @param limit 0: none of the items */
  private async page({ category, year }: Pick<ListQuery, 'category' | 'year'>, skip: number, limit: number): Promise<Page> {
    const $match = { state: 'published', ...(category && { category }), ...inYear(year) };
    const { counts: counted, found } =
      limit === 0
        ? { counts: await this.counts.read(), found: [] }
        : await this.counts.readWith<Summary>([
            { $match },
            { $sort: newestFirst },
            ...(skip > 0 ? [{ $skip: skip }] : []),
            { $limit: limit },
            { $project: summaryFields },
          ]);
    return { counted, found, total: publishedTotal(counted, { category, year }) };
  }

  private async results(q: string, filter: Pick<ListQuery, 'category' | 'year'>, skip: number, limit: number): Promise<Page> {
    const counted = await this.counts.read();
    const { all, more } = await this.search(q, filter);
    return { counted, found: all.slice(skip, skip + limit), total: all.length, more };
  }

  /**
   * The newest items that have all words. Both the work and the answer are bounded, however many items there are.
   * `more`: a bound was met, beyond which there are, or may be, older ones.
   */
  private async search(q: string, { category, year }: Pick<ListQuery, 'category' | 'year'>): Promise<{ all: Summary[]; more?: true }> {
    const words = queryWords(q);
    const rarest = await this.rarest(words);
    if (rarest === undefined) return { all: [] };
    const others = words.filter((word) => word !== rarest);
    const further = { ...(others.length > 0 && { words: { $all: others } }), ...(category && { category }) };
    const narrowed = Object.keys(further).length > 0;
    const first = { words: rarest, ...inYear(year) };
    const [found, deep] = await Promise.all([
      this.collections.news
        .aggregate<Summary>([
          { $match: first },
          { $sort: newestFirst },
          { $limit: searchDepth },
          ...(narrowed ? [{ $match: further }] : []),
          { $limit: searchResults + 1 },
          { $project: summaryFields },
        ])
        .toArray(),
      narrowed ? this.collections.news.countDocuments(first, { limit: searchDepth + 1 }) : 0,
    ]);
    return { all: found.slice(0, searchResults), ...((found.length > searchResults || deep > searchDepth) && { more: true }) };
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

  /**
   * The items before and after one in time. They stay the same until visitors could notice a change; the state is read with
   * each item, so what is remembered of another one is never given.
   */
  private async neighbours(document: Pick<NewsDocument, 'newsId' | 'publishedAt'>, state: string): Promise<Neighbours> {
    if (this.#remembered.state !== state) this.#remembered = { state, neighbours: new Map() };
    const { neighbours } = this.#remembered;
    const known = neighbours.get(document.newsId);
    if (known) return known;
    const found = await this.findNeighbours(document);
    for (const oldest of neighbours.keys()) if (neighbours.size >= rememberedNeighbours) neighbours.delete(oldest);
    neighbours.set(document.newsId, found);
    return found;
  }

  private async findNeighbours({ newsId, publishedAt }: Pick<NewsDocument, 'newsId' | 'publishedAt'>): Promise<Neighbours> {
    // One range of the index; an `$or` at the root would be planned anew each time, at twice the cost.
    const nearest = (beyond: '$lt' | '$gt', side: keyof Neighbours) => [
      {
        $match: {
          state: 'published',
          publishedAt: { [`${beyond}e`]: publishedAt },
          $or: [{ publishedAt: { [beyond]: publishedAt } }, { newsId: { [beyond]: newsId } }],
        },
      },
      { $sort: beyond === '$lt' ? newestFirst : oldestFirst },
      { $limit: 1 },
      { $project: { _id: 0, side: { $literal: side }, ...linkFields } },
    ];
    const found = await this.collections.news
      .aggregate<NewsLink & { side: keyof Neighbours }>([
        ...nearest('$lt', 'previous'),
        { $unionWith: { coll: this.collections.news.collectionName, pipeline: nearest('$gt', 'next') } },
      ])
      .toArray();
    const neighbours: Neighbours = { previous: null, next: null };
    for (const { side, ...link } of found) neighbours[side] = link;
    return neighbours;
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
