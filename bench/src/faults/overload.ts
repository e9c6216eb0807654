import type { Site } from '@colonnade/stack/site';
import { closedLoop, type Outcome, openLoop, percentile, statuses } from './open-loop.ts';

const connections = 32;
const measureMs = 15_000;
const path = () => '/news';

/**
 * Three times as many requests as the site can render: how many does it still answer well, how does it refuse the rest,
 * does it still say that it lives, and how soon is it itself again.
 * @returns whether goodput stayed at 90 % of the peak and every other answer was a 503 with Retry-After
 */
export async function overload(site: Site): Promise<boolean> {
  const { origin, opsOrigin } = site;
  await closedLoop({ origin, path, connections, durationMs: 5000 });
  const peak = await closedLoop({ origin, path, connections, durationMs: measureMs });
  const quiet = await openLoop({ origin, path, perSecond: peak.goodPerSecond / 4, durationMs: 5000 });
  const calmP99 = percentile(
    quiet.map(({ ms }) => ms),
    0.99,
  );
  console.log(
    `  peak ${peak.goodPerSecond.toFixed(0)} pages/s at ${connections} connections; p99 at a quarter of it ${calmP99.toFixed(0)} ms`,
  );
  let ok = true;
  for (const times of [1, 2, 3]) {
    const probe = probeLiveness(opsOrigin);
    const outcomes = await openLoop({ origin, path, perSecond: peak.goodPerSecond * times, durationMs: measureMs });
    const { slowestMs, failures } = await probe();
    const good = outcomes.filter(({ status }) => status === 200);
    const refused = outcomes.filter(({ status }) => status !== 200);
    const goodput = good.length / (measureMs / 1000) / peak.goodPerSecond;
    console.log(
      `  ${times}×: goodput ${(goodput * 100).toFixed(0)} % of the peak; ${statuses(outcomes)}; accepted p99 ${p99(good)}, refused p50 ${p50(refused)} p99 ${p99(refused)}; /livez slowest ${slowestMs.toFixed(0)} ms, ${failures} failed`,
    );
    ok &&= refused.every(({ status, retryAfter }) => status === 503 && retryAfter) && failures === 0 && (times < 3 || goodput >= 0.9);
  }
  const recovered = await openLoop({ origin, path, perSecond: peak.goodPerSecond / 4, durationMs: 5000 });
  console.log(`  just after: ${statuses(recovered)}; p99 ${p99(recovered)} (before: ${calmP99.toFixed(0)} ms)`);
  return ok;
}

const p50 = (outcomes: Outcome[]) =>
  shown(
    percentile(
      outcomes.map(({ ms }) => ms),
      0.5,
    ),
  );
const p99 = (outcomes: Outcome[]) =>
  shown(
    percentile(
      outcomes.map(({ ms }) => ms),
      0.99,
    ),
  );
const shown = (ms: number) => (Number.isNaN(ms) ? '–' : `${ms.toFixed(0)} ms`);

/** Asks the gateway ten times a second whether it lives, until the returned function is called. */
function probeLiveness(opsOrigin: string): () => Promise<{ slowestMs: number; failures: number }> {
  let slowestMs = 0;
  let failures = 0;
  let done = false;
  const probing = (async () => {
    while (!done) {
      const started = performance.now();
      const alive = await fetch(`${opsOrigin}/livez`).then(
        (response) => response.ok,
        () => false,
      );
      if (!alive) failures++;
      slowestMs = Math.max(slowestMs, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return async () => {
    done = true;
    await probing;
    return { slowestMs, failures };
  };
}
