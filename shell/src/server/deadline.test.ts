import { StatusError } from '@colonnade/mfe/host';
import { expect, test, vi } from 'vitest';
import { before } from './deadline.ts';

test('gives what work that is in time gives, and leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    expect(await before(1000, Promise.resolve('done'))).toBe('done');
    await expect(before(1000, Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(await before(1000, undefined)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('is 503 with Retry-After when work is late', async () => {
  const late = await before(20, new Promise(() => {})).catch((error: unknown) => error);
  expect(late).toBeInstanceOf(StatusError);
  expect(late).toMatchObject({ status: 503, headers: { 'Retry-After': '5' }, cause: { message: 'no answer within 20 ms' } });
});
