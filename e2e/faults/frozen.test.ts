import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'playwright/test';
import { alive, freeze, signal } from '../../kit/service/fixtures/processes.ts';
import { ask } from './load.ts';
import { test } from './site.ts';

/** What a busy machine may need, as a rule: nine of ten answers have to come within it, because a single one may meet a stall. */
const slackMs = 2000;
const frozenMs = 10_000;

async function timed(path: string) {
  const startedAt = performance.now();
  const { status, body } = await ask(path);
  return { status, body, ms: performance.now() - startedAt };
}

test('a frozen news service is a matter of the news: every other page answers in time', async ({ site }) => {
  test.setTimeout(60_000);
  await site.whole();
  const [pid] = site.pids('news service');
  await freeze(pid);
  const until = performance.now() + frozenMs;
  try {
    const watch = async (path: string, status: number, withinMs: number) => {
      const took: number[] = [];
      while (performance.now() < until) {
        const answer = await timed(path);
        expect(answer.status, path).toBe(status);
        expect(answer.body, path).toContain('<main');
        took.push(answer.ms);
        await pause(50);
      }
      expect(took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.9)], path).toBeLessThan(withinMs + slackMs);
    };
    await Promise.all([
      ...['/company', '/privacy', '/inquiry'].map((path) => watch(path, 200, 500)),
      // Its slot is given up after 0.5 s.
      watch('/', 200, 500),
      watch('/news', 503, 5000),
    ]);
  } finally {
    signal(pid, 'SIGCONT');
  }
  await expect.poll(async () => (await ask('/news')).status, { timeout: 8000, intervals: [100] }).toBe(200);
});

test('a frozen gateway worker is ended and has a successor', async ({ site }) => {
  await site.whole();
  const [pid] = site.pids('gateway worker') as [number];
  await freeze(pid);
  await expect.poll(() => alive(pid), { timeout: 30_000, intervals: [100] }).toBe(false);
  await site.whole();
});
