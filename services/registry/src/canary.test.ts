import { createLog } from '@colonnade/service/log';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { build, json, keyringOf, publish, team } from '../fixtures/release.ts';
import { type Instance, type Service, startInstance, startService } from '../fixtures/service.ts';
import { type Shell, startShell } from '../fixtures/shell.ts';
import { watch } from './watch.ts';

const all = team('All', '*');
let service: Service;
let other: Instance;
let post: Awaited<ReturnType<Service['staff']>>['post'];
let shell: Shell;

// Two instances, and so two guards at work.
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'registry_canary_test');
  other = await startInstance(service.uri);
  await other.database.prepared;
});
beforeEach(async () => {
  await service.empty();
  const staff = await service.staff();
  post = staff.post;
  await staff.putKeyring(keyringOf(1, all.key));
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) await publish(service.ask, all, build('mfe-news', version));
  await publish(service.ask, all, build('mfe-inquiry', '1.0.0'));
  shell = await startShell(service.origin, 'shell-1', () => ({ ok: true }));
});
afterEach(() => shell.close());
afterAll(async () => {
  await other.close();
  await service.close();
});

const state = async () => (await service.ask('/state')).body;
const activation = async (id: string) => (await service.ask(`/activations/${id}`)).body;

/** Activates, and waits until that has ended well. @returns its id */
async function activate(version: string, percent?: number, name = 'mfe-news'): Promise<string> {
  const { status, body } = await post('/activations', { name, version, percent });
  expect(status).toBe(202);
  expect((await other.ask(`/activations/${body.id}?wait=10`)).body.state).toBe(percent === undefined ? 'live' : 'canary');
  return body.id;
}
const counts = (...entries: { of: string; pages: number; errors: number; beacons?: number }[]) => shell.count(entries);
/** One look of the guard; as a rule with a window that is over. */
const look = (windowMs = 0, told = new Set<string>(), log = createLog('test')) =>
  watch({ ...service.registry, settings: { windowMs, promotePages: 200 }, log, told });

it('runs a canary beside the live set, and everybody else waits', async () => {
  await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  expect(await state()).toMatchObject({
    live: { 'mfe-news': '1.0.0' },
    candidate: null,
    canary: { id, name: 'mfe-news', version: '1.1.0', percent: 10, by: 'Olga' },
  });
  for (const [path, body] of [
    ['/activations', { name: 'mfe-inquiry', version: '1.0.0' }],
    ['/activations', { name: 'mfe-news', version: '1.2.0', percent: 5 }],
    ['/rollbacks', { name: 'mfe-news' }],
    ['/deactivations', { name: 'mfe-news' }],
  ] as const)
    expect(await post(path, body)).toMatchObject({
      status: 409,
      body: { code: 'canary-running', activation: id, detail: expect.stringContaining('mfe-news@1.1.0 is a canary, by Olga') },
    });
});

it('promotes on command: the set that was the canary is live', async () => {
  const before = await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  expect(await post('/canary/promote', {})).toMatchObject({ status: 201, body: { id, state: 'live' } });
  expect(await state()).toMatchObject({ live: { 'mfe-news': '1.1.0' }, activation: id, canary: null });
  expect((await service.collections.activations.findOne({ _id: id }))?.replaced).toBe(before);
  expect((await post('/canary/promote', {})).body.code).toBe('no-canary');
  expect((await post('/rollbacks', { name: 'mfe-news' })).body.version).toBe('1.0.0');
});

it('withdraws on command: nothing has changed', async () => {
  const before = await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  expect(await post('/canary/withdraw', { reason: 'wrong colour' })).toMatchObject({
    status: 201,
    body: { id, state: 'withdrawn', reasons: [{ shell: null, reason: 'wrong colour' }] },
  });
  expect(await state()).toMatchObject({ live: { 'mfe-news': '1.0.0' }, activation: before, canary: null });
  expect((await post('/canary/withdraw', {})).body.code).toBe('no-canary');
  await activate('1.2.0');
});

it('withdraws by itself, once, a canary that fails where the live set does not', async () => {
  const live = await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  await counts({ of: live, pages: 450, errors: 1 }, { of: id, pages: 55, errors: 17 });
  await expect.poll(async () => (await state()).canary).toBeNull();
  expect(await activation(id)).toMatchObject({ state: 'withdrawn', reasons: [{ reason: expect.stringContaining('17 of 55 page views') }] });
  expect((await state()).live).toEqual({ 'mfe-news': '1.0.0' });
  const { items } = (await service.ask('/audit')).body;
  expect(items.filter(({ action }: { action: string }) => action === 'withdrawn')).toHaveLength(1);
  await expect.poll(() => shell.last().canary).toBeNull();
});

it('leaves a canary alone while the live set fails as well', async () => {
  const live = await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  await counts({ of: live, pages: 450, errors: 140 }, { of: id, pages: 55, errors: 17 });
  await look();
  expect((await state()).canary).toMatchObject({ id });
});

