import { createLog } from '@colonnade/service/log';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { draft, type Service, startService, who } from '../fixtures/service.ts';
import { Desk } from './desk.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

const log = createLog('test');
let service: Service;
const schedulers: Scheduler[] = [];
const start = () => {
  const scheduler = startScheduler({ desk: new Desk(service.db, service.client), log });
  schedulers.push(scheduler);
  return scheduler;
};
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'news_scheduler_test');
});
beforeEach(() => service.empty());
afterEach(() => Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop())));
afterAll(() => service.close());

async function schedule(count: number, inMs: number, from = 0): Promise<void> {
  for (let i = from; i < from + count; i++) {
    await service.desk.create(draft(i), who);
    await service.desk.schedule({ newsId: draft(i).newsId, revision: 1, who }, new Date(Date.now() + inMs));
  }
}
const fired = () => service.collections.versions.find({ what: 'published' }).toArray();

it('publishes each of twenty due items once, with three instances at once', async () => {
  await schedule(20, -1000);
  for (let i = 0; i < 3; i++) start();
  await expect.poll(() => service.collections.news.countDocuments({ state: 'published' })).toBe(20);
  await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop()));
  const versions = await fired();
  expect(versions).toHaveLength(20);
  expect(new Set(versions.map(({ newsId }) => newsId)).size).toBe(20);
  expect(versions[0]).toMatchObject({ revision: 3, who: { name: 'schedule' }, announce: { kind: 'published' } });
  expect((await service.ask('/api/news')).body.total).toBe(20);
});

it('publishes after a restart what became due meanwhile, with the date it was due, and nothing twice', async () => {
  await schedule(1, -1000);
  const first = start();
  await expect.poll(() => fired()).toHaveLength(1);
  await first.stop();
  await schedule(2, -5000, 1);
  const due = (await service.collections.news.findOne({ newsId: 'item-001' }))?.publishAt;
  start();
  await expect.poll(() => fired()).toHaveLength(3);
  expect(await service.collections.news.findOne({ newsId: 'item-001' })).toMatchObject({
    state: 'published',
    publishedAt: due,
    publishAt: null,
  });
});

it('wakes up when an item is due, and not before', async () => {
  const scheduler = start();
  await schedule(1, 700);
  const due = (await service.collections.news.findOne({}))?.publishAt?.getTime() ?? 0;
  scheduler.wake();
  await expect.poll(() => fired(), { interval: 20 }).toHaveLength(1);
  expect(Date.now()).toBeGreaterThanOrEqual(due);
  // Where nobody wakes it, it looks every 5 s.
  expect(Date.now()).toBeLessThan(due + 3500);
});
