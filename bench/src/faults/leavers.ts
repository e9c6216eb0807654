import { connect } from 'node:net';
import type { Site } from '@colonnade/stack/site';

const visitors = 1000;
const atOnce = 50;

/**
 * A thousand visitors leave in the middle of their page: the gateway may not go on asking for them.
 * @returns whether it has no request under way any more, 10 s later at the latest
 */
export async function leavers(site: Site): Promise<boolean> {
  const { port, host } = new URL(site.origin);
  let left = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left++ < visitors) {
        await new Promise<void>((resolve) => {
          const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET /news?page=${left} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
          setTimeout(() => socket.destroy(), 2 + (left % 10));
          socket.on('error', () => {});
          socket.on('close', () => resolve());
        });
      }
    }),
  );
  const started = performance.now();
  let under = await underWay(site);
  while (under > 0 && performance.now() - started < 10_000) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    under = await underWay(site);
  }
  console.log(`  ${visitors} left; ${under} requests under way ${((performance.now() - started) / 1000).toFixed(1)} s after`);
  return under === 0;
}

/** Requests that the gateway has under way behind it, over all upstreams. */
async function underWay(site: Site): Promise<number> {
  const metrics = await (await fetch(`${site.opsOrigin}/metrics`)).text();
  const series = [...metrics.matchAll(/^upstream_requests_in_flight\{.*\} (\d+)$/gm)];
  if (series.length === 0) throw new Error('the gateway does not count requests under way');
  return series.reduce((sum, [, value]) => sum + Number(value), 0);
}
