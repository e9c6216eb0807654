import cluster from 'node:cluster';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { State } from '@colonnade/release/api';
import { readPublicKey } from '@colonnade/release/keys';
import { createLog } from '@colonnade/service/log';
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtShell } from '../../../fixtures/built-shell.ts';
import { releaseOf, root, startRegistry } from '../../../fixtures/registry.ts';
import type { Env } from '../env.ts';
import { RegistrySource } from './releases/registry-source.ts';
import { ResidentSets } from './resident-sets.ts';

const log = createLog('test');
const minuteMs = 60_000;
/** After which what was refused beside a live set is tried again. */
const retryMs = 30_000;

/** A supervisor with a registry, whose workers run this. */
async function supervisor(code?: string, workers = 1) {
  const dir = mkdtempSync(path.join(tmpdir(), 'colonnade-sets-'));
  const shellDir = builtShell(dir, code);
  vi.stubEnv('DATA_DIR', dir);
  const registry = await startRegistry();
  for (const version of ['1.0.0', '2.0.0', '2.1.0'])
    registry.releases.set(`mfe-a@${version}`, releaseOf('mfe-a', version, { paths: ['/a'] }));
  const source = new RegistrySource({ url: registry.url, rootKey: readPublicKey(root.publicKey), dataDir: dir, log });
  const env = { HOST: '127.0.0.1', DATA_DIR: dir, SHELL_PORT: 23_400, SHELL_WORKERS: workers, PREVIOUS_SET_MS: 15 * minuteMs };
  const sets = new ResidentSets({ ...(env as Env), SITE_ORIGIN: 'https://www.nollvik.example', shellDir, source, log });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await sets.close();
    await registry.stop();
    rmSync(dir, { recursive: true });
  });
  const change = (state: Partial<State>) => {
    registry.state = { ...registry.state, sequence: registry.state.sequence + 1, ...state };
    registry.tell();
  };
  return { dir, registry, sets, change };
}
/** Holds timers of half a minute and more. @returns lets the time of those pass that were set for so long */
function heldTimers(): (ms: number) => void {
  const held: { work: () => void; ms: number }[] = [];
  const real = setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0, ...rest: unknown[]) => {
    if (ms >= retryMs) held.push({ work, ms });
    return ms >= retryMs ? real(() => {}) : real(work, ms, ...rest);
  }) as typeof setTimeout);
  onTestFinished(() => void vi.restoreAllMocks());
  return (passed) => {
    for (const { work } of held.filter(({ ms }) => ms === passed)) work();
  };
}
/** Workers of this version come up when there is a file `go`. */
const waits = `
  appendFileSync(DATA_DIR + '/started', mfes['mfe-a'] + ' ' + WORKER_PORT + '\\n');
  while (mfes['mfe-a'] === '2.0.0' && !existsSync(DATA_DIR + '/go')) await new Promise((resolve) => setTimeout(resolve, 20));`;
const startedIn = (dir: string) => readFileSync(path.join(dir, 'started'), 'utf8').match(/^2\.0\.0.*/gm) ?? [];
const pending = (version: string) => ({ id: 'bbbbbbbbbbbb', name: 'mfe-a', version, by: 'Olga', at: '2026-11-21T08:00:00Z' });

test('a shell that is there before its registry, for the first time, has a live set when that comes', async () => {
  const { registry, sets } = await supervisor();
  registry.away = true;
  await sets.start();
  expect(sets.state()).toMatchObject({ set: null, refused: { reason: expect.stringContaining('does not answer') } });
  registry.away = false;
  await expect.poll(() => sets.ready).toBe(true);
  expect(sets.state()).toMatchObject({ refused: null });
});

test('what could not be written of the live set is written at the next try', async () => {
  const { dir, registry, sets } = await supervisor();
  // Where the file is to be lies a folder: it cannot be written, as on a full disk.
  const file = path.join(dir, 'shell/last-good.json');
  mkdirSync(file, { recursive: true });

  await sets.start();
  expect(sets.ready).toBe(true);
  expect(sets.state()).toMatchObject({ refused: { reason: expect.stringContaining('last-good.json') } });
  rmdirSync(file);
  registry.tell();
  await expect.poll(() => sets.state()).toMatchObject({ refused: null });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ live: {}, activation: 'aaaaaaaaaaaa' });
});

