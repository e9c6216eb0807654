import { StatusError } from '@colonnade/mfe/host';
import { expect, test, vi } from 'vitest';
import { withDeadline } from './deadline.ts';

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
  const late = await withDeadline(20, (given) => {
    signal = given;
    return new Promise(() => {});
  }).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(StatusError);
  expect(late).toMatchObject({ status: 503, headers: { 'Retry-After': '5' }, cause: { message: 'no answer within 20 ms' } });
  expect(signal?.aborted).toBe(true);
});

test('tells the work when the visitor leaves, also one who has left before', async () => {
  const visitor = new AbortController();
  const left = new Error('left');
  const work = (signal: AbortSignal) =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const going = withDeadline(5000, work, visitor.signal);
  visitor.abort(left);
  await expect(going).rejects.toBe(left);
  await expect(withDeadline(5000, work, visitor.signal)).rejects.toBe(left);
});
