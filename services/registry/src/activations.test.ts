import { brokenLink } from '@colonnade/release/audit-chain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { build, keyringOf, publish, team } from '../fixtures/release.ts';
import { type Instance, type Service, startInstance, startService } from '../fixtures/service.ts';
import { type Opinion, type Shell, startShell } from '../fixtures/shell.ts';

const all = team('All', '*');
const old = team('Old', '*');
const trialMs = 3000;

let service: Service;
let other: Instance;
let post: Awaited<ReturnType<Service['staff']>>['post'];
let putKeyring: Awaited<ReturnType<Service['staff']>>['putKeyring'];
let shells: Shell[] = [];

beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'registry_activations_test', { trialMs });
  other = await startInstance(service.uri, { trialMs });
  await other.database.prepared;
});
beforeEach(async () => {
  await service.empty();
  ({ post, putKeyring } = await service.staff());
  await putKeyring(keyringOf(1, all.key, old.key));
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) expect((await publish(service.ask, all, build('mfe-news', version))).status).toBe(201);
  expect((await publish(service.ask, all, build('mfe-inquiry', '1.0.0'))).status).toBe(201);
});
afterEach(async () => {
  await Promise.all(shells.map((each) => each.close()));
  shells = [];
});
afterAll(async () => {
  await other.close();
  await service.close();
});

/** A shell of one of the two instances, which thinks so of every candidate. */
async function shell(
  opinion: Opinion | ((version: string | null) => Opinion) = { ok: true },
  of: { origin: string } = service,
): Promise<Shell> {
  const each = await startShell(of.origin, `shell-${shells.length + 1}`, ({ version }) =>
    typeof opinion === 'function' ? opinion(version) : opinion,
  );
  shells.push(each);
  return each;
}

const activate = (version: string, name = 'mfe-news', percent?: number) => post('/activations', { name, version, percent });
const live = async () => (await other.ask('/state')).body.live;
/** How it ended. */
async function outcome({ headers }: { headers: Headers }) {
  const { status, body } = await other.ask(`${headers.get('location')}?wait=10`);
  expect(status).toBe(200);
  return body;
}

it('makes a release live at once where no shell is connected', async () => {
  const answer = await activate('1.0.0');
  expect(answer).toMatchObject({ status: 201, body: { state: 'live', version: '1.0.0', from: null, by: 'Olga', expected: [] } });
  expect((await service.ask('/state')).body).toMatchObject({
    live: { 'mfe-news': '1.0.0' },
    since: { 'mfe-news': { by: 'Olga' } },
    activation: answer.body.id,
    candidate: null,
  });
});

it('moves the pointer when every shell of every instance has said yes, and tells each of them', async () => {
  const one = await shell();
  const two = await shell({ ok: true }, other);
  const answer = await activate('1.0.0');
  expect(answer).toMatchObject({ status: 202, body: { state: 'trying', expected: ['shell-1', 'shell-2'] } });
  expect(await outcome(answer)).toMatchObject({
    state: 'live',
    reports: expect.arrayContaining([{ shell: 'shell-2', ok: true, tookMs: 1 }]),
  });
  for (const each of [one, two]) {
    await expect.poll(() => each.last()).toMatchObject({ live: { 'mfe-news': '1.0.0' }, candidate: null });
    // Before it was live each was asked; no state came twice or out of order.
    expect(each.states.some(({ candidate }) => candidate?.id === answer.body.id)).toBe(true);
    const sequences = each.states.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
  }
});

it('waits for the last shell', async () => {
  await shell();
  const last = await shell('silent', other);
  const answer = await activate('1.0.0');
  await expect.poll(async () => (await other.ask(answer.headers.get('location') ?? '')).body.reports).toHaveLength(1);
  expect(await live()).toEqual({});
  await last.report(answer.body.id, true);
  expect((await outcome(answer)).state).toBe('live');
});

it('changes nothing where one shell refuses, and says which and why', async () => {
  await activate('1.0.0');
  await shell();
  const second = await shell((version) => (version === '1.1.0' ? { ok: false, reason: '/news answered 500' } : { ok: true }), other);
  const answer = await activate('1.1.0');
  expect(await outcome(answer)).toMatchObject({ state: 'refused', reasons: [{ shell: 'shell-2', reason: '/news answered 500' }] });
  expect(await live()).toEqual({ 'mfe-news': '1.0.0' });
  await expect.poll(() => second.last().candidate).toBeNull();
  // A word that comes too late changes nothing.
  await second.report(answer.body.id, true);
  expect(await live()).toEqual({ 'mfe-news': '1.0.0' });
  expect((await outcome(await activate('1.2.0'))).state).toBe('live');
});

