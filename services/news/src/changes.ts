/** `GET /changes`: what visitors could notice, as server-sent events, for whoever keeps copies. */
import type { Log } from '@colonnade/service/log';
import { shuttingDown } from '@colonnade/service/shutdown';
import type { RequestHandler, Response } from 'express';
import type { Db } from 'mongodb';
import { isUnknownPosition, type Position, SharedChanges, type Told } from './change-stream.ts';
import type { Announcement } from './documents.ts';
import { streamFull } from './errors.ts';

/** They share one connection to MongoDB. */
const maxListeners = 256;
/** Those who go on from earlier each need another connection, of 50, until they have caught up. */
const maxCatchingUp = 8;
const reconnectMs = 1000;
/** Who has missed more is told to forget everything. */
const maxMissed = 1000;
/** Who reads slower than this is cut off, and comes back with its last id. */
const maxUnreadBytes = 1_000_000;
const reset = 'event: reset\ndata: {}\n';

/**
 * Events are `change`, with `{kind, newsId, previousId?, tags}`, and `reset`: changes may have been missed, so that everything has
 * changed. The first is `reset` where no `Last-Event-ID` came, or one that is too old to go on from. An id comes at once: from then
 * on the listener knows of every change.
 */
export function changeFeed({ db, log }: { db: Db; log: Log }): RequestHandler {
  const changes = new SharedChanges(db);
  let listeners = 0;
  let catchingUp = 0;

  return async (req, res) => {
    const since = positionIn(req.get('last-event-id'));
    if (listeners >= maxListeners || (since !== undefined && catchingUp >= maxCatchingUp)) throw streamFull();
    listeners++;
    try {
      await follow(res, since);
    } catch (err) {
      if (!res.headersSent) throw err;
      if (!res.closed && !shuttingDown.aborted) log.warn({ requestId: req.id, err }, 'stream of changes ended');
    } finally {
      listeners--;
      if (res.headersSent) res.end();
    }
  };

  async function follow(res: Response, since: Position | undefined): Promise<void> {
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => {});
    res.once('close', ended.resolve);
    shuttingDown.addEventListener('abort', () => ended.resolve(), { once: true, signal: closing(res) });
    if (shuttingDown.aborted) ended.resolve();

    /** What happens while the listener catches up; null when it has. */
    let waiting: Told[] | null = [];
    let last = since ?? '';
    const tell = ({ position, announcement }: Told) => {
      if (waiting) return void waiting.push({ position, announcement });
      if (announcement && position <= last) return;
      if (position > last) last = position;
      res.write(`${announcement ? eventOf(announcement) : ': still here\n'}${idLine(last)}`);
      if (res.writableLength > maxUnreadBytes) ended.resolve();
    };

    const { from, leave } = await changes.join({ told: tell, failed: ended.reject });
    try {
      // A connection that waits for another request would hold up the end of the process.
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' });
      res.write(`retry: ${reconnectMs}\n\n`);
      const missed = since === undefined ? null : since === from ? [] : await missedBetween(since, from);
      if (missed === null) last = from;
      const told = waiting;
      waiting = null;
      if (missed === null) res.write(`${reset}${idLine(from)}`);
      else for (const one of [...missed, { position: from, announcement: null }]) tell(one);
      for (const one of told) tell(one);
      await ended.promise;
    } finally {
      leave();
    }
  }

  /** Null where that cannot be told: MongoDB does not know the position, or it is too much. */
  async function missedBetween(since: Position, from: Position): Promise<Told[] | null> {
    const missed: Told[] = [];
    catchingUp++;
    try {
      for await (const one of changes.between(since, from)) if (missed.push(one) > maxMissed) return null;
      return missed;
    } catch (error) {
      if (isUnknownPosition(error)) return null;
      throw error;
    } finally {
      catchingUp--;
    }
  }
}

function closing(res: Response): AbortSignal {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  return closed.signal;
}

function eventOf(announcement: Announcement): string {
  const { newsId, previousId } = announcement;
  const tags = ['news', ...[newsId, previousId].flatMap((id) => (id === undefined ? [] : [`news:${id}`]))];
  return `event: change\ndata: ${JSON.stringify({ ...announcement, tags })}\n`;
}

/** The end of a block. As an event id a position is shorter than its hex digits, and has no form to rely on. */
function idLine(position: Position): string {
  return `id: ${Buffer.from(position, 'hex').toString('base64url')}\n\n`;
}

function positionIn(id: string | undefined): Position | undefined {
  if (id === undefined || !/^[\w-]{1,500}$/.test(id)) return undefined;
  return Buffer.from(id, 'base64url').toString('hex').toUpperCase();
}
