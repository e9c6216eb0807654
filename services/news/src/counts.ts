/** Counts of items by year, category and state, kept up to date by each change. */
import type { ClientSession, Collection, Document } from 'mongodb';
import type { CountsDocument, NewsCollections, NewsDocument } from './documents.ts';
import { type Category, categories, type State } from './schema.ts';

type Counted = Pick<NewsDocument, 'state' | 'publishedAt' | 'category'>;

/** What a list needs of the counts. */
export interface PublishedCounts {
  categories: Record<Category, number>;
  years: Record<string, number>;
}

export class Counts {
  readonly #counts: Collection<CountsDocument>;
  readonly #news: NewsCollections['news'];

  constructor({ counts, news }: Pick<NewsCollections, 'counts' | 'news'>) {
    this.#counts = counts;
    this.#news = news;
  }

  /** Makes the counts where they are missing. */
  async read(): Promise<CountsDocument> {
    return (await this.#counts.findOne({ _id: 'news' })) ?? (await this.rebuild());
  }

  /**
   * The counts, then what a pipeline finds among the news: one command, as each costs a request more than what it reads.
   * @param pipeline gives documents with an `_id` of the news
   */
  async readWith<T extends Document>(pipeline: Document[]): Promise<{ counts: CountsDocument; found: T[] }> {
    const all = this.#counts.aggregate<CountsDocument | T>([
      { $match: { _id: 'news' } },
      { $unionWith: { coll: this.#news.collectionName, pipeline } },
    ]);
    const [first, ...rest] = await all.toArray();
    if (first?._id === 'news') return { counts: first as CountsDocument, found: rest as T[] };
    return { counts: await this.rebuild(), found: (first === undefined ? [] : [first, ...rest]) as T[] };
  }

  /** Adjusts the counts by one change, in its transaction. `visible`: visitors notice something. */
  async adjust(session: ClientSession, before: Counted | null, after: Counted, visible: boolean): Promise<void> {
    const add: Record<string, number> = {};
    for (const [item, by] of [
      [before, -1],
      [after, 1],
    ] as const) {
      for (const cell of item === null ? [] : cellsOf(item)) add[cell] = (add[cell] ?? 0) + by;
    }
    const $inc = Object.fromEntries(Object.entries(add).filter(([, by]) => by !== 0));
    if (Object.keys($inc).length === 0 && !visible) return;
    const update = visible ? { $inc: { ...$inc, changes: 1 }, $currentDate: { changedAt: true as const } } : { $inc };
    const { matchedCount } = await this.#counts.updateOne({ _id: 'news' }, update, { session });
    if (matchedCount === 0) await this.rebuild(session);
  }

  /** Counts everything. Two that do so at once write the same. */
  async rebuild(session?: ClientSession): Promise<CountsDocument> {
    const pipeline = [
      {
        $group: {
          _id: {
            state: '$state',
            year: { $cond: [{ $eq: ['$state', 'published'] }, { $year: '$publishedAt' }, null] },
            category: '$category',
          },
          count: { $sum: 1 },
        },
      },
    ];
    const groups = this.#news.aggregate<{ _id: { state: State; year: number | null; category: Category }; count: number }>(pipeline, {
      session,
      // Holds all three fields: no document is read.
      hint: 'state_1_category_1_publishedAt_-1_newsId_-1',
    });
    const document: CountsDocument = { _id: 'news', published: {}, states: {}, changedAt: new Date() };
    for await (const { _id, count } of groups) {
      const { state, year, category } = _id;
      document.states[state] = (document.states[state] ?? 0) + count;
      if (year === null) continue;
      document.published[year] ??= {};
      Object.assign(document.published[year] ?? {}, { [category]: count });
    }
    const { _id, ...values } = document;
    await this.#counts.replaceOne({ _id }, values, { upsert: true, session });
    return document;
  }
}

function cellsOf({ state, publishedAt, category }: Counted): string[] {
  const cells = [`states.${state}`];
  if (state === 'published' && publishedAt !== null) cells.push(`published.${publishedAt.getUTCFullYear()}.${category}`);
  return cells;
}

/** Names what visitors can see: another name wherever they could notice a change, also two within a millisecond. */
export function visibleState({ changedAt, changes = 0 }: Pick<CountsDocument, 'changedAt' | 'changes'>): string {
  return `${changedAt.getTime()}/${changes}`;
}

/** The counts by category and by year; years without items are left out. */
export function publishedCounts({ published }: Pick<CountsDocument, 'published'>): PublishedCounts {
  const byCategory = Object.fromEntries(categories.map((category) => [category, 0])) as Record<Category, number>;
  const years: Record<string, number> = {};
  for (const [year, row] of Object.entries(published)) {
    let sum = 0;
    for (const category of categories) {
      const count = row[category] ?? 0;
      byCategory[category] += count;
      sum += count;
    }
    if (sum > 0) years[year] = sum;
  }
  return { categories: byCategory, years };
}

/** How many published items there are: in all, of a category, of a year, or of both. */
export function publishedTotal(
  { published }: Pick<CountsDocument, 'published'>,
  { category, year }: { category?: Category; year?: number },
): number {
  let sum = 0;
  for (const row of year === undefined ? Object.values(published) : [published[year] ?? {}])
    for (const column of category === undefined ? categories : [category]) sum += row[column] ?? 0;
  return sum;
}