it('refuses where a shell is silent, or dies of it', async () => {
  await shell();
  const second = await shell('silent');
  expect(await outcome(await activate('1.0.0'))).toMatchObject({
    state: 'refused',
    reasons: [{ shell: 'shell-2', reason: 'has not tried it within 3 s' }],
  });
  const answer = await activate('1.1.0');
  await second.close();
  expect(await outcome(answer)).toMatchObject({ state: 'refused', reasons: [{ shell: 'shell-2' }] });
  expect(await live()).toEqual({});
  // Control: without it, the other one is enough.
  expect((await outcome(await activate('1.1.0'))).state).toBe('live');
});

it('lets one of several activations at once go on; the others are told for whom they wait', async () => {
  // It says nothing until all have asked.
  const trying = await shell('silent');
  const answers = await Promise.all([activate('1.0.0'), activate('1.1.0'), activate('1.0.0', 'mfe-inquiry'), activate('1.2.0')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409]);
  for (const { body } of answers.filter(({ status }) => status === 409))
    expect(body).toMatchObject({ code: 'trial-running', detail: expect.stringContaining('by Olga'), activation: expect.any(String) });
  const first = answers.find(({ status }) => status === 202) as (typeof answers)[number];
  await trying.report(first.body.id, true);
  expect((await outcome(first)).state).toBe('live');
});

it('refuses what was never published, is live already, claims a live path, or whose key was revoked', async () => {
  await activate('1.0.0');
  expect((await activate('9.9.9')).body.code).toBe('no-release');
  expect((await activate('1.0.0')).body.code).toBe('already-live');
  // Published before the path was taken: found when it is activated.
  await publish(service.ask, all, build('mfe-rival', '1.0.0', '/prices'));
  await publish(service.ask, all, build('mfe-prices', '1.0.0', '/prices'));
  expect((await activate('1.0.0', 'mfe-prices')).status).toBe(201);
  expect(await activate('1.0.0', 'mfe-rival')).toMatchObject({
    status: 409,
    body: { code: 'path-conflict', detail: expect.stringContaining('mfe-prices@1.0.0') },
  });
  expect((await publish(service.ask, all, build('mfe-rival', '1.1.0', '/prices'))).body.code).toBe('path-conflict');
  await publish(service.ask, old, build('mfe-news', '2.0.0'));
  await putKeyring(keyringOf(2, all.key, { ...old.key, revokedAt: '2026-11-21T08:00:00Z' }));
  expect(await activate('2.0.0')).toMatchObject({ status: 403, body: { code: 'revoked-key' } });
  expect((await service.ask('/releases')).body.items.find((item: { version: string }) => item.version === '2.0.0').keyRevoked).toBe(true);
});

it('refuses what every shell has tried well where its key was revoked meanwhile', async () => {
  await publish(service.ask, old, build('mfe-news', '2.0.0'));
  await activate('1.0.0');
  const trying = await shell('silent');
  const answer = await activate('2.0.0');
  await putKeyring(keyringOf(2, all.key, { ...old.key, revokedAt: '2026-11-21T08:00:00Z' }));
  await trying.report(answer.body.id, true);
  expect(await outcome(answer)).toMatchObject({ state: 'refused', reasons: [{ shell: null, reason: expect.stringContaining('revoked') }] });
  expect((await service.ask('/state')).body).toMatchObject({ live: { 'mfe-news': '1.0.0' }, candidate: null });
});

it('gives a path to another microfrontend when the one that had it is taken off', async () => {
  await publish(service.ask, all, build('mfe-rival', '1.0.0', '/mfe-news'));
  await activate('1.0.0');
  expect((await activate('1.0.0', 'mfe-rival')).body.code).toBe('path-conflict');
  expect(await post('/deactivations', { name: 'mfe-news' })).toMatchObject({ status: 201, body: { version: null, from: '1.0.0' } });
  expect((await activate('1.0.0', 'mfe-rival')).status).toBe(201);
  expect(await live()).toEqual({ 'mfe-rival': '1.0.0' });
  expect((await post('/deactivations', { name: 'mfe-news' })).body.code).toBe('already-live');
  // What was published stays published; rolling back to it would meet the rival.
  expect((await publish(service.ask, all, build('mfe-news', '1.0.0'))).status).toBe(200);
  expect((await post('/rollbacks', { name: 'mfe-news' })).body.code).toBe('path-conflict');
});

