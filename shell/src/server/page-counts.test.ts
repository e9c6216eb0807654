import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { countPages } from './page-counts.ts';

test('counts the pages that failed by what their release did: 500, and what is spoiled; no other 503 and no file', async () => {
  const told: { pages: number; errors: number }[] = [];
  const app = express().use(countPages((counts) => told.push(counts)));
  app.get('/file', (_req, res) => void res.status(500).end());
  app.get('/:status/:spoiled', ({ params }, res) => {
    res.locals.route = 'page';
    res.locals.outcome = { spoiled: params.spoiled === 'spoiled' };
    res.status(Number(params.status)).end();
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/200/-', '/404/-', '/503/-', '/500/-', '/503/spoiled', '/file']) await fetch(`http://127.0.0.1:${port}${path}`);
  const sum = (what: 'pages' | 'errors') => told.reduce((all, counts) => all + counts[what], 0);
  await expect.poll(() => sum('pages')).toBe(5);
  expect(sum('errors')).toBe(2);
  server.closeAllConnections();
  server.close();
});
