/** What the staff reads: items of every state, and their versions. */
import type { Db } from 'mongodb';
import type { DeskItem, DeskList } from './answers.ts';
import { Counts } from './counts.ts';
import { type NewsCollections, type NewsDocument, newsCollections, type VersionDocument } from './documents.ts';
import { type DeskQuery, maxPages, states } from './schema.ts';

export class DeskReader {
  readonly collections: NewsCollections;
  readonly #counts: Counts;

  constructor(db: Db) {
    this.collections = newsCollections(db);
    this.#counts = new Counts(this.collections);
  }

  /** One page, last changed first. */
  async list({ page, limit, state }: DeskQuery): Promise<DeskList> {
    const counts = (await this.#counts.read()).states;
    let total = 0;
    for (const each of state === undefined ? states : [state]) total += counts[each] ?? 0;
    const filter = state === undefined ? {} : { state };
    const documents =
      page > maxPages
        ? []
        : await this.collections.news
            .find(filter, { projection: { body: 0, tree: 0, words: 0 } })
            .sort({ updatedAt: -1, _id: -1 })
            .skip((page - 1) * limit)
            .limit(limit)
            .toArray();
    return { items: documents.map(deskItem), page, pages: Math.min(Math.ceil(total / limit), maxPages), total };
  }

  /** The item, or the id it has now, or null. */
  async find(newsId: string): Promise<NewsDocument | { moved: string } | null> {
    const document = await this.collections.news.findOne({ newsId });
    if (document !== null) return document;
    const old = await this.collections.ids.findOne({ _id: newsId });
    const now = old && (await this.collections.news.findOne({ _id: old.item }, { projection: { newsId: 1 } }));
    return now ? { moved: now.newsId } : null;
  }

  /** One page of an item's versions, newest first, without their content. The revision counts them. */
  async versions({ _id, revision }: NewsDocument, { page, limit }: { page: number; limit: number }) {
    const documents =
      page > maxPages
        ? []
        : await this.collections.versions
            .find({ item: _id }, { projection: { snapshot: 0 } })
            .sort({ revision: -1 })
            .skip((page - 1) * limit)
            .limit(limit)
            .toArray();
    return {
      items: documents.map((version) => ({ ...version, at: version.at.toISOString() })),
      page,
      pages: Math.min(Math.ceil(revision / limit), maxPages),
      total: revision,
    };
  }

  async version({ _id }: NewsDocument, revision: number) {
    const version = await this.collections.versions.findOne({ item: _id, revision });
    return version && { ...version, at: version.at.toISOString(), snapshot: snapshotOf(version.snapshot) };
  }
}

/** An item as it leaves to the staff. */
export function deskItem(document: NewsDocument): DeskItem {
  return { ...document, ...datesOf(document), updatedAt: document.updatedAt.toISOString() };
}

function snapshotOf(snapshot: VersionDocument['snapshot']) {
  return { ...snapshot, ...datesOf(snapshot) };
}

function datesOf({ publishedAt, publishAt }: Pick<NewsDocument, 'publishedAt' | 'publishAt'>) {
  return { publishedAt: publishedAt?.toISOString() ?? null, publishAt: publishAt?.toISOString() ?? null };
}
