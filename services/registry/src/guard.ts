/** Decides from counts whether what is new is worse than what was there. @see docs/decisions/0020-canary-statistics.md */

export interface Counts {
  pages: number;
  errors: number;
}

export interface GuardSettings {
  /** How long a canary has to run clean, and how long a full activation is watched. */
  windowMs: number;
  /** Page views of a canary without which it is not promoted. */
  promotePages: number;
}

export type Verdict = { decision: 'withdraw' | 'promote'; reason: string } | { decision: 'wait' };

/** Below these no figure says anything. */
const minPages = 50;
const minErrors = 5;
/** Beacons of fewer addresses may be one visitor's browser, or one visitor's malice. */
const holdBeacons = 3;
/**
 * Withdrawn where it is worse with this certainty. One look in 100,000 would be wrong; as every look of ten minutes could be the
 * wrong one, at most one watch in 250 is wrong (simulated; with 3.09, 99.9 % at one look, one in 26).
 */
const certain = 4.3;
/** One-sided 95 %: promoted by itself only where it is not even this likely to be worse. A person may decide otherwise. */
const likely = 1.645;

/** Wilson's score interval of a proportion. */
function wilson({ pages, errors }: Counts, z: number): { lower: number; upper: number } {
  const share = errors / pages;
  const centre = share + (z * z) / (2 * pages);
  const spread = z * Math.sqrt((share * (1 - share)) / pages + (z * z) / (4 * pages * pages));
  const scale = 1 + (z * z) / pages;
  return { lower: Math.max(0, (centre - spread) / scale), upper: Math.min(1, (centre + spread) / scale) };
}

/**
 * By how much the error rate of the new one is above the old one's, at least: the lower bound of the difference
 * (Newcombe 1998, method 10) at the certainty of `z`.
 */
export function excess(fresh: Counts, base: Counts, z = certain): number {
  const [newRate, oldRate] = [fresh.errors / fresh.pages, base.errors / base.pages];
  const down = newRate - wilson(fresh, z).lower;
  const up = wilson(base, z).upper - oldRate;
  return newRate - oldRate - Math.sqrt(down * down + up * up);
}

/** Whether the new one is worse beyond chance. */
export function isWorse(fresh: Counts, base: Counts): boolean {
  return fresh.pages >= minPages && fresh.errors >= minErrors && base.pages > 0 && excess(fresh, base) > 0;
}

/**
 * What to do about something new.
 * @param fresh what it counted since it began to serve
 * @param base what the live set counted beside it, or before it
 */
export function judge(
  { fresh, base, beacons, ageMs }: { fresh: Counts; base: Counts; beacons: number; ageMs: number },
  { windowMs, promotePages }: GuardSettings,
): Verdict {
  if (isWorse(fresh, base)) {
    const rate = ({ pages, errors }: Counts) => `${errors} of ${pages} page views (${((100 * errors) / pages).toFixed(1)} %)`;
    return { decision: 'withdraw', reason: `failed in ${rate(fresh)}; what it is compared with failed in ${rate(base)}` };
  }
  const enough = ageMs >= windowMs && fresh.pages >= promotePages && base.pages > 0;
  if (!enough || beacons >= holdBeacons || excess(fresh, base, likely) > 0) return { decision: 'wait' };
  return { decision: 'promote', reason: `clean for ${Math.round(ageMs / 1000)} s and ${fresh.pages} page views` };
}
