import { StatusError } from '@colonnade/mfe/host';
import { Ending } from '@colonnade/service/ending';
import { expect, test, vi } from 'vitest';
import { Hung, withDeadline } from './deadline.ts';

test('gives what work that is in time gives, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    expect(await withDeadline(1000, async () => 'done')).toBe('done');
    await expect(withDeadline(1000, async () => Promise.reject(new Error('own')))).rejects.toThrow('own');
    const broken = () => {
      throw new Error('at once');
    };
    await expect(withDeadline(1000, broken)).rejects.toThrow('at once');
    expect(await withDeadline(1000, () => undefined)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('is 503 with Retry-After when work is late, and its signal aborts', async () => {
  let signal: AbortSignal | undefined;
  let told: unknown;
  const late = await withDeadline(20, (ending) => {
    signal = ending.signal;
    ending.onEnd((reason) => {
      told = reason;
    });
    return new Promise(() => {});
  }).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(StatusError);
  expect(late).toMatchObject({ status: 503, headers: { 'Retry-After': '5' }, cause: { message: 'no answer within 20 ms' } });
  expect(signal?.aborted).toBe(true);
  expect(told).toBe(late);
});

test('work that is late and waits for nobody is hung', async () => {
  const hung = withDeadline(
    20,
    () => new Promise(() => {}),
    undefined,
    () => false,
  );
  await expect(hung).rejects.toMatchObject({ status: 503, cause: expect.any(Hung) });
});

test('tells the work when the visitor leaves, also one who has left before', async () => {
  const visitor = new Ending();
  const left = new Error('left');
  const work = (ending: Ending) => new Promise((_, reject) => void ending.onEnd(reject));
  const going = withDeadline(5000, work, visitor);
  visitor.end(left);
  visitor.end(new Error('later'));
  await expect(going).rejects.toBe(left);
  await expect(withDeadline(5000, work, visitor)).rejects.toBe(left);
  expect(visitor.signal).toMatchObject({ aborted: true, reason: left });
});
