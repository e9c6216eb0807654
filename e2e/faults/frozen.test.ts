import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'playwright/test';
import { ask } from './load.ts';
import { test } from './site.ts';

const slackMs = 1000;
const frozenMs = 10_000;

async function timed(path: string) {
  const startedAt = performance.now();
  const { status, body } = await ask(path);
  return { status, body, ms: performance.now() - startedAt };
}

test('a frozen news service is a matter of the news: every other page answers in time', async ({ site }) => {
  test.setTimeout(60_000);
  await site.whole();
  const [pid] = site.pids('news service') as [number];
  process.kill(pid, 'SIGSTOP');
  const until = performance.now() + frozenMs;
  try {
    const watch = async (path: string, check: (answer: Awaited<ReturnType<typeof timed>>) => void) => {
      while (performance.now() < until) {
        check(await timed(path));
        await pause(50);
      }
    };
    await Promise.all([
      ...['/company', '/privacy', '/inquiry'].map((path) =>
        watch(path, ({ status, ms }) => {
          expect(status, path).toBe(200);
          expect(ms, path).toBeLessThan(500 + slackMs);
        }),
      ),
      // Its slot is given up after 0.5 s.
      watch('/', ({ status, body, ms }) => {
        expect(status).toBe(200);
        expect(body).toContain('<main');
        expect(ms).toBeLessThan(500 + slackMs);
      }),
      watch('/news', ({ status, body, ms }) => {
        expect(status).toBe(503);
        expect(body).toContain('<main');
        expect(ms).toBeLessThan(5000 + slackMs);
      }),
    ]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const wokenAt = performance.now();
  await expect.poll(async () => (await ask('/news')).status, { intervals: [50], timeout: 10_000 }).toBe(200);
  expect(performance.now() - wokenAt).toBeLessThan(2000 + slackMs);
});
