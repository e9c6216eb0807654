/** `GET /changes`: what visitors could notice, as server-sent events, for whoever keeps copies. From a MongoDB change stream over the versions. */
import type { Log } from '@colonnade/service/log';
import { shuttingDown } from '@colonnade/service/shutdown';
import type { RequestHandler, Response } from 'express';
import { type ChangeStream, type ChangeStreamInsertDocument, type Db, MongoServerError, type ResumeToken, type Timestamp } from 'mongodb';
import type { Announcement, VersionDocument } from './documents.ts';
import { streamFull } from './errors.ts';

/** Each holds a connection to MongoDB, of 50. */
const maxClients = 16;
/** A line every so often shows both ends that the other is there, and moves the id on while nothing happens. */
const heartbeatMs = 3000;
const reconnectMs = 1000;
/** Who reads slower than this is cut off, and comes back with its last id. */
const maxUnreadBytes = 1_000_000;

type Change = ChangeStreamInsertDocument<VersionDocument>;

/**
 * Events are `change`, with `{kind, newsId, previousId?, tags}`, and `reset`: changes may have been missed, so that everything has
 * changed. The first is `reset` where no `Last-Event-ID` came, or one that is too old to go on from.
 */
export function changeFeed({ db, log }: { db: Db; log: Log }): RequestHandler {
  let clients = 0;
  return async (req, res) => {
    if (clients >= maxClients) throw streamFull();
    clients++;
    try {
      await follow(db, res, resumeToken(req.get('last-event-id')));
    } catch (err) {
      if (!res.headersSent) throw err;
      if (!res.closed && !shuttingDown.aborted) log.warn({ requestId: req.id, err }, 'stream of changes ended');
      res.end();
    } finally {
      clients--;
    }
  };
}

async function follow(db: Db, res: Response, since: ResumeToken | undefined): Promise<void> {
  const ended = Promise.withResolvers<'ended'>();
  const end = () => ended.resolve('ended');
  res.once('close', end);
  shuttingDown.addEventListener('abort', end, { once: true });
  if (shuttingDown.aborted) end();
  let stream = since === undefined ? await fromNow(db) : open(db, { resumeAfter: since });
  try {
    // A connection that waits for another request would hold up the end of the process.
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' });
    res.write(`retry: ${reconnectMs}\n\n`);
    if (since === undefined) res.write('event: reset\ndata: {}\n\n');
    for (let first = true; res.writableLength < maxUnreadBytes; first = false) {
      try {
        const change = await Promise.race([stream.tryNext(), ended.promise]);
        if (change === 'ended') return;
        const told = change === null ? ': still here\n' : eventOf(change);
        res.write(`${told}${idLine(change?._id ?? stream.resumeToken)}\n`);
      } catch (error) {
        // Only the first answer tells that a token is not known, or too old.
        if (!first || since === undefined || !(error instanceof MongoServerError)) throw error;
        stream = await fromNow(db);
        res.write('event: reset\ndata: {}\n\n');
      }
    }
  } finally {
    shuttingDown.removeEventListener('abort', end);
    // Not waited for: MongoDB may take as long as a heartbeat to let go.
    stream.close().catch(() => {});
    res.end();
  }
}

function open(db: Db, from: { resumeAfter: ResumeToken } | { startAtOperationTime: Timestamp }): ChangeStream<VersionDocument, Change> {
  const pipeline = [
    { $match: { operationType: 'insert', 'fullDocument.announce': { $type: 'object' } } },
    { $project: { 'fullDocument.announce': 1 } },
  ];
  return db.collection<VersionDocument>('versions').watch<VersionDocument, Change>(pipeline, { ...from, maxAwaitTimeMS: heartbeatMs });
}

/** From this moment, not from when MongoDB has opened the stream: nothing is missed in between. */
async function fromNow(db: Db): Promise<ChangeStream<VersionDocument, Change>> {
  const { operationTime } = await db.command({ ping: 1 });
  return open(db, { startAtOperationTime: operationTime as Timestamp });
}

function eventOf({ fullDocument: { announce } }: Change): string {
  const { newsId, previousId } = announce as Announcement;
  const tags = ['news', ...[newsId, previousId].flatMap((id) => (id === undefined ? [] : [`news:${id}`]))];
  return `event: change\ndata: ${JSON.stringify({ ...announce, tags })}\n`;
}

/** A resume token is hex in `_data`; as an event id it is shorter and has no form to rely on. */
function idLine(token: ResumeToken): string {
  const data = (token as { _data?: string } | null)?._data;
  return data === undefined ? '' : `id: ${Buffer.from(data, 'hex').toString('base64url')}\n`;
}

function resumeToken(id: string | undefined): ResumeToken | undefined {
  if (id === undefined || !/^[\w-]{1,500}$/.test(id)) return undefined;
  return { _data: Buffer.from(id, 'base64url').toString('hex').toUpperCase() };
}
