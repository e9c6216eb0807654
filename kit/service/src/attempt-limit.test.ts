import { expect, it, onTestFinished, vi } from 'vitest';
import { attemptLimit } from './attempt-limit.ts';

it('makes a key wait until its window ends', () => {
  let now = 0;
  const limit = attemptLimit({ max: 2, windowMs: 60_000, now: () => now });
  limit.count('a');
  expect(limit.waitS('a')).toBe(0);
  limit.count('a');
  now = 15_500;
  expect(limit.waitS('a')).toBe(45);
  expect(limit.waitS('b')).toBe(0);
  now = 60_000;
  expect(limit.waitS('a')).toBe(0);
  limit.count('a');
  expect(limit.waitS('a')).toBe(0);
});

it('forgets the oldest keys first when there are too many', () => {
  const limit = attemptLimit({ max: 1, windowMs: 60_000, maxKeys: 3 });
  for (const key of ['a', 'b', 'c', 'd']) limit.count(key);
  expect(['a', 'b', 'c', 'd'].map((key) => limit.waitS(key) > 0)).toEqual([false, true, true, true]);
});

it('forgets a key within two windows, though nobody comes after it', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  const limit = attemptLimit({ max: 1, windowMs: 60_000, now: () => now });
  const pass = (ms: number) => {
    now += ms;
    vi.advanceTimersByTime(ms);
  };
  // At a time within its window, a key that is known has to wait.
  const isKnown = () => {
    const real = now;
    now = 2000;
    const known = limit.waitS('a') > 0;
    now = real;
    return known;
  };
  pass(1000);
  limit.count('a');
  pass(59_500);
  expect(isKnown()).toBe(true);
  pass(60_500);
  expect(isKnown()).toBe(false);
});
