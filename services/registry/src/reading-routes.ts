/** For shells, and for whoever looks: what there is, what is live, and how it came to that. */

import { activationSchema, auditSchema, historySchema, releaseAnswerSchema, releaseListSchema, stateSchema } from '@colonnade/release/api';
import type { Database } from '@colonnade/service/database';
import { methodNotAllowed } from '@colonnade/service/problem';
import { shuttingDown } from '@colonnade/service/shutdown';
import type { Router } from 'express';
import type { Activations } from './activations.ts';
import { activationParams, afterSchema, byNameSchema, fileParams, releaseParams, waitSchema } from './address.ts';
import { readAudit } from './audit.ts';
import { addressOf } from './body.ts';
import type { Collections } from './collections.ts';
import { noKeyring } from './errors.ts';
import { activationAnswer, historyOf } from './history.ts';
import type { KeyringStore } from './keyring-store.ts';
import type { Releases } from './releases.ts';
import { readState } from './site-state.ts';
import type { StateFeed } from './state-feed.ts';

export interface ReadingRoutesOptions {
  collections: Collections;
  releases: Releases;
  keyring: KeyringStore;
  activations: Activations;
  feed: StateFeed;
  within: Database['within'];
}

export function readingRoutes(router: Router, { collections, releases, keyring, activations, feed, within }: ReadingRoutesOptions): void {
  router.get('/keyring', async (_req, res) => {
    const signed = await within(keyring.signed());
    if (signed === null) throw noKeyring();
    res.json(signed);
  });
  router.get('/releases', async (req, res) => {
    res.json(releaseListSchema.parse(await within(releases.list(addressOf(byNameSchema, req.query).name))));
  });
  router.get('/releases/:name/:version', async (req, res) => {
    const { name, version } = addressOf(releaseParams, req.params);
    res.json(releaseAnswerSchema.parse(await within(releases.signed(name, version))));
  });
  router.get('/releases/:name/:version/files/*path', async (req, res) => {
    const { name, version, path } = addressOf(fileParams, req.params);
    const { bytes, integrity } = await within(releases.file(name, version, path));
    res.set({ 'Content-Type': 'application/octet-stream', 'Cache-Control': 'public, max-age=31536000, immutable', ETag: `"${integrity}"` });
    res.send(bytes);
  });
  router.get('/state', async (_req, res) => void res.json(stateSchema.parse(await within(readState(collections)))));
  router.get('/activations/:id', async (req, res) => {
    const { id } = addressOf(activationParams, req.params);
    const until = Date.now() + addressOf(waitSchema, req.query).wait * 1000;
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, shuttingDown]);
    for (;;) {
      // Before the look: a change between the two is not missed.
      const changed = feed.changed(Math.max(0, until - Date.now()), signal);
      const found = await within(activations.read(id));
      if (found.state !== 'trying' || Date.now() >= until || signal.aborted)
        return void res.json(activationSchema.parse(activationAnswer(found)));
      await changed;
    }
  });
  router.get('/history', async (req, res) => {
    const found = await within(historyOf(collections, addressOf(byNameSchema, req.query).name));
    res.json(historySchema.parse({ items: found.map(activationAnswer).reverse() }));
  });
  router.get('/audit', async (req, res) => {
    res.json(auditSchema.parse({ items: await within(readAudit(collections, addressOf(afterSchema, req.query).after)) }));
  });
  router.all(['/state', '/history', '/audit', '/activations/:id'], methodNotAllowed('GET', 'HEAD'));
  router.all(['/releases/:name/:version', '/releases/:name/:version/files/*path'], methodNotAllowed('GET', 'HEAD'));
}
