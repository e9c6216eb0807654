import { expect, test, vi } from 'vitest';
import { FencedParts } from './fenced-parts.ts';
import { Fences } from './fences.ts';

const loop = { mfe: 'mfe-x', version: '1.0.0', part: '/loop' };
const second = 1000;
const minute = 60 * second;

/** Fences with a clock that a test moves. */
function fences() {
  const clock = { ms: 1_000_000 };
  return { clock, fences: new Fences(() => clock.ms) };
}
function fencedAfterTwoDeaths() {
  const made = fences();
  made.fences.died(loop);
  made.fences.died(loop);
  return made;
}

test('one death fences nothing; the second within a minute fences for a minute', () => {
  const { clock, fences: all } = fences();
  expect(all.died(loop)).toBeUndefined();
  expect(all.active()).toEqual([]);
  clock.ms += 59 * second;
  expect(all.died(loop)).toEqual({ ...loop, leftMs: minute });
  clock.ms += minute - 1;
  expect(all.active()).toHaveLength(1);
  clock.ms += 1;
  expect(all.active()).toEqual([]);
});

test('two deaths more than a minute apart fence nothing', () => {
  const { clock, fences: all } = fences();
  all.died(loop);
  clock.ms += 61 * second;
  expect(all.died(loop)).toBeUndefined();
});

test('deaths of other parts, releases and versions do not add up', () => {
  const { fences: all } = fences();
  all.died(loop);
  expect(all.died({ ...loop, part: 'mfe-x/slot' })).toBeUndefined();
  expect(all.died({ ...loop, mfe: 'mfe-y' })).toBeUndefined();
  expect(all.died({ ...loop, version: '1.0.1' })).toBeUndefined();
  expect(all.died(loop)).toBeDefined();
  expect(all.active()).toHaveLength(1);
});

test('what was under way when the fence went up does not count', () => {
  const { fences: all } = fencedAfterTwoDeaths();
  expect(all.died(loop)).toBeUndefined();
  expect(all.active()).toHaveLength(1);
});

test('one more death in the minute after a fence fences twice as long, an hour at most', () => {
  const { clock, fences: all } = fencedAfterTwoDeaths();
  const lengths: number[] = [];
  for (let i = 0; i < 8; i++) {
    clock.ms += (all.active()[0]?.leftMs ?? 0) + 30 * second;
    lengths.push((all.died(loop)?.leftMs ?? 0) / minute);
  }
  expect(lengths).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
});

test('a minute of quiet after a fence begins anew', () => {
  const { clock, fences: all } = fencedAfterTwoDeaths();
  clock.ms += 2 * minute + second;
  expect(all.died(loop)).toBeUndefined();
  expect(all.died(loop)).toEqual({ ...loop, leftMs: minute });
});

test('one request counts once', () => {
  const { fences: all } = fences();
  all.died(loop, 'request-1');
  expect(all.died(loop, 'request-1')).toBeUndefined();
  expect(all.died(loop, 'request-2')).toBeDefined();
});

test('a fence is as long where the machine’s clock is set back an hour', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const all = new Fences();
    const inWorker = new FencedParts();
    all.died(loop);
    all.died(loop);
    inWorker.set(all.active());
    vi.setSystemTime(Date.now() - 60 * minute);
    vi.advanceTimersByTime(minute - second);
    expect(all.active()).toEqual([{ ...loop, leftMs: second }]);
    expect(inWorker.secondsLeft(loop)).toBe(1);
    vi.advanceTimersByTime(second);
    expect(all.active()).toEqual([]);
    expect(inWorker.secondsLeft(loop)).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
