import { expect, test } from 'playwright/test';
import { fixturePorts } from '../support/fixture-site.ts';
import { type Onlookers, onlookers } from '../support/onlookers.ts';
import { type LogLine, type SecondShell, startSecondShell } from '../support/second-shell.ts';

let shell: SecondShell;
let others: Onlookers;

test.describe.configure({ mode: 'default', timeout: 60_000 });
test.beforeAll(async () => {
  test.setTimeout(90_000);
  shell = await startSecondShell({
    name: 'containment',
    base: fixturePorts.PORT + 300,
    mfes: { 'mfe-faults': '1.0.0', 'mfe-probe-v1': '1.0.0' },
    env: { WORKER_MEMORY_MB: '400' },
  });
});
test.afterAll(() => shell?.stop());
test.beforeEach(() => {
  others = onlookers(shell.origin, ['/company', '/privacy', '/news', '/probe-v1']);
});
test.afterEach(async () => {
  for (const [path, statuses] of Object.entries(await others.end())) expect(Object.keys(statuses), path).toEqual(['200']);
});

const lines = (msg: string, fields: object): LogLine[] =>
  shell.log().filter((line) => line.msg === msg && Object.entries(fields).every(([key, value]) => line[key] === value));
/** Workers that had to go because of a part: killed, or replaced in order, and perhaps killed then. */
function endsOf(part: string): LogLine[] {
  const reports = shell.log().flatMap((line): LogLine[] => {
    if (line.msg === 'worker has to be replaced') return [{ ...line, worker: line.pid }];
    const { report, time, worker } = line;
    return line.msg === 'worker died, replacing it' && report ? [{ ...(report as LogLine), time, worker }] : [];
  });
  return reports.filter((end, i) => end.part === part && reports.findIndex(({ requestId }) => requestId === end.requestId) === i);
}
function lives(pid: unknown): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}
/** Workers that came up, by their own log. */
const starts = (): number => shell.log().filter(({ name, msg }) => name === 'shell' && msg === 'listening').length;
/** Deaths of the worker that wrote a line: one that leaves in order, because of another test, does not die. */
const deathsOf = (line: LogLine | undefined): LogLine[] =>
  shell.log().filter(({ msg, worker }) => msg === 'worker died, replacing it' && worker === line?.pid);
const get = (path: string, init?: RequestInit) => fetch(shell.origin + path, { redirect: 'manual', ...init });

for (const { what, path, part = path, reason } of [
  { what: 'an endless loop in a loader', path: '/faults/loop', reason: 'stuck' },
  { what: 'an endless loop while rendering', path: '/faults/loop-render', reason: 'stuck' },
  { what: 'an endless loop in a slot', path: '/faults/loop-slot', part: 'mfe-faults/loops', reason: 'stuck' },
  // Whichever is noticed first.
  { what: 'a loader that takes all memory at once', path: '/faults/memory-at-once', reason: expect.stringMatching(/memory|stuck/) },
  // The last: a worker on its way out eats on.
  { what: 'a loader that takes all memory, bite by bite', path: '/faults/memory', reason: expect.stringMatching(/memory|stuck/) },
]) {
  test(`${what} costs its own page only; its worker is replaced, its release named, and at the second time it is fenced`, async () => {
    for (const deaths of [1, 2]) {
      const before = starts();
      const response = await get(path);
      expect(response.status).toBe(503);
      await expect.poll(() => endsOf(part).length, { timeout: 20_000 }).toBe(deaths);
      const end = endsOf(part).at(-1);
      expect(end).toMatchObject({ reason, mfe: 'mfe-faults', version: '1.0.0', part, requestId: response.headers.get('x-request-id') });
      await expect.poll(starts, { timeout: 20_000 }).toBeGreaterThan(before);
      // What it serves until then would be the first one's doing.
      await expect.poll(() => lives(end?.worker), { timeout: 20_000 }).toBe(false);
      await expect.poll(async () => (await shell.state()).workers).toBe(2);
    }
    await expect.poll(() => lines('fenced off', { mfe: 'mfe-faults', version: '1.0.0', part }).length).toBe(1);
    expect((await shell.state()).releases.find(({ name }) => name === 'mfe-faults')?.fenced).toContainEqual({
      id: part,
      until: expect.any(String),
    });

    const document = await get(path);
    const html = await document.text();
    if (part === path) {
      expect(document.status).toBe(503);
      expect(Number(document.headers.get('retry-after'))).toBeGreaterThan(30);
      expect(html).toContain('data-status="503"');
      const data = await get(`${path}?_data=${document.headers.get('x-release-set')}`);
      expect(data.status).toBe(503);
      expect(await data.json()).toMatchObject({ status: 503 });
      expect((await get(path, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })).status).toBe(503);
    } else {
      expect(document.status).toBe(200);
      expect(html).toContain('All is well');
      expect(html).toContain('Not now');
    }
    expect(html).toMatch(/<nav[^>]* aria-label="Main"/);
    expect(endsOf(part)).toHaveLength(2);
    expect(lines('fenced off', { part })).toHaveLength(1);
  });
}

