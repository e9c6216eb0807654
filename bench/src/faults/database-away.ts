import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Mongod } from '@colonnade/stack/mongo/mongod';
import type { Site } from '@colonnade/stack/site';
import { openLoop, percentile, statuses } from './open-loop.ts';
import { pidOf, residentMb } from './site.ts';

const awayMs = 30_000;
const perSecond = 20;
const news = ['/', '/news', '/news/2026-11-05-ring-gauges'];
const parts = ['news service', 'inquiry service', 'shell', 'site'];

/**
 * MongoDB is away for 30 s and comes back: visitors still read news from the last good copy, inquiries are refused in
 * plain words, and the services recover by themselves.
 * @param restart starts mongod again on the same port and data
 * @returns whether that is what happened
 */
export async function databaseAway(site: Site, mongod: Mongod, restart: () => Promise<Mongod>): Promise<boolean> {
  const { origin } = site;
  for (const path of news) {
    // Each of the gateway's workers keeps copies of its own, and connections are dealt out to them in turn.
    for (let n = 0; n < 2 * availableParallelism(); n++) await (await fetch(origin + path, { headers: { Connection: 'close' } })).text();
    const { status } = await fetch(origin + path);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
  }
  const memoryBefore = parts.map((name) => residentMb(pidOf(site, name)));
  process.kill(mongod.pid, 'SIGKILL');
  await mongod.exited;
  const [pages, inquiries] = await Promise.all([
    openLoop({ origin, path: (n) => news[n % news.length] as string, perSecond, durationMs: awayMs }),
    inquiriesFor(origin, awayMs),
  ]);
  const memoryAfter = parts.map((name) => residentMb(pidOf(site, name)));
  await restart();
  const back = performance.now();
  while ((await post(origin)).status !== 201) await new Promise((resolve) => setTimeout(resolve, 50));
  const backMs = performance.now() - back;
  const slowest = Math.max(...inquiries.map(({ ms }) => ms));
  console.log(
    `  news pages: ${statuses(pages)}, ${pages.filter(({ age }) => age).length} of them with Age, p99 ${percentile(
      pages.map(({ ms }) => ms),
      0.99,
    ).toFixed(0)} ms`,
  );
  console.log(
    `  inquiries: ${inquiries.length} refused with ${[...new Set(inquiries.map(({ status, retryAfter }) => `${status}${retryAfter ? ' + Retry-After' : ''}`))]}, slowest ${slowest.toFixed(0)} ms`,
  );
  console.log(`  the first inquiry is stored ${backMs.toFixed(0)} ms after mongod takes writes`);
  console.log(`  memory, MiB: ${parts.map((name, i) => `${name} ${memoryBefore[i]} → ${memoryAfter[i]}`).join(', ')}`);
  return (
    pages.every(({ status }) => status === 200) &&
    inquiries.every(({ status, retryAfter }) => status === 503 && retryAfter) &&
    slowest < 3000 &&
    backMs < 6000
  );
}

async function inquiriesFor(origin: string, durationMs: number) {
  const answers: Awaited<ReturnType<typeof post>>[] = [];
  for (const until = performance.now() + durationMs; performance.now() < until; await new Promise((resolve) => setTimeout(resolve, 250)))
    answers.push(await post(origin));
  return answers;
}

async function post(origin: string): Promise<{ status: number; retryAfter: boolean; ms: number }> {
  const started = performance.now();
  const response = await fetch(`${origin}/api/inquiries`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ name: 'Bench', email: 'bench@example.com', category: 'other', message: 'Is anybody there?', consent: true }),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.has('retry-after'), ms: performance.now() - started };
}
