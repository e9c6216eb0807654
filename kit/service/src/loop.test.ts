import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startLoop } from './loop.ts';

type Work = (signal: AbortSignal) => Promise<unknown>;

/** A loop that is stopped when the test ends, and what it logs. */
function loop({ work, pauseMs = 1, confidential }: { work: Work; pauseMs?: number; confidential?: boolean }) {
  const warn = vi.fn();
  const started = startLoop({ name: 'test', pauseMs, log: { warn } as never, work, confidential });
  onTestFinished(() => started.stop());
  return { ...started, warn };
}

test('work that fails is done again, and each kind of failure is logged once', async () => {
  const failures = [new TypeError('no'), new TypeError('no'), new RangeError('never')];
  const work = vi.fn<Work>(async () => {
    const failure = failures.shift();
    if (failure) throw failure;
  });
  const { warn } = loop({ work });
  await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(4));
  expect(warn.mock.calls.map(([{ err }]) => err.message)).toEqual(['no', 'never']);
});

test('what an error says is not logged where it may repeat what it was about', async () => {
  const { warn } = loop({ work: () => Promise.reject(Object.assign(new Error('ada@example.com'), { code: 11_000 })), confidential: true });
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(warn.mock.calls).toEqual([[{ loop: 'test', error: 'Error', code: 11_000 }, 'background work failed, trying again']]);
});

test('a bell rings for work that waits, and for work that is being done, once more', async () => {
  const ends: (() => void)[] = [];
  const work = vi.fn<Work>(() => new Promise<void>((resolve) => ends.push(resolve)));
  const { wake } = loop({ work, pauseMs: 60_000 });
  wake();
  wake();
  ends[0]?.();
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
  ends[1]?.();
  await pause(10);
  expect(work).toHaveBeenCalledTimes(2);
  wake();
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(3));
  ends[2]?.();
});

test('a bell does not make failing work spin', async () => {
  const work = vi.fn<Work>(async () => {
    wake();
    throw new Error('no');
  });
  const { promise, resolve: begin } = Promise.withResolvers<void>();
  const { wake } = loop({ work: (signal) => promise.then(() => work(signal)), pauseMs: 60_000 });
  begin();
  await vi.waitFor(() => expect(work).toHaveBeenCalled());
  await pause(20);
  expect(work).toHaveBeenCalledTimes(1);
});

test('stopping tells the work, and waits until it has ended', async () => {
  const work = vi.fn<Work>((signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)));
  const { stop } = loop({ work });
  await stop();
  expect(work).toHaveBeenCalledTimes(1);
});