it('goes back step by step, tried by each shell, and tells the history', async () => {
  await shell();
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) expect((await outcome(await activate(version))).state).toBe('live');
  for (const version of ['1.1.0', '1.0.0']) {
    const answer = await post('/rollbacks', { name: 'mfe-news' });
    expect(answer).toMatchObject({ status: 202, body: { kind: 'rollback', version } });
    expect((await outcome(answer)).state).toBe('live');
    expect(await live()).toEqual({ 'mfe-news': version });
  }
  expect((await post('/rollbacks', { name: 'mfe-news' })).body.code).toBe('nothing-before');
  const { items } = (await service.ask('/history?name=mfe-news')).body;
  expect(items.map(({ kind, version }: { kind: string; version: string }) => `${kind} ${version}`)).toEqual([
    'rollback 1.0.0',
    'rollback 1.1.0',
    'activate 1.2.0',
    'activate 1.1.0',
    'activate 1.0.0',
  ]);
});

it('goes back from the version that is named only while it is live', async () => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) await activate(version);
  const back = (from: string | null) => post('/rollbacks', { name: 'mfe-news', from });
  expect((await back('1.2.0')).body).toMatchObject({ version: '1.1.0', state: 'live' });
  for (const from of ['1.2.0', null])
    expect(await back(from)).toMatchObject({
      status: 409,
      body: { code: 'other-live', detail: expect.stringContaining('Live is mfe-news@1.1.0, not ') },
    });
  expect(await live()).toEqual({ 'mfe-news': '1.1.0' });
  await post('/deactivations', { name: 'mfe-news' });
  expect((await back(null)).body).toMatchObject({ version: '1.1.0', state: 'live' });
});

it('passes over a version of a revoked key when it goes back', async () => {
  await publish(service.ask, old, build('mfe-news', '2.0.0'));
  for (const version of ['1.0.0', '2.0.0', '1.1.0']) await activate(version);
  await putKeyring(keyringOf(2, all.key, { ...old.key, revokedAt: '2026-11-21T08:00:00Z' }));
  expect((await post('/rollbacks', { name: 'mfe-news' })).body).toMatchObject({ version: '1.0.0', state: 'live' });
});

it('goes back to a version that was withdrawn once and has been good since', async () => {
  await activate('1.0.0');
  const bad = await activate('1.1.0');
  await service.registry.canary.undo(bad.body.id, 'failed in 9 of 100 page views');
  for (const version of ['1.1.0', '1.2.0']) await activate(version);
  expect((await post('/rollbacks', { name: 'mfe-news' })).body).toMatchObject({ version: '1.1.0', state: 'live' });
  // Control: withdrawn again, it is passed over.
  await activate('1.2.0');
  await service.registry.canary.undo((await post('/rollbacks', { name: 'mfe-news' })).body.id, 'failed in 9 of 100 page views');
  expect(await live()).toEqual({ 'mfe-news': '1.2.0' });
  expect((await post('/rollbacks', { name: 'mfe-news' })).body).toMatchObject({ version: '1.0.0', state: 'live' });
});

it('lets operators and admins in, and nobody else', async () => {
  const before = (await service.ask('/state')).body;
  for (const [path, body] of [
    ['/activations', { name: 'mfe-news', version: '1.0.0' }],
    ['/rollbacks', { name: 'mfe-news' }],
    ['/deactivations', { name: 'mfe-news' }],
    ['/canary/promote', {}],
    ['/canary/withdraw', {}],
  ] as const) {
    const bare = await service.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="registry"']);
    expect((await (await service.staff('editor')).post(path, body)).status).toBe(403);
  }
  expect((await (await service.staff('editor')).putKeyring(keyringOf(5, all.key))).status).toBe(403);
  expect((await service.ask('/state')).body).toEqual(before);
  expect((await (await service.staff('admin')).post('/activations', { name: 'mfe-news', version: '1.0.0' })).status).toBe(201);
});

it('never goes back to an older keyring, and drops no key', async () => {
  const second = keyringOf(3, all.key, old.key);
  expect((await putKeyring(second)).status).toBe(201);
  expect(await putKeyring(second)).toMatchObject({ status: 200, body: { changed: false } });
  expect((await putKeyring(keyringOf(2, all.key, old.key))).body.code).toBe('old-keyring');
  expect((await putKeyring(keyringOf(3, old.key, all.key))).body.code).toBe('same-keyring-version');
  expect((await putKeyring(keyringOf(4, all.key))).body.code).toBe('key-dropped');
  expect((await putKeyring({ ...second, document: keyringOf(9, all.key, old.key).document })).body.code).toBe('bad-signature');
  expect((await other.ask('/keyring')).body).toEqual(second);
  expect((await other.ask('/state')).body.keyringVersion).toBe(3);
});

