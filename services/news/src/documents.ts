/** What is stored: items, their versions, the ids they have had, and the counts. */
import { markdownTree, type Tree } from '@colonnade/content';
import { type CollectionShape, ensureCollection } from '@colonnade/service/collection';
import type { Collection, Db } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { changes } from './answers.ts';
import { type Category, categories, type Language, languages, type NewsChange, type State, states } from './schema.ts';
import { textWords, treeText } from './words.ts';

/** An item. Its tree and words are made when it is written, not each time somebody reads it. */
export interface NewsDocument {
  /** Stays the same when the newsId changes: versions and ids belong to it. */
  _id: ObjectId;
  newsId: string;
  title: string;
  language: Language;
  category: Category;
  excerpt: string;
  body: string;
  tree: Tree;
  /** The words by which visitors find it: none unless it is published, so that one index serves the search. */
  words: string[];
  state: State;
  /** Whether visitors have ever seen it: from then on it is 410 when it is not published. */
  wasPublished: boolean;
  /** The number of changes; its ETag. */
  revision: number;
  /** The date shown, by which items are ordered. */
  publishedAt: Date | null;
  /** When a scheduled item is due. */
  publishAt: Date | null;
  updatedAt: Date;
  schemaVersion: 2;
}

export type What = (typeof changes)[number];
export interface Who {
  id: string;
  name: string;
}

/** What visitors, and caches for them, notice of a change. */
export interface Announcement {
  kind: 'published' | 'changed' | 'unpublished' | 'renamed';
  newsId: string;
  previousId?: string;
}

/** One change: never altered, never removed. */
export interface VersionDocument {
  item: ObjectId;
  revision: number;
  newsId: string;
  what: What;
  who: Who;
  at: Date;
  snapshot: Pick<NewsDocument, 'newsId' | 'title' | 'language' | 'category' | 'excerpt' | 'body' | 'state' | 'publishedAt' | 'publishAt'>;
  /** Null where visitors notice nothing. The stream of changes is made from it. */
  announce: Announcement | null;
}

/** Every id that an item has or had: the one place that keeps two items from meeting in one id. */
export interface IdDocument {
  /** The newsId. */
  _id: string;
  item: ObjectId;
}

/** Counts that each change adjusts in its transaction, so that no list has to count. */
export interface CountsDocument {
  _id: 'news';
  /** Published items by year of `publishedAt` and category. */
  published: Record<string, Partial<Record<Category, number>>>;
  states: Partial<Record<State, number>>;
  /** When visitors could last notice anything. */
  changedAt: Date;
  /** How often since the counts were made anew. */
  changes?: number;
}

export interface NewsCollections {
  news: Collection<NewsDocument>;
  versions: Collection<VersionDocument>;
  ids: Collection<IdDocument>;
  counts: Collection<CountsDocument>;
}

export function newsCollections(db: Db): NewsCollections {
  return { news: db.collection('news'), versions: db.collection('versions'), ids: db.collection('ids'), counts: db.collection('counts') };
}

export const newestFirst = { publishedAt: -1, newsId: -1 } as const;
export const oldestFirst = { publishedAt: 1, newsId: 1 } as const;

const id = { bsonType: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 100 };
const dateOrNull = { bsonType: ['date', 'null'] };

