/** For shells: the stream of states, and what they report. */

import { countsSchema, reportSchema, type State, stateSchema } from '@colonnade/release/api';
import type { Database } from '@colonnade/service/database';
import { methodNotAllowed } from '@colonnade/service/problem';
import { endAtShutdown } from '@colonnade/service/shutdown';
import type { RequestHandler, Router } from 'express';
import type { Activations } from './activations.ts';
import { listenerSchema, shellParams } from './address.ts';
import { addressOf, bodyOf, jsonBody } from './body.ts';
import type { Collections } from './collections.ts';
import { connect } from './connections.ts';
import { addCounts } from './counts.ts';
import { streamFull } from './errors.ts';
import { requireShell } from './shell-token.ts';
import { readState } from './site-state.ts';
import type { StateFeed } from './state-feed.ts';

/** A line every so often shows both ends that the other is there. */
const heartbeatMs = 3000;
const retryMs = 1000;
/** Apart from each other: onlookers need no token, and must not keep shells out. */
const maxStreams = { shells: 256, onlookers: 64 };

export interface ShellRoutesOptions {
  collections: Collections;
  activations: Activations;
  feed: StateFeed;
  within: Database['within'];
  /** What shells prove themselves with; see `requireShell`. */
  shellToken?: string | undefined;
}

export function shellRoutes(router: Router, { collections, activations, feed, within, shellToken }: ShellRoutesOptions): void {
  const shellOnly = requireShell(shellToken);
  router.get(
    '/events',
    (req, res, next) => (req.query.shell === undefined ? next() : shellOnly(req, res, next)),
    stateStream({ collections, feed, within }),
  );
  router.all('/events', methodNotAllowed('GET'));
  router.post('/shells/:id/reports', shellOnly, jsonBody, async (req, res) => {
    await within(activations.report(addressOf(shellParams, req.params).id, bodyOf(reportSchema, req)));
    res.status(204).end();
  });
  router.post('/shells/:id/counts', shellOnly, jsonBody, async (req, res) => {
    addressOf(shellParams, req.params);
    await within(addCounts(collections, bodyOf(countsSchema, req)));
    res.status(204).end();
  });
  router.all(['/shells/:id/reports', '/shells/:id/counts'], methodNotAllowed('POST'));
}

/** `GET /events?shell={id}`: events `state`, at once and on each change. Without `shell` somebody only looks on, and is not asked for trials. */
function stateStream({ collections, feed, within }: Omit<ShellRoutesOptions, 'activations' | 'shellToken'>): RequestHandler {
  const streams = { shells: 0, onlookers: 0 };
  return async (req, res, next) => {
    // Express would take it for a GET, and it would never end.
    if (req.method === 'HEAD') return next();
    const { shell: id } = addressOf(listenerSchema, req.query);
    const kind = id === undefined ? 'onlookers' : 'shells';
    if (streams[kind] >= maxStreams[kind]) throw streamFull();
    let told = -1;
    const send = (state: State) => {
      if (state.sequence <= told || res.writableEnded) return;
      told = state.sequence;
      res.write(`event: state\nid: ${state.sequence}\ndata: ${JSON.stringify(stateSchema.parse(state))}\n\n`);
    };
    // Connected before the state is read: an activation that does not count on this shell is in what it reads.
    const connection = id === undefined ? undefined : await within(connect(collections, id));
    // Listens before the state is read: what changes meanwhile comes after it. Until then only the newest is kept.
    const early: State[] = [];
    let hear = (state: State): void => void early.splice(0, 1, state);
    const unsubscribe = feed.subscribe((state) => hear(state));
    const leave = () => {
      unsubscribe();
      connection?.leave().catch(() => {});
    };
    const state = await within(readState(collections)).catch((error) => {
      leave();
      throw error;
    });
    if (res.closed) return leave();
    streams[kind]++;
    const heartbeat = setInterval(() => {
      res.write(':\n\n');
      connection?.touch().catch(() => {});
    }, heartbeatMs);
    res.once('close', () => {
      streams[kind]--;
      clearInterval(heartbeat);
      leave();
    });
    // A connection that waits for another request would hold up the end of the process.
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' });
    res.write(`retry: ${retryMs}\n\n`);
    for (const each of [state, ...early]) send(each);
    // An earlier state than what was told: the database is another, as after a restore. Whoever connects anew is told of it.
    hear = (each) => (each.sequence < told ? res.end() : send(each));
    endAtShutdown(res);
  };
}
