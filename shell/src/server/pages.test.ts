import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ending } from '@colonnade/service/ending';
import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type PagesOptions, pages } from './pages.ts';

test('nothing is rendered for a visitor who has left', async () => {
  const asked = Promise.withResolvers<Ending>();
  const answered = Promise.withResolvers<object>();
  const respond = ({ gone }: { gone: Ending }) => {
    asked.resolve(gone);
    return answered.promise;
  };
  const responder = { respond, during: vi.fn() };
  const options = { set: { id: 'set-1' }, table: { routes: [] }, chrome: { site: { origin: 'https://www.nollvik.example' } }, responder };
  const handler = pages(options as unknown as PagesOptions);
  const handled = Promise.withResolvers<void>();
  const app = express().use(async (req, res, next) => {
    await handler(req, res, next);
    handled.resolve();
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const visitor = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  visitor.on('error', () => {});
  const gone = await asked.promise;
  visitor.destroy();
  await expect.poll(() => gone.reason).toBeDefined();
  answered.resolve({ view: { answer: { status: 503 } }, matched: null, headers: {} });
  await handled.promise;
  expect(responder.during).not.toHaveBeenCalled();
});