it('promotes by itself after a clean window, unless beacons of several addresses hold it', async () => {
  const live = await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  await counts({ of: live, pages: 1800, errors: 2 }, { of: id, pages: 150, errors: 0, beacons: 3 });
  await look();
  expect((await state()).canary).toMatchObject({ id });
  await counts({ of: id, pages: 50, errors: 0, beacons: 1 });
  await look();
  expect((await state()).canary).toMatchObject({ id });
  // Control: without the beacons it is promoted.
  await service.collections.activations.updateOne({ _id: id }, { $set: { beacons: 2 } });
  await Promise.all([look(), look()]);
  expect(await state()).toMatchObject({ live: { 'mfe-news': '1.1.0' }, activation: id, canary: null });
});

it('rolls a full activation back that is worse than what was live before, once, and does not go there again', async () => {
  const before = await activate('1.0.0');
  await counts({ of: before, pages: 900, errors: 1 });
  const id = await activate('1.1.0');
  await counts({ of: id, pages: 80, errors: 30 });
  await expect.poll(async () => (await state()).live).toEqual({ 'mfe-news': '1.0.0' });
  expect(await activation(id)).toMatchObject({ state: 'withdrawn', reasons: [{ reason: expect.stringContaining('30 of 80') }] });
  const { items } = (await service.ask('/history')).body;
  expect(items).toMatchObject([
    { kind: 'rollback', version: '1.0.0', from: '1.1.0', by: 'guard', state: 'live' },
    { version: '1.1.0', state: 'withdrawn' },
    { version: '1.0.0', state: 'live' },
  ]);
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.0.0' });
  await activate('1.2.0');
  expect((await post('/rollbacks', { name: 'mfe-news' })).body.version).toBe('1.0.0');
});

it('takes a new microfrontend off again that fails, with what was on its way beside it', async () => {
  const before = await activate('1.0.0');
  await counts({ of: before, pages: 900, errors: 1 });
  const id = await activate('1.0.0', undefined, 'mfe-inquiry');
  const canary = await activate('1.1.0', 10);
  await counts({ of: id, pages: 80, errors: 30 });
  await expect.poll(async () => (await state()).live).toEqual({ 'mfe-news': '1.0.0' });
  expect(await state()).toMatchObject({ canary: null, candidate: null });
  expect(await activation(canary)).toMatchObject({
    state: 'withdrawn',
    reasons: [{ reason: expect.stringContaining('mfe-inquiry@1.0.0') }],
  });
});

it('does not go back to what a revoked key has signed: it says so, once, and looks after the canary', async () => {
  const former = team('Former', '*');
  const { putKeyring } = await service.staff();
  await putKeyring(keyringOf(2, all.key, former.key));
  await publish(service.ask, former, build('mfe-news', '0.9.0'));
  const before = await activate('0.9.0');
  await counts({ of: before, pages: 900, errors: 1 });
  await putKeyring(keyringOf(3, all.key, { ...former.key, revokedAt: '2026-11-21T08:00:00Z' }));
  const id = await activate('1.1.0');
  const canary = await activate('1.2.0', 10);
  const log = createLog('test');
  const errors = vi.spyOn(log, 'error').mockImplementation(() => {});
  const told = new Set<string>();
  await counts({ of: id, pages: 80, errors: 30 }, { of: canary, pages: 80, errors: 79 });
  for (let looks = 0; looks < 2; looks++) await look(600_000, told, log);
  expect(await state()).toMatchObject({ live: { 'mfe-news': '1.1.0' }, activation: id, canary: null });
  expect(errors.mock.calls).toEqual([[expect.objectContaining({ activation: id, from: '0.9.0', alert: true }), expect.any(String)]]);
});

it('watches no rollback: it would go to and fro', async () => {
  const first = await activate('1.0.0');
  const second = await activate('1.1.0');
  await counts({ of: first, pages: 900, errors: 1 }, { of: second, pages: 900, errors: 1 });
  const { body } = await post('/rollbacks', { name: 'mfe-news' });
  await other.ask(`/activations/${body.id}?wait=10`);
  await counts({ of: body.id, pages: 100, errors: 50 });
  await look(600_000);
  expect((await state()).live).toEqual({ 'mfe-news': '1.0.0' });
});

it('promotes nothing whose key was revoked meanwhile, by itself or on command', async () => {
  const live = await activate('1.0.0');
  const id = await activate('1.1.0', 10);
  await counts({ of: live, pages: 1800, errors: 2 }, { of: id, pages: 300, errors: 0 });
  const { putKeyring } = await service.staff();
  await putKeyring(keyringOf(2, { ...all.key, revokedAt: '2026-11-21T08:00:00Z' }));
  await look();
  expect((await post('/canary/promote', {})).body.code).toBe('revoked-key');
  expect(await state()).toMatchObject({ live: { 'mfe-news': '1.0.0' }, canary: { id } });
});

it('refuses counts that cannot be', async () => {
  for (const entry of [
    { of: '0123456789ab', pages: 1, errors: 2 },
    { of: 'x', pages: 1, errors: 0 },
    { of: '0123456789ab', pages: -1, errors: 0 },
    { of: '0123456789ab', pages: 1e9, errors: 0 },
  ])
    expect((await service.ask('/shells/shell-1/counts', json({ counts: [entry] }))).status).toBe(422);
});
