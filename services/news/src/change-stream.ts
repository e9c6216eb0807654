import { type ChangeStream, type ChangeStreamInsertDocument, type Db, MongoServerError, type ResumeToken, type Timestamp } from 'mongodb';
import type { Announcement, VersionDocument } from './documents.ts';

/** A word every so often shows that the stream is alive, and moves the position on while nothing happens. */
const heartbeatMs = 3000;
/** What has happened is there at once; nobody waits for what has not. */
const catchUpMs = 1;

/**
 * A place in the order of all changes: the hex digits of a resume token, which sort as the changes do.
 * @see https://www.mongodb.com/docs/manual/changeStreams/#resume-tokens
 */
export type Position = string;

/** What everybody hears: a change, or with null that there was none up to this position. */
export interface Told {
  position: Position;
  announcement: Announcement | null;
}

export interface Listener {
  told(told: Told): void;
  /** The stream has broken: nothing more will be told. */
  failed(error: unknown): void;
}

type Change = ChangeStreamInsertDocument<VersionDocument>;
type Versions = ChangeStream<VersionDocument, Change>;

/** What visitors could notice: one MongoDB change stream over the versions for all who listen, open while somebody does. */
export class SharedChanges {
  readonly #db: Db;
  #line: Line | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * @returns from which position on the listener is told everything, and how to leave
   * @throws where MongoDB does not open the stream
   */
  async join(listener: Listener): Promise<{ from: Position; leave(): void }> {
    if (!this.#line?.open) this.#line = new Line(this.#db);
    const line = this.#line;
    line.add(listener);
    const leave = () => line.remove(listener);
    try {
      return { from: await line.position(), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The changes after a position, up to another one. @throws MongoServerError where MongoDB does not know the position any more */
  async *between(after: Position, upTo: Position): AsyncGenerator<Told> {
    const stream = open(this.#db, { resumeAfter: { _data: after }, maxAwaitTimeMS: catchUpMs });
    try {
      for (;;) {
        const change = await stream.tryNext();
        const position = positionOf(change?._id ?? stream.resumeToken) ?? after;
        if (change !== null && position <= upTo) yield { position, announcement: announcementOf(change) };
        if (position >= upTo) return;
      }
    } finally {
      letGo(stream);
    }
  }
}

/** One change stream, from its opening to its end. */
class Line {
  /** Whether it can still be joined. */
  open = true;
  readonly #listeners = new Set<Listener>();
  readonly #started = Promise.withResolvers<void>();
  #stream: Versions | null = null;
  #position: Position | null = null;

  constructor(db: Db) {
    this.#started.promise.catch(() => {});
    void this.#run(db);
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.open = false;
    if (this.#stream) letGo(this.#stream);
  }

  /** Up to where everything has been told. */
  async position(): Promise<Position> {
    await this.#started.promise;
    return this.#position as Position;
  }

  async #run(db: Db): Promise<void> {
    try {
      this.#stream = await fromNow(db);
      // Of MongoDB's first answer; the next one may take as long as a heartbeat.
      this.#stream.on('resumeTokenChanged', (token) => {
        if (this.#position === null) this.#moved(positionOf(token));
      });
      while (this.open) {
        const change = await this.#stream.tryNext();
        this.#moved(positionOf(change?._id ?? this.#stream.resumeToken));
        if (this.#position === null) continue;
        const told = { position: this.#position, announcement: change && announcementOf(change) };
        for (const listener of [...this.#listeners]) listener.told(told);
      }
    } catch (error) {
      this.open = false;
      this.#started.reject(error);
      for (const listener of [...this.#listeners]) listener.failed(error);
    } finally {
      if (this.#stream) letGo(this.#stream);
    }
  }

  #moved(position: Position | undefined): void {
    if (position === undefined) return;
    this.#position = position;
    this.#started.resolve();
  }
}

/** Whether MongoDB refuses to go on from a position: it is not one, or too long ago. */
export function isUnknownPosition(error: unknown): boolean {
  return error instanceof MongoServerError;
}

/** From this moment, not from when MongoDB has opened the stream: nothing is missed in between. */
async function fromNow(db: Db): Promise<Versions> {
  const { operationTime } = await db.command({ ping: 1 });
  return open(db, { startAtOperationTime: operationTime as Timestamp, maxAwaitTimeMS: heartbeatMs });
}

function open(db: Db, options: { resumeAfter?: ResumeToken; startAtOperationTime?: Timestamp; maxAwaitTimeMS: number }): Versions {
  const pipeline = [
    { $match: { operationType: 'insert', 'fullDocument.announce': { $type: 'object' } } },
    { $project: { 'fullDocument.announce': 1 } },
  ];
  return db.collection<VersionDocument>('versions').watch<VersionDocument, Change>(pipeline, options);
}

/** Not waited for: MongoDB may take as long as a heartbeat. */
function letGo(stream: Versions): void {
  stream.close().catch(() => {});
}

function announcementOf({ fullDocument: { announce } }: Change): Announcement {
  return announce as Announcement;
}

function positionOf(token: ResumeToken): Position | undefined {
  return (token as { _data?: string } | null)?._data;
}
