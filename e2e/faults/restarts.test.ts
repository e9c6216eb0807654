import { expect } from 'playwright/test';
import { alive, freeze, signal } from '../../kit/service/fixtures/processes.ts';
import { ask, type Load, steadyLoad, submit } from './load.ts';
import { type Kind, opsOrigin, test } from './site.ts';

/** What a machine that stalls may need; `pnpm bench faults` says how long it takes. */
const slackMs = 5000;

let load: Load;
test.beforeEach(async ({ site }) => {
  await site.whole();
  load = steadyLoad();
  await expect.poll(() => load.asked()).toBeGreaterThan(30);
});
test.afterEach(() => load.stop());

const kinds: Kind[] = ['gateway worker', 'gateway primary', 'shell worker', 'shell supervisor', 'news service', 'inquiry service'];

for (const kind of kinds) {
  test(`a ${kind} that is asked to end has a successor first, and no request fails`, async ({ site }) => {
    const [pid] = site.pids(kind) as [number];
    signal(pid, 'SIGTERM');
    await expect.poll(() => alive(pid), { timeout: 10_000 + slackMs }).toBe(false);
    await site.whole();
    const asked = load.asked();
    await expect.poll(() => load.asked()).toBeGreaterThan(asked + 20);
    await load.stop();
    expect(site.pids(kind)).not.toContain(pid);
    expect(load.failures).toEqual([]);
  });
}

/** Of the gateway's workers. */
async function retries(): Promise<number> {
  const metrics = await (await fetch(`${opsOrigin}/metrics`)).text();
  return [...metrics.matchAll(/^upstream_retries_total\{.*\} (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

test('a shell supervisor whose successor takes longer than it may stay is waited for, and no request fails', async ({ site }) => {
  const [pid] = site.pids('shell supervisor') as [number];
  const workers = site.pids('shell worker');
  const retried = await retries();
  signal(pid, 'SIGTERM');
  await expect.poll(() => site.pids('shell worker').length, { timeout: 10_000 + slackMs, intervals: [10] }).toBeGreaterThan(workers.length);
  const successor = site.pids('shell supervisor').find((other) => other !== pid) as number;
  await freeze(successor);
  // Nobody takes connections where the workers were.
  await expect.poll(retries, { timeout: 10_000 + slackMs }).toBeGreaterThan(retried);
  signal(successor, 'SIGCONT');
  await site.whole();
  await load.stop();
  expect(site.pids('shell supervisor')).toEqual([successor]);
  expect(load.failures).toEqual([]);
});

/** The part of the site that shows whether it is back, and when it has to be, in milliseconds. */
const outages: Record<Kind, { probe: () => Promise<{ status: number }>; withinMs: number }> = {
  'gateway worker': { probe: () => ask('/company'), withinMs: 1500 },
  'gateway primary': { probe: () => ask('/company'), withinMs: 1500 },
  'shell worker': { probe: () => ask('/company'), withinMs: 1500 },
  'shell supervisor': { probe: () => ask('/company'), withinMs: 1500 },
  'news service': { probe: () => ask('/api/news'), withinMs: 1500 },
  'inquiry service': { probe: () => submit(`probe-${crypto.randomUUID()}`), withinMs: 1500 },
  mongod: { probe: () => submit(`probe-${crypto.randomUUID()}`), withinMs: 5000 },
};

const single: Kind[] = ['news service', 'inquiry service', 'mongod'];

for (const [kind, { probe, withinMs }] of Object.entries(outages) as [Kind, (typeof outages)[Kind]][]) {
  test(`a ${kind} that is killed costs what was in flight, and is back soon`, async ({ site }) => {
    const [pid] = site.pids(kind) as [number];
    const killedAt = performance.now();
    signal(pid, 'SIGKILL');
    await expect.poll(() => alive(pid), { intervals: [2] }).toBe(false);
    const deadAt = performance.now();
    await expect
      .poll(
        () =>
          probe().then(
            ({ status }) => status < 300,
            () => false,
          ),
        { timeout: 20_000, intervals: [20] },
      )
      .toBe(true);
    const backMs = performance.now() - killedAt;
    await site.whole();
    await load.stop();
    const later = load.failures.filter(({ startedAt }) => startedAt > deadAt);
    console.log(
      `${kind}: back after ${Math.round(backMs)} ms, ${load.failures.length} failed, ${later.length} of them began after its death`,
    );
    expect(backMs).toBeLessThan(withinMs + slackMs);
    if (single.includes(kind)) {
      // There is one: what needs it fails while it is away, and nothing else does.
      expect(load.failures.filter(({ startedAt }) => startedAt > killedAt + withinMs + slackMs)).toEqual([]);
      expect(load.failures.filter(({ what }) => /company|privacy|GET \/$/.test(what))).toEqual([]);
    } else {
      // A visitor meets the end of the own connection at most, which a busy machine tells of a little later.
      expect(later.filter(({ startedAt }) => startedAt > deadAt + slackMs)).toEqual([]);
      expect(new Set(load.failures.map(({ client }) => client)).size).toBe(load.failures.length);
    }
  });
}