const shapes: CollectionShape[] = [
  {
    name: 'news',
    jsonSchema: {
      bsonType: 'object',
      required: [
        ...['_id', 'newsId', 'title', 'language', 'category', 'excerpt', 'body', 'tree', 'words', 'state', 'wasPublished', 'revision'],
        ...['publishedAt', 'publishAt', 'updatedAt', 'schemaVersion'],
      ],
      additionalProperties: false,
      properties: {
        _id: { bsonType: 'objectId' },
        newsId: id,
        title: { bsonType: 'string', minLength: 1, maxLength: 200 },
        language: { enum: [...languages] },
        category: { enum: [...categories] },
        excerpt: { bsonType: 'string', minLength: 1, maxLength: 500 },
        body: { bsonType: 'string', maxLength: 100_000 },
        tree: { bsonType: 'array' },
        words: { bsonType: 'array', maxItems: 10_000 },
        state: { enum: [...states] },
        wasPublished: { bsonType: 'bool' },
        revision: { bsonType: 'int', minimum: 1 },
        publishedAt: dateOrNull,
        publishAt: dateOrNull,
        updatedAt: { bsonType: 'date' },
        schemaVersion: { enum: [2] },
      },
      // A published item has its date, and a scheduled one knows when.
      allOf: [
        { anyOf: [{ properties: { state: { not: { enum: ['published'] } } } }, { properties: { publishedAt: { bsonType: 'date' } } }] },
        { anyOf: [{ properties: { state: { not: { enum: ['scheduled'] } } } }, { properties: { publishAt: { bsonType: 'date' } } }] },
      ],
    },
    indexes: [
      { key: { newsId: 1 }, unique: true },
      { key: { state: 1, ...newestFirst } },
      { key: { state: 1, category: 1, ...newestFirst } },
      { key: { words: 1, ...newestFirst } },
      // Holds all that the list of all published items tells.
      { key: { state: 1, _id: 1, newsId: 1, updatedAt: 1 } },
      { key: { publishAt: 1 }, partialFilterExpression: { state: 'scheduled' } },
      { key: { updatedAt: -1, _id: -1 } },
      { key: { state: 1, updatedAt: -1, _id: -1 } },
    ],
  },
  {
    name: 'versions',
    jsonSchema: {
      bsonType: 'object',
      required: ['item', 'revision', 'newsId', 'what', 'who', 'at', 'snapshot', 'announce'],
      properties: { item: { bsonType: 'objectId' }, revision: { bsonType: 'int' }, newsId: id, at: { bsonType: 'date' } },
    },
    indexes: [{ key: { item: 1, revision: -1 }, unique: true }],
  },
  { name: 'ids', jsonSchema: { bsonType: 'object', required: ['item'], properties: { _id: id, item: { bsonType: 'objectId' } } } },
  { name: 'counts', jsonSchema: { bsonType: 'object', required: ['published', 'states', 'changedAt'] } },
];

/** Creates the collections with their validators, without indexes: those come when no document of an older shape is left. */
export async function createCollections(db: Db): Promise<void> {
  for (const { name, jsonSchema } of shapes) await ensureCollection(db, { name, jsonSchema });
}

export async function createIndexes(db: Db): Promise<void> {
  for (const shape of shapes) await ensureCollection(db, shape);
}

/** The fields of an item that follow from what its author writes. */
export function writtenFields({ title, language, category, excerpt, body }: Omit<NewsChange, 'publishedAt'>) {
  return { title: title.trim(), language, category, excerpt: excerpt.trim(), body, tree: markdownTree(body) };
}

/** `words` of an item in its state. */
export function visibleWords({ state, title, excerpt, tree }: Pick<NewsDocument, 'state' | 'title' | 'excerpt' | 'tree'>): string[] {
  return state === 'published' ? textWords(`${title} ${excerpt} ${treeText(tree)}`) : [];
}

/** The version that a change leaves, with the item as it is after it. */
export function versionOf(after: NewsDocument, change: { what: What; who: Who; announce: Announcement | null }): VersionDocument {
  const { _id, newsId, revision, updatedAt, title, language, category, excerpt, body, state, publishedAt, publishAt } = after;
  const snapshot = { newsId, title, language, category, excerpt, body, state, publishedAt, publishAt };
  return { item: _id, revision, newsId, at: updatedAt, snapshot, ...change };
}

/** A published item that was not written at the desk: the sample, or one of the first shape. */
export function publishedDocument(
  item: Omit<NewsChange, 'publishedAt'> & { newsId: string; publishedAt: string | Date },
  updatedAt: Date,
): NewsDocument {
  const { newsId, publishedAt } = item;
  const written = writtenFields(item);
  return {
    _id: new ObjectId(),
    newsId,
    ...written,
    words: visibleWords({ state: 'published', ...written }),
    state: 'published',
    wasPublished: true,
    revision: 1,
    publishedAt: new Date(publishedAt),
    publishAt: null,
    updatedAt,
    schemaVersion: 2,
  };
}