test('a release that ends workers by itself is not tried again', async () => {
  const { registry, sets, change } = await supervisor(`
    const fault = { fault: { reason: 'exception', mfe: 'mfe-a', version: '2.0.0' } };
    if (mfes['mfe-a'] === '2.0.0' && !process.env.WORKER_WITHOUT) setTimeout(() => [fault, fault].map((each) => process.send(each)), 100);`);
  registry.state.live = { 'mfe-a': '2.0.0' };
  await sets.start();
  await expect.poll(() => sets.state()).toMatchObject({ releases: [{ broken: expect.stringContaining('exception') }] });
  change({ live: { 'mfe-a': '1.0.0' }, candidate: { ...pending('2.0.0'), percent: null } });
  await expect.poll(() => registry.reports).toMatchObject([{ ok: false, reason: 'mfe-a@2.0.0: exception, whatever is asked of it' }]);
  // Control: another version is tried, and good.
  change({ candidate: { ...pending('2.1.0'), id: 'cccccccccccc', percent: null } });
  await expect.poll(() => registry.reports).toMatchObject([{}, { ok: true }]);
});

test('a release that does not load in one worker more stays in use, and its files are looked at again', async () => {
  const pass = heldTimers();
  const { dir, registry, sets } = await supervisor(
    `
    const torn = readFileSync(DATA_DIR + '/releases/mfe-a/1.0.0/server/remote.cjs', 'utf8') === 'torn';
    appendFileSync(DATA_DIR + '/starts', torn + ' ');
    if (torn) writeSync(4, JSON.stringify({ reason: 'broken', mfe: 'mfe-a', version: '1.0.0' }));
    if (torn) process.exit(1);`,
    2,
  );
  registry.state.live = { 'mfe-a': '1.0.0' };
  await sets.start();
  const starts = () => readFileSync(path.join(dir, 'starts'), 'utf8').trim().split(' ');
  writeFileSync(path.join(dir, 'releases/mfe-a/1.0.0/server/remote.cjs'), 'torn');
  Object.values(cluster.workers ?? {})[0]?.process.kill('SIGKILL');
  await expect.poll(() => starts().length).toBeGreaterThan(4);
  expect(sets.state()).toMatchObject({ workers: 1, releases: [{ name: 'mfe-a', broken: undefined }] });
  pass(retryMs);
  await expect.poll(() => sets.state()).toMatchObject({ workers: 2, releases: [{ name: 'mfe-a', broken: undefined }] });
  expect(starts().at(-1)).toBe('false');
});

test('a canary that runs already when the shell starts is tried before it serves', async () => {
  const { registry, sets, change } = await supervisor(`if (mfes['mfe-a'] === '2.0.0') status = 500;`);
  Object.assign(registry.state, { live: { 'mfe-a': '1.0.0' }, canary: { ...pending('2.0.0'), percent: 10 } });
  await sets.start();
  expect(sets.pointer()).toMatchObject({ live: expect.any(String), canary: null });
  // It was promoted, as the other shells have it: here it is refused still.
  change({ live: { 'mfe-a': '2.0.0' }, canary: null });
  const refused = { reason: 'does not serve here, as its trial failed: /a answers 500, and 200 from the live set' };
  await expect.poll(() => sets.state()).toMatchObject({ refused, releases: [{ version: '1.0.0' }] });
  // Control: a good one serves.
  change({ live: { 'mfe-a': '1.0.0' }, canary: { ...pending('2.1.0'), percent: 10 } });
  await expect.poll(() => sets.pointer()).toMatchObject({ canary: expect.any(String), canaryPercent: 10 });
});

test('a canary on its way holds up neither the start nor a change of what is live', async () => {
  const { dir, registry, sets, change } = await supervisor(waits);
  const canary = { ...pending('2.0.0'), percent: 10 };
  Object.assign(registry.state, { live: { 'mfe-a': '1.0.0' }, canary });
  await sets.start();
  const { live: first } = sets.pointer();
  expect(sets.pointer()).toMatchObject({ live: expect.any(String), canary: null });
  change({ live: { 'mfe-a': '2.1.0' } });
  await expect.poll(() => sets.pointer()).toMatchObject({ previous: first, canary: null });
  writeFileSync(path.join(dir, 'go'), '');
  await expect.poll(() => sets.pointer()).toMatchObject({ canary: expect.any(String), canaryPercent: 10 });
  expect(startedIn(dir)).toHaveLength(1);
});

test('a canary that is withdrawn on its way does not serve, and its workers end; one that is promoted then goes live', async () => {
  const { dir, registry, sets, change } = await supervisor(waits);
  const canary = { ...pending('2.0.0'), percent: 10 };
  Object.assign(registry.state, { live: { 'mfe-a': '1.0.0' }, canary });
  const served = new Set<string | null>();
  sets.on('pointer', () => served.add(sets.pointer().canary));
  await sets.start();
  await expect.poll(() => startedIn(dir)).toHaveLength(1);
  change({ canary: null, activation: 'cccccccccccc' });
  const lastGood = () => JSON.parse(readFileSync(path.join(dir, 'shell/last-good.json'), 'utf8'));
  await expect.poll(lastGood).toMatchObject({ activation: 'cccccccccccc' });
  writeFileSync(path.join(dir, 'go'), '');
  const workers = () => Object.keys(cluster.workers ?? {}).length;
  await expect.poll(workers).toBe(1);

  rmSync(path.join(dir, 'go'));
  change({ canary });
  await expect.poll(() => startedIn(dir)).toHaveLength(2);
  change({ live: { 'mfe-a': '2.0.0' }, canary: null });
  writeFileSync(path.join(dir, 'go'), '');
  await expect.poll(() => sets.state()).toMatchObject({ releases: [{ version: '2.0.0' }] });
  expect(startedIn(dir)).toHaveLength(2);
  expect([...served]).toEqual([null]);
});

