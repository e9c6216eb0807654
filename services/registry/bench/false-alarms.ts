/** How often the guard withdraws a canary that is exactly as good as what is live, and how soon one that is worse: simulated with its own code. */
import { randomNumbers } from '../fixtures/random.ts';
import { isWorse } from '../src/guard.ts';

const watches = 10_000;
/** Ten minutes at a look a second, which is how often the guard looks. */
const looks = 600;
/** Page views between two looks: at 10 %, nine times as many are of the live set. */
const [canaryPages, livePages] = [2, 18];
/** Of the watches of a good one. By chance the figure itself is off by 0.1 %. */
const limit = 0.005;

/** @returns the canary's page views when it was withdrawn; null where it never was */
function watch(rates: { fresh: number; base: number }, seed: number): number | null {
  const random = randomNumbers(seed);
  const counts = { fresh: { pages: 0, errors: 0 }, base: { pages: 0, errors: 0 } };
  for (let look = 0; look < looks; look++) {
    for (const [side, pages] of [['fresh', canaryPages] as const, ['base', livePages] as const]) {
      counts[side].pages += pages;
      for (let page = 0; page < pages; page++) if (random() < rates[side]) counts[side].errors++;
    }
    if (isWorse(counts.fresh, counts.base)) return counts.fresh.pages;
  }
  return null;
}
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const all = (rates: { fresh: number; base: number }) => Array.from({ length: watches }, (_, seed) => watch(rates, seed));

let ok = true;
console.log(`  ${watches} watches of ${looks} looks, ${canaryPages} page views of the canary and ${livePages} of the live set between two`);
for (const rate of [0.002, 0.01, 0.05, 0.2]) {
  const alarms = all({ fresh: rate, base: rate }).filter((pages) => pages !== null).length;
  ok &&= alarms / watches <= limit;
  console.log(`  both fail in ${percent(rate)}: withdrawn for nothing in ${alarms} watches (${((100 * alarms) / watches).toFixed(2)} %)`);
}
for (const rate of [0.05, 0.1, 0.3]) {
  const stopped = all({ fresh: rate, base: 0.01 }).map((pages) => pages ?? Number.POSITIVE_INFINITY);
  const sorted = stopped.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(watches * share)];
  console.log(`  the canary in ${percent(rate)}, the live set in 1 %: withdrawn at its page view ${at(0.5)} (median), ${at(0.95)} (95 %)`);
}
process.exitCode = ok ? 0 : 1;
