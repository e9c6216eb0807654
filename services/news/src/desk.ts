/** What the staff does with news. Each change is one transaction: the item, its version, its id and the counts, or nothing. */
import { isDeepStrictEqual } from 'node:util';
import { inTransaction } from '@colonnade/service/transaction';
import { type ClientSession, type Db, type MongoClient, MongoServerError, ObjectId } from 'mongodb';
import { Counts } from './counts.ts';
import {
  type Announcement,
  type NewsCollections,
  type NewsDocument,
  newsCollections,
  versionOf,
  visibleWords,
  type What,
  type Who,
  writtenFields,
} from './documents.ts';
import { idTaken, itemNotFound, notInThisState, stale } from './errors.ts';
import type { NewsChange, NewsDraft } from './schema.ts';

const duplicateKey = 11_000;

/** Which item a change is for, from which revision it was made, and who makes it. */
export interface Target {
  newsId: string;
  revision: number;
  who: Who;
}

export class Desk {
  readonly collections: NewsCollections;
  readonly #client: MongoClient;
  readonly #counts: Counts;

  constructor(db: Db, client: MongoClient) {
    this.collections = newsCollections(db);
    this.#client = client;
    this.#counts = new Counts(this.collections);
  }

  /** @throws Problem 409 where an item has or had this id */
  async create({ newsId, ...content }: NewsDraft, who: Who): Promise<NewsDocument> {
    const document: NewsDocument = {
      _id: new ObjectId(),
      newsId,
      ...writtenFields(content),
      words: [],
      state: 'draft',
      wasPublished: false,
      revision: 1,
      publishedAt: dateOf(content.publishedAt),
      publishAt: null,
      updatedAt: new Date(),
      schemaVersion: 2,
    };
    await this.transaction(async (session) => {
      await this.takeId(session, newsId, document._id);
      await this.collections.news.insertOne(document, { session });
      await this.collections.versions.insertOne(versionOf(document, { what: 'created', who, announce: null }), { session });
      await this.#counts.adjust(session, null, document, false);
    });
    return document;
  }

  /** Changes the content. The same content again is no change, unless the words to find it by are made otherwise by now. */
  async change(target: Target, change: NewsChange): Promise<NewsDocument> {
    const written = writtenFields(change);
    return await this.write(target, 'changed', (before) => {
      const wanted = dateOf(change.publishedAt) ?? before.publishedAt;
      const publishedAt = before.state === 'published' ? notLater(wanted, new Date()) : wanted;
      const after = { ...before, ...written, publishedAt };
      return isDeepStrictEqual({ ...after, words: visibleWords(after) }, before) ? null : after;
    });
  }

  async publish(target: Target): Promise<NewsDocument> {
    return await this.write(target, 'published', (before) => {
      if (before.state === 'published') throw notInThisState('It is published already.');
      return published(before, new Date());
    });
  }

  async schedule(target: Target, publishAt: Date): Promise<NewsDocument> {
    return await this.write(target, 'scheduled', (before) => {
      if (before.state === 'published') throw notInThisState('It is published already: unpublish it first.');
      return { ...before, state: 'scheduled', publishAt };
    });
  }

  /** Takes a published item off the site, or a scheduled one off the schedule. */
  async unpublish(target: Target): Promise<NewsDocument> {
    return await this.write(target, 'unpublished', (before) => {
      if (before.state !== 'published' && before.state !== 'scheduled') throw notInThisState('It is neither published nor scheduled.');
      return { ...before, state: before.wasPublished ? 'unpublished' : 'draft', publishAt: null };
    });
  }

  /** Gives an item another id; the old one stays its own and leads to it. */
  async rename(target: Target, newsId: string): Promise<NewsDocument> {
    return await this.write(target, 'renamed', (before) => (newsId === before.newsId ? null : { ...before, newsId }));
  }

  /**
   * Publishes the scheduled item that is due first. Of several instances one does: the others' transactions
   * conflict, look again and find it published.
   * @returns its newsId; null where none is due
   */
  async publishNextDue(now: Date, who: Who): Promise<string | null> {
    return await this.transaction(async (session) => {
      const due = { state: 'scheduled', publishAt: { $lte: now } } as const;
      const before = await this.collections.news.findOne(due, { session, sort: { publishAt: 1 } });
      if (before === null) return null;
      await this.put(session, before, published(before, before.publishAt ?? now), 'published', who);
      return before.newsId;
    });
  }

  /** When the next scheduled item is due. */
  async nextDue(): Promise<Date | null> {
    const filter = { state: 'scheduled' } as const;
    const options = { sort: { publishAt: 1 }, projection: { publishAt: 1 }, hint: { publishAt: 1 } } as const;
    return (await this.collections.news.findOne(filter, options))?.publishAt ?? null;
  }

  private async write(target: Target, what: What, make: (before: NewsDocument) => NewsDocument | null): Promise<NewsDocument> {
    const { newsId, revision, who } = target;
    return await this.transaction(async (session) => {
      const before = await this.collections.news.findOne({ newsId }, { session });
      if (before === null) throw itemNotFound();
      if (before.revision !== revision) throw stale();
      const after = make(before);
      return after === null ? before : await this.put(session, before, after, what, who);
    });
  }

  private async put(session: ClientSession, before: NewsDocument, made: NewsDocument, what: What, who: Who): Promise<NewsDocument> {
    const after = { ...made, words: visibleWords(made), revision: before.revision + 1, updatedAt: new Date() };
    const announce = announcement(before, after, what);
    if (after.newsId !== before.newsId) await this.takeId(session, after.newsId, after._id);
    const { _id, ...values } = after;
    const { matchedCount } = await this.collections.news.replaceOne({ _id, revision: before.revision }, values, { session });
    if (matchedCount === 0) throw stale();
    await this.collections.versions.insertOne(versionOf(after, { what, who, announce }), { session });
    await this.#counts.adjust(session, before, after, announce !== null);
    return after;
  }

  /** An item may have an id again that it had before, but never one of another. */
  private async takeId(session: ClientSession, newsId: string, item: ObjectId): Promise<void> {
    const holder = await this.collections.ids.findOne({ _id: newsId }, { session });
    if (holder === null) await this.collections.ids.insertOne({ _id: newsId, item }, { session });
    else if (!holder.item.equals(item)) {
      const other = await this.collections.news.findOne({ _id: holder.item }, { session, projection: { newsId: 1 } });
      throw idTaken(other?.newsId === newsId ? undefined : other?.newsId);
    }
  }

  private async transaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    try {
      return await inTransaction(this.#client, work);
    } catch (error) {
      // Another item took the id after this transaction had begun.
      if (error instanceof MongoServerError && error.code === duplicateKey) throw idTaken();
      throw error;
    }
  }
}

function published(before: NewsDocument, at: Date): NewsDocument {
  return { ...before, state: 'published', wasPublished: true, publishedAt: notLater(before.publishedAt, at), publishAt: null };
}

/** The date shown: the wanted one, or this moment where nobody wants one or it is still to come. */
function notLater(wanted: Date | null, at: Date): Date {
  return wanted === null || wanted > at ? at : wanted;
}

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

function announcement(before: NewsDocument, { newsId, state }: NewsDocument, what: What): Announcement | null {
  if (what === 'renamed') return before.wasPublished ? { kind: what, newsId, previousId: before.newsId } : null;
  if (what === 'published') return { kind: what, newsId };
  if (before.state !== 'published') return null;
  return { kind: state === 'published' ? 'changed' : 'unpublished', newsId };
}
