import { beginShutdown } from '@colonnade/service/shutdown';
import { afterAll, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { draft, type Service, startService, who } from '../fixtures/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'news_changes_test');
});
beforeEach(() => service.empty());
afterAll(() => service.close());

interface Event {
  event?: string;
  id?: string;
  data?: string;
  comment?: string;
}

/** Reads the stream; `next` waits for an event that is more than a sign of life. */
async function listen(lastEventId?: string) {
  const stop = new AbortController();
  const headers = lastEventId === undefined ? undefined : { 'last-event-id': lastEventId };
  const res = await fetch(`${service.origin}/changes`, { headers, signal: stop.signal });
  expect(res.headers.get('content-type')).toBe('text/event-stream');
  // At once: the body of an answer that is collected as garbage is cancelled, unless somebody reads it.
  const events = parse(
    (res.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>),
  );
  return {
    close: () => stop.abort(),
    any: async () => (await events.next()).value,
    next: async (wanted = (event: Event) => event.event !== undefined): Promise<Event> => {
      for await (const event of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) }) if (wanted(event)) return event;
      throw new Error('the stream ended');
    },
    ended: async () => {
      while (!(await events.next()).done);
    },
  };
}

async function* parse(body: ReadableStream<string>): AsyncGenerator<Event> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      yield Object.fromEntries(
        block
          .split('\n')
          .map((line) => [line.startsWith(':') ? 'comment' : line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
    }
  }
}

const at = (number: number, revision: number) => ({ newsId: `item-00${number}`, revision, who });
const kinds = (event: Event) => JSON.parse(event.data ?? '{}');

it('announces what visitors can notice, in order, and nothing else', async () => {
  const stream = await listen();
  expect(await stream.next()).toMatchObject({ event: 'reset' });
  const { newsId: _, ...content } = draft(1);
  await service.desk.create(draft(1), who);
  await service.desk.change(at(1, 1), { ...content, title: 'A' });
  await service.desk.schedule(at(1, 2), new Date(Date.now() + 60_000));
  await service.desk.publish(at(1, 3));
  await service.desk.change(at(1, 4), { ...content, title: 'B' });
  await service.desk.rename(at(1, 5), 'other');
  await service.desk.unpublish({ ...at(1, 6), newsId: 'other' });
  await service.desk.change({ ...at(1, 7), newsId: 'other' }, { ...content, title: 'C' });
  await service.desk.publish({ ...at(1, 8), newsId: 'other' });
  const events = [await stream.next(), await stream.next(), await stream.next(), await stream.next(), await stream.next()];
  expect(events.map(kinds)).toEqual([
    { kind: 'published', newsId: 'item-001', tags: ['news', 'news:item-001'] },
    { kind: 'changed', newsId: 'item-001', tags: ['news', 'news:item-001'] },
    { kind: 'renamed', newsId: 'other', previousId: 'item-001', tags: ['news', 'news:other', 'news:item-001'] },
    { kind: 'unpublished', newsId: 'other', tags: ['news', 'news:other'] },
    { kind: 'published', newsId: 'other', tags: ['news', 'news:other'] },
  ]);
  stream.close();

  // Somebody who had seen the second event goes on from there, without a reset.
  const again = await listen(events[1]?.id);
  expect([(await again.next()).id, (await again.next()).id]).toEqual([events[2]?.id, events[3]?.id]);
  again.close();
});

it('gives an id to go on from while nothing happens', async () => {
  const stream = await listen();
  await stream.next();
  let id: string | undefined;
  while (id === undefined) id = (await stream.any())?.id;
  stream.close();
  await service.desk.create(draft(1), who);
  await service.desk.publish(at(1, 1));
  const again = await listen(id);
  expect(kinds(await again.next())).toMatchObject({ kind: 'published', newsId: 'item-001' });
  again.close();
});

it('tells to forget everything where MongoDB cannot go on from the id, and goes on from now', async () => {
  const stream = await listen('rubbish');
  expect(await stream.next()).toMatchObject({ event: 'reset' });
  await service.desk.create(draft(1), who);
  await service.desk.publish(at(1, 1));
  expect(kinds(await stream.next())).toMatchObject({ kind: 'published' });
  stream.close();
});

it('says at once from where on it tells everything, also to who comes back', async () => {
  const stream = await listen();
  const first = await stream.next();
  expect(first).toMatchObject({ event: 'reset', id: expect.stringMatching(/^[\w-]+$/) });
  const startedAt = performance.now();
  const again = await listen(first.id);
  const { id, event } = await again.next((block) => block.id !== undefined);
  // The next sign of life comes 3 s after the last one.
  expect([typeof id, event, performance.now() - startedAt < 2900]).toEqual(['string', undefined, true]);
  for (const one of [stream, again]) one.close();
});

it('has one change stream open, however many listen', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen()));
  await Promise.all(streams.map((stream) => stream.next()));
  const open = async () => {
    const operations = service.client
      .db('admin')
      .aggregate([{ $currentOp: { idleCursors: true, localOps: true } }], { readConcern: { level: 'local' } });
    const named = (await operations.toArray()).filter(({ ns }) => ns === `${service.db.databaseName}.versions`);
    return named.length;
  };
  await expect.poll(() => open()).toBe(1);
  for (const stream of streams) stream.close();
  await expect.poll(() => open()).toBe(0);
});

it('loses and repeats nothing for who comes back while much is going on', async () => {
  const whole = await listen();
  await whole.next();
  const count = 24;
  const writing = (async () => {
    for (let number = 1; number <= count; number++) {
      await service.desk.create(draft(number), who);
      await service.desk.publish({ newsId: draft(number).newsId, revision: 1, who });
    }
  })();
  // Each event makes somebody come back who had seen it last.
  const told: Event[] = [];
  const back: ReturnType<typeof listen>[] = [];
  for (let number = 0; number < count; number++) {
    const event = await whole.next();
    told.push(event);
    if (number % 3 === 0) back.push(listen(event.id));
  }
  await writing;
  for (const [i, coming] of back.entries()) {
    const stream = await coming;
    const missed = told.slice(i * 3 + 1);
    const ids: (string | undefined)[] = [];
    for (const _ of missed) ids.push((await stream.next()).id);
    expect(ids).toEqual(missed.map(({ id }) => id));
    stream.close();
  }
  whole.close();
});

it('takes a bounded number of listeners', async () => {
  const streams = await Promise.all(Array.from({ length: 256 }, () => vi.waitFor(() => listen(), { timeout: 10_000 })));
  const { status, headers } = await service.ask('/changes');
  expect([status, headers.get('retry-after')]).toEqual([503, '10']);
  for (const stream of streams) stream.close();
});

it('ends every stream when the process shuts down', async () => {
  const stream = await vi.waitFor(() => listen(), { timeout: 10_000 });
  await stream.next();
  beginShutdown();
  await stream.ended();
});