test('a canary that was refused is told of, and tried again after half a minute, not at each change', async () => {
  const pass = heldTimers();
  const { dir, registry, sets, change } = await supervisor(`
    appendFileSync(DATA_DIR + '/started', mfes['mfe-a'] + '\\n');
    if (mfes['mfe-a'] === '2.0.0' && !existsSync(DATA_DIR + '/mended')) status = 500;`);
  Object.assign(registry.state, { live: { 'mfe-a': '1.0.0' }, canary: { ...pending('2.0.0'), percent: 10 } });
  await sets.start();
  await expect.poll(() => sets.state()).toMatchObject({ refused: { reason: expect.stringContaining('/a answers 500') } });
  const workers = () => Object.keys(cluster.workers ?? {}).length;
  await expect.poll(workers).toBe(1);
  writeFileSync(path.join(dir, 'mended'), '');
  change({ live: { 'mfe-a': '1.0.0' }, activation: 'cccccccccccc' });
  const lastGood = () => JSON.parse(readFileSync(path.join(dir, 'shell/last-good.json'), 'utf8'));
  await expect.poll(lastGood).toMatchObject({ activation: 'cccccccccccc' });
  pass(retryMs);
  await expect.poll(() => sets.pointer()).toMatchObject({ canary: expect.any(String) });
  expect(startedIn(dir)).toHaveLength(2);
  expect(sets.state()).toMatchObject({ refused: null });
});

test('a canary on its way when the shell ends is not called refused', async () => {
  const { dir, registry, sets } = await supervisor(waits);
  const error = vi.spyOn(log, 'error');
  onTestFinished(() => error.mockRestore());
  Object.assign(registry.state, { live: { 'mfe-a': '1.0.0' }, canary: { ...pending('2.0.0'), percent: 10 } });
  await sets.start();
  await expect.poll(() => startedIn(dir)).toHaveLength(1);
  await sets.close();
  await expect.poll(() => Object.keys(cluster.workers ?? {})).toEqual([]);
  expect(error).not.toHaveBeenCalled();
});

test('a preview of what is being tried is the same set with the same workers', async () => {
  const { dir, registry, sets, change } = await supervisor(waits);
  const started = () => startedIn(dir);
  registry.state.live = { 'mfe-a': '1.0.0' };
  await sets.start();
  const previewed = sets.preview('mfe-a', '2.0.0');
  change({ candidate: { ...pending('2.0.0'), percent: null } });
  await expect.poll(started).not.toHaveLength(0);
  writeFileSync(path.join(dir, 'go'), '');
  await expect.poll(() => registry.reports).toMatchObject([{ ok: true }]);
  change({ live: { 'mfe-a': '2.0.0' }, candidate: null });
  const { set, port } = await previewed;
  await expect.poll(() => sets.pointer()).toMatchObject({ live: set.id, sets: { [set.id]: port } });
  expect(started()).toEqual([`2.0.0 ${port}`]);
});

test('the set before the live one keeps one worker, for 15 minutes; a preview has one, for half an hour', async () => {
  const pass = heldTimers();
  const { registry, sets, change } = await supervisor('', 2);
  const workers = () => Object.keys(cluster.workers ?? {}).length;
  registry.state.live = { 'mfe-a': '1.0.0' };
  await sets.start();
  const { live: first } = sets.pointer();
  expect(workers()).toBe(2);

  change({ live: { 'mfe-a': '2.0.0' }, activation: 'bbbbbbbbbbbb' });
  await expect.poll(() => sets.pointer().previous).toBe(first);
  await expect.poll(workers).toBe(3);
  const { live: second } = sets.pointer();
  expect(Object.keys(sets.pointer().sets)).toEqual([second, first]);

  const preview = await sets.preview('mfe-a', '2.1.0');
  expect(sets.pointer().preview).toEqual({ set: preview.set.id, release: 'mfe-a@2.1.0' });
  expect(workers()).toBe(4);

  pass(30 * minuteMs);
  expect(sets.pointer()).toMatchObject({ preview: null, previous: first });
  await expect.poll(workers).toBe(3);
  pass(15 * minuteMs);
  expect(sets.pointer()).toMatchObject({ live: second, previous: null });
  expect(Object.keys(sets.pointer().sets)).toEqual([second]);
  await expect.poll(workers).toBe(2);
});
