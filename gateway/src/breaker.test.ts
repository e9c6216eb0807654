import { describe, expect, test } from 'vitest';
import { Breaker } from './breaker.ts';

function breakerAt() {
  const clock = { now: 0 };
  const states: string[] = [];
  const breaker = new Breaker({ failures: 3, openMs: 1000, now: () => clock.now, changed: (state) => states.push(state) });
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed();
  };
  return { clock, states, breaker, fail };
}

describe('the breaker', () => {
  test('opens after failures in a row, not after as many with a success between them', () => {
    const { breaker, fail } = breakerAt();
    fail(2);
    breaker.succeeded();
    fail(2);
    expect(breaker.allows()).toBe(true);
    fail(1);
    expect(breaker.allows()).toBe(false);
  });

  test('lets one request probe after its time, and closes when that succeeds', () => {
    const { clock, breaker, fail, states } = breakerAt();
    fail(3);
    clock.now = 999;
    expect(breaker.allows()).toBe(false);
    clock.now = 1000;
    expect([breaker.allows(), breaker.allows(), breaker.allows()]).toEqual([true, false, false]);
    breaker.succeeded();
    expect(breaker.allows()).toBe(true);
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });

  test('stays open for another time when the probe fails', () => {
    const { clock, breaker, fail } = breakerAt();
    fail(3);
    clock.now = 1000;
    breaker.allows();
    breaker.failed();
    clock.now = 1999;
    expect(breaker.allows()).toBe(false);
    clock.now = 2000;
    expect(breaker.allows()).toBe(true);
  });

  test('a probe whose visitor left decides nothing: the next request probes', () => {
    const { clock, breaker, fail } = breakerAt();
    fail(3);
    clock.now = 1000;
    breaker.allows();
    breaker.undecided();
    expect(breaker.allows()).toBe(true);
  });
});
