import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../fixtures/random.ts';
import { type Counts, isWorse, judge } from './guard.ts';

const settings = { windowMs: 600_000, promotePages: 200 };
const clean = { pages: 1800, errors: 0 };

/**
 * A stream of page views of which every tenth goes to the canary, looked at after each 20.
 * @returns the canary's page views when `stops` first said so, or null where it never did
 */
function simulate(rates: { fresh: number; base: number }, seed: number, stops = isWorse): number | null {
  const random = randomNumbers(seed);
  const [fresh, base]: [Counts, Counts] = [
    { pages: 0, errors: 0 },
    { pages: 0, errors: 0 },
  ];
  for (let view = 1; view <= 10_000; view++) {
    const [counts, rate] = view % 10 === 0 ? [fresh, rates.fresh] : [base, rates.base];
    counts.pages++;
    if (random() < rate) counts.errors++;
    if (view % 20 === 0 && stops(fresh, base)) return fresh.pages;
  }
  return null;
}
const watches = (rates: { fresh: number; base: number }, stops = isWorse) =>
  Array.from({ length: 200 }, (_, seed) => simulate(rates, seed, stops));

describe('over 200 simulated watches of 10,000 page views', () => {
  it.each([0.3, 0.1])('withdraws every canary that fails in %d of its page views, early', (fresh) => {
    const stopped = watches({ fresh, base: 0.002 }).map((pages) => pages ?? Number.POSITIVE_INFINITY);
    expect(Math.max(...stopped)).toBeLessThanOrEqual(fresh === 0.3 ? 80 : 500);
  });

  it.each([0, 0.002, 0.02, 0.2])('leaves a canary alone that fails as often as the live set, in %d', (rate) => {
    expect(watches({ fresh: rate, base: rate }).filter((pages) => pages !== null).length).toBeLessThanOrEqual(1);
  });

  it('would not by the plain comparison of the rates, or by one that is right at one look only', () => {
    const plain = (fresh: Counts, base: Counts) => fresh.pages >= 50 && fresh.errors / fresh.pages > base.errors / base.pages;
    expect(watches({ fresh: 0.02, base: 0.02 }, plain).filter((pages) => pages !== null).length).toBeGreaterThan(100);
  });
});

it.each<[string, Counts, Counts, boolean]>([
  ['too few page views', { pages: 49, errors: 49 }, clean, false],
  ['too few errors', { pages: 1000, errors: 4 }, { pages: 1e7, errors: 0 }, false],
  ['nothing to compare with', { pages: 1000, errors: 500 }, { pages: 0, errors: 0 }, false],
  ['little to compare with', { pages: 50, errors: 5 }, { pages: 3, errors: 0 }, false],
  ['what fails for both', { pages: 100, errors: 60 }, { pages: 900, errors: 500 }, false],
  ['a failing canary', { pages: 50, errors: 15 }, { pages: 450, errors: 0 }, true],
  ['one that always fails', { pages: 50, errors: 50 }, { pages: 450, errors: 2 }, true],
  ['a small difference in many page views', { pages: 100_000, errors: 700 }, { pages: 900_000, errors: 4500 }, true],
])('of %s', (_what, fresh, base, worse) => {
  expect(isWorse(fresh, base)).toBe(worse);
});

it.each<[string, Partial<Parameters<typeof judge>[0]>, string]>([
  ['promotes after a clean window with enough page views', {}, 'promote'],
  ['waits for the end of the window', { ageMs: 599_999 }, 'wait'],
  ['waits for enough page views', { fresh: { pages: 199, errors: 0 } }, 'wait'],
  ['waits where there is nothing to compare with', { base: { pages: 0, errors: 0 } }, 'wait'],
  ['waits where it looks worse, though not for certain', { fresh: { pages: 300, errors: 4 } }, 'wait'],
  ['promotes with beacons of two addresses', { beacons: 2 }, 'promote'],
  ['waits with beacons of three', { beacons: 3 }, 'wait'],
  ['withdraws at any time', { fresh: { pages: 50, errors: 15 }, ageMs: 1000 }, 'withdraw'],
])('%s', (_what, change, decision) => {
  const seen = { fresh: { pages: 200, errors: 0 }, base: clean, beacons: 0, ageMs: 600_000 };
  expect(judge({ ...seen, ...change }, settings).decision).toBe(decision);
});

it('says of what it has withdrawn how much failed', () => {
  expect(judge({ fresh: { pages: 60, errors: 20 }, base: { pages: 500, errors: 1 }, beacons: 0, ageMs: 0 }, settings)).toEqual({
    decision: 'withdraw',
    reason: 'failed in 20 of 60 page views (33.3 %); what it is compared with failed in 1 of 500 page views (0.2 %)',
  });
});