test('an exception in a timer is named, and its worker leaves without failing a request', async () => {
  const left = lines('worker leaves, its successor first', {}).length;
  const response = await get('/faults/timer');
  expect(response.status).toBe(200);
  await expect.poll(() => lines('uncaught exception', { mfe: 'mfe-faults', version: '1.0.0', part: '/faults/timer' }).length).toBe(1);
  expect(lines('uncaught exception', {})[0]).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    err: { message: 'secret of the timer' },
  });
  await expect.poll(() => lines('worker leaves, its successor first', {}).length).toBe(left + 1);
  await expect.poll(async () => (await shell.state()).workers).toBe(2);
});

test('a rejection that nobody handles is named once', async () => {
  const response = await get('/faults/with/stray');
  expect(response.status).toBe(200);
  const requestId = response.headers.get('x-request-id');
  await expect.poll(() => lines('unhandled rejection', { requestId }).length).toBe(1);
  const [line] = lines('unhandled rejection', { requestId });
  expect(line).toMatchObject({ mfe: 'mfe-faults', version: '1.0.0', part: '/faults/with/:fault' });
});

for (const [fault, says] of [
  ['rejects', /secret of the loader/],
  ['exit', /process\.exit called by a release/],
  ['reallyExit', /process\.reallyExit called by a release/],
  ['abort', /process\.abort called by a release/],
  ['kill', /process\.kill called by a release/],
  ['circular', /circular/],
  ['bigint', /BigInt/],
  ['function', /a function is not JSON/],
  ['shape', /map is not a function/],
  ['nothing', /null/],
] as const) {
  test(`a loader that answers with ${fault} is 500 in the layout`, async () => {
    const response = await get(`/faults/with/${fault}`);
    expect(response.status).toBe(500);
    const html = await response.text();
    expect(html).toContain('data-status="500"');
    expect(html).toMatch(/<nav[^>]* aria-label="Main"/);
    expect(html).not.toMatch(/secret|\.cjs|\/releases\//);
    const digest = /Digest: ([0-9a-f]{10})/.exec(html)?.[1] ?? 'none';
    await expect.poll(() => lines('page failed', { digest }).length).toBe(1);
    expect(lines('page failed', { digest })[0]).toMatchObject({
      mfe: 'mfe-faults',
      version: '1.0.0',
      route: '/faults/with/:fault',
      err: { message: expect.stringMatching(says) },
    });
  });
}

test('a loader that hangs is 503 in the layout at its deadline', async () => {
  const response = await get('/faults/with/hangs');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.text()).toContain('data-status="503"');
});

// Only now: of a death the supervisor writes later than the worker wrote of its cause.
test('none of these costs a worker', () => {
  const faults = [...lines('page failed', { route: '/faults/with/:fault' }), ...lines('unhandled rejection', {})];
  expect(faults.flatMap(deathsOf)).toEqual([]);
  expect(endsOf('/faults/with/:fault')).toEqual([]);
});

test('a page that waits for ever while rendering is 500 in the layout', async () => {
  const response = await get('/faults/suspended');
  expect(response.status).toBe(500);
  expect(await response.text()).toMatch(/Digest: [0-9a-f]{10}/);
});

test('the control: without the watchdog the same loop keeps its worker, and every page with it, until the supervisor ends it unnamed', async () => {
  test.setTimeout(90_000);
  const unwatched = await startSecondShell({
    name: 'unwatched',
    base: fixturePorts.PORT + 330,
    mfes: { 'mfe-faults': '1.0.0' },
    // Both answers come before the supervisor does anything.
    env: { WATCHDOG: 'off', SHELL_WORKERS: '1', UPSTREAM_DEADLINE_MS: '3000' },
  });
  try {
    expect((await fetch(`${unwatched.origin}/faults/loop`)).status).toBeGreaterThanOrEqual(500);
    // Long after the watchdog would have ended it.
    expect((await fetch(`${unwatched.origin}/company`)).status).toBeGreaterThanOrEqual(500);
    const deaths = () => unwatched.log().filter(({ msg }) => msg === 'worker died, replacing it');
    expect(deaths()).toEqual([]);
    await expect.poll(() => deaths().length, { timeout: 30_000 }).toBe(1);
    expect(deaths()[0]).toMatchObject({ signal: 'SIGKILL' });
    expect(deaths()[0]?.report).toBeUndefined();
    await expect.poll(async () => (await fetch(`${unwatched.origin}/company`)).status, { timeout: 20_000 }).toBe(200);
  } finally {
    await unwatched.stop();
  }
});
