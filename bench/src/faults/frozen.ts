import type { Site } from '@colonnade/stack/site';
import { openLoop, percentile, statuses } from './open-loop.ts';
import { pidOf } from './site.ts';

const perSecond = 20;
const frozenMs = 10_000;
const unaffected = ['/company', '/privacy'];

/**
 * The news service stands still for 10 s: do pages that do not need it notice, and does the home page come with its
 * slot's fallback.
 * @returns whether every unaffected page was answered, and the home page too
 */
export async function frozen(site: Site): Promise<boolean> {
  const { origin } = site;
  const paths = unaffected;
  const load = (path: string) => openLoop({ origin, path: () => path, perSecond, durationMs: frozenMs });
  const before = await Promise.all([...paths, '/', '/inquiry'].map(load));
  const pid = pidOf(site, 'news service');
  process.kill(pid, 'SIGSTOP');
  let during: Awaited<ReturnType<typeof load>>[];
  try {
    during = await Promise.all([...paths, '/', '/inquiry', '/news'].map(load));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const resumed = performance.now();
  while (!(await fetch(`${origin}/news`)).ok) await new Promise((resolve) => setTimeout(resolve, 50));
  const backMs = performance.now() - resumed;
  for (const [i, path] of [...paths, '/', '/inquiry', '/news'].entries()) {
    const [then = [], now = []] = [before[i], during[i]];
    const p99 = (outcomes: typeof now) =>
      percentile(
        outcomes.map(({ ms }) => ms),
        0.99,
      );
    console.log(
      `  ${path.padEnd(10)} ${statuses(now).padEnd(26)} p99 ${p99(now).toFixed(0)} ms${then.length ? `, before ${p99(then).toFixed(0)} ms` : ''}`,
    );
  }
  console.log(`  /news is back ${backMs.toFixed(0)} ms after the service goes on`);
  return during.slice(0, -1).every((outcomes) => outcomes.every(({ status }) => status === 200));
}
