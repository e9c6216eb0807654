/** The stream of states, where something happens between the reading of the state and the beginning of the stream. */
import type { State } from '@colonnade/release/api';
import { eventStream } from '@colonnade/release/event-stream';
import type { Database } from '@colonnade/service/database';
import { listen } from '@colonnade/service/listener';
import express from 'express';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';
import { shellRoutes } from './shell-routes.ts';
import { readState } from './site-state.ts';
import type { StateListener } from './state-feed.ts';

let service: Service;
/** Who listens to the feed, which tells what the test says. */
const listeners = new Set<StateListener>();

beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'registry_state_stream_test');
});
afterAll(() => service.close());

/** The stream alone. @param reading what becomes of the reading of the state. @returns its address */
async function startStream(reading: Database['within']): Promise<string> {
  const { registry } = service;
  const subscribe = (listener: StateListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const app = express();
  shellRoutes(app, { ...registry, feed: { ...registry.feed, subscribe }, within: reading });
  const { port, server } = await listen(app, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/events`;
}

it('tells of the last change between the reading of the state and the first event', async () => {
  const now = await readState(service.collections);
  const change = (by: number): State => ({ ...now, sequence: now.sequence + by });
  const url = await startStream(async (work) => {
    const read = await work;
    for (const by of [1, 2]) for (const listener of listeners) listener(change(by));
    return read;
  });
  const told: number[] = [];
  for await (const { name, data } of eventStream(url, { signal: AbortSignal.timeout(5000), silenceMs: 5000 })) {
    if (name !== 'state' || data === '') continue;
    told.push(JSON.parse(data).sequence - now.sequence);
    if (told.length === 2) for (const listener of listeners) listener(change(3));
    if (told.length === 3) break;
  }
  expect(told).toEqual([0, 2, 3]);
  await expect.poll(() => listeners.size).toBe(0);
});

it('ends where the state is an earlier one than what was told, as after a restore: whoever connects anew is told of it', async () => {
  const now = await readState(service.collections);
  const url = await startStream((work) => work);
  const told: number[] = [];
  for await (const { name, data } of eventStream(url, { signal: AbortSignal.timeout(5000), silenceMs: 5000 })) {
    if (name !== 'state' || data === '') continue;
    told.push(JSON.parse(data).sequence - now.sequence);
    for (const listener of listeners) for (const by of [1, 1, -1]) listener({ ...now, sequence: now.sequence + by });
  }
  expect(told).toEqual([0, 1]);
  await expect.poll(() => listeners.size).toBe(0);
});

it('listens no longer for whom the state cannot be read, or who has gone before', async () => {
  const failing = await startStream(() => Promise.reject(new Error('away')));
  expect((await fetch(failing)).status).toBe(500);
  expect(listeners.size).toBe(0);
  const reading = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = await startStream(async (work) => {
    begun.resolve();
    await reading.promise;
    return await work;
  });
  const gone = new AbortController();
  const request = fetch(slow, { signal: gone.signal }).catch(() => {});
  await begun.promise;
  expect(listeners.size).toBe(1);
  gone.abort();
  await request;
  reading.resolve();
  await expect.poll(() => listeners.size).toBe(0);
});