it('takes no keyring in which the key of something served may not have signed it', async () => {
  const news = { ...old.key, mfes: ['mfe-news'] };
  await publish(service.ask, old, build('mfe-news', '2.0.0'));
  await publish(service.ask, old, build('mfe-prices', '1.0.0'));
  await putKeyring(keyringOf(2, all.key, { ...old.key, mfes: ['mfe-news', 'mfe-prices'] }));
  await activate('2.0.0');
  const refused = (release: string) => ({ status: 409, body: { code: 'key-needed', detail: expect.stringContaining(release) } });
  expect(await putKeyring(keyringOf(3, all.key, { ...old.key, mfes: ['mfe-prices'] }))).toMatchObject(refused('mfe-news@2.0.0'));
  await shell('silent');
  const candidate = await activate('1.0.0', 'mfe-prices', 10);
  expect(await putKeyring(keyringOf(3, all.key, news))).toMatchObject(refused('mfe-prices@1.0.0'));
  await shells[0]?.report(candidate.body.id, true);
  expect((await outcome(candidate)).state).toBe('canary');
  expect(await putKeyring(keyringOf(3, all.key, news))).toMatchObject(refused('mfe-prices@1.0.0'));
  // Control: what is not served any more holds up nothing; a key that was revoked stays one that might.
  await post('/canary/withdraw', {});
  expect((await putKeyring(keyringOf(3, all.key, { ...news, revokedAt: '2026-11-21T08:00:00Z' }))).status).toBe(201);
});

/** The registry has noticed that no shell is connected. */
const gone = () => expect.poll(() => service.collections.connections.countDocuments()).toBe(0);

it('notes who did what, in a chain that shows what was changed or taken out', async () => {
  const refuser = await shell({ ok: false, reason: 'no' });
  await outcome(await activate('1.0.0'));
  await refuser.close();
  await gone();
  const [activated] = await Promise.all([
    activate('1.1.0'),
    publish(service.ask, all, build('mfe-news', '3.0.0')),
    publish(other.ask, all, build('mfe-news', '3.1.0')),
  ]);
  await outcome(activated);
  const { items } = (await service.ask('/audit')).body;
  const actions = items.map(({ action, actor }: { action: string; actor: { kind: string } }) => `${actor.kind} ${action}`);
  expect(actions.slice(0, 7)).toEqual([
    'operator keyring',
    ...['key publish', 'key publish', 'key publish', 'key publish'],
    'operator activate',
    'registry refused',
  ]);
  expect(actions.slice(7).toSorted()).toEqual(['key publish', 'key publish', 'operator activate', 'operator live']);
  expect(items[5]).toMatchObject({ actor: { name: 'Olga' }, details: { name: 'mfe-news', version: '1.0.0' } });
  expect(brokenLink(items)).toBeNull();
  expect((await service.ask('/audit?after=9')).body.items).toEqual(items.slice(9));

  await service.collections.audit.updateOne({ _id: 6 }, { $set: { 'actor.name': 'Nobody' } });
  expect(brokenLink((await service.ask('/audit')).body.items)).toBe(6);
  await service.collections.audit.deleteOne({ _id: 3 });
  expect(brokenLink((await service.ask('/audit')).body.items)).toBe(3);
});

it('tells a shell that comes back what it has missed', async () => {
  const first = await shell();
  await first.close();
  await gone();
  await activate('1.0.0');
  const again = await shell();
  expect(again.states[0]).toMatchObject({ live: { 'mfe-news': '1.0.0' } });
});

it('refuses addresses that it does not understand', async () => {
  for (const path of [
    ...['/events?shell=', '/events?shell=a%20b', '/events?x=1', '/activations/x', '/activations/0123456789ab?wait=60'],
    ...['/audit?after=x', '/history?name=A', '/releases?name=$gt', '/releases/A/1', '/releases/a/..%2f'],
  ])
    expect((await service.ask(path)).status, path).toBe(400);
  expect((await service.ask('/activations/0123456789ab')).status).toBe(404);
  expect((await service.ask('/events?shell=a', { method: 'HEAD' })).status).toBe(405);
});
