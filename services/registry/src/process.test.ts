import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createStaff } from '@colonnade/service/staff';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeEach, expect, inject, it } from 'vitest';
import { type Ask, build, json, keyringOf, publish, root, team } from '../fixtures/release.ts';
import { startShell } from '../fixtures/shell.ts';

const all = team('All', '*');
const uri = new URL(inject('mongodbAdminUri'));
uri.pathname = '/registry_process_test';
const client = new MongoClient(uri.href);
const children: ChildProcess[] = [];
/** Of the one that was started last. */
let port: number;
let token: string;

beforeEach(() => client.db().dropDatabase());
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
});
afterAll(async () => {
  await client.db().dropDatabase();
  await client.close();
});

const origin = () => `http://127.0.0.1:${port}`;
const ask: Ask = async (where, init) => {
  const res = await fetch(origin() + where, init);
  const text = await res.text();
  return { status: res.status, headers: res.headers, body: text === '' ? '' : JSON.parse(text) };
};
const post = (where: string, body: unknown, method = 'POST') => {
  const init = json(body);
  return ask(where, { ...init, method, headers: { ...init.headers, authorization: `Bearer ${token}` } });
};

function run(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  children.push(child);
  return child;
}
async function start(): Promise<ChildProcess> {
  const child = run({ REGISTRY_PORT: '0', REGISTRY_MONGODB_URI: uri.href, ROOT_KEY: root.publicKey });
  [{ port }] = (await once(child, 'message')) as [{ port: number }];
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A registry whose `mfe-news` has two versions, of which the first is live. */
async function startWithNews(): Promise<ChildProcess> {
  const child = await start();
  token = await createStaff(client.db(), { name: 'Olga', role: 'operator' });
  await post('/keyring', keyringOf(1, all.key), 'PUT');
  for (const version of ['1.0.0', '1.1.0']) await publish(ask, all, build('mfe-news', version));
  expect((await post('/activations', { name: 'mfe-news', version: '1.0.0' })).status).toBe(201);
  return child;
}

it('keeps what is live over a kill, and waits no longer than ten seconds for a shell that died with it', async () => {
  const first = await startWithNews();
  await startShell(origin(), 'shell-1', () => 'silent');
  await kill(first);
  await start();
  const tenSecondsAgo = new Date(Date.now() - 10_000);
  const { modifiedCount } = await client
    .db()
    .collection('connections')
    .updateMany({ shell: 'shell-1' }, { $set: { seenAt: tenSecondsAgo } });
  expect(modifiedCount).toBe(1);
  expect((await ask('/state')).body.live).toEqual({ 'mfe-news': '1.0.0' });
  expect((await post('/activations', { name: 'mfe-news', version: '1.1.0' })).status).toBe(201);
  expect((await ask('/releases/mfe-news/1.0.0')).status).toBe(200);
});

it('a shell is asked that is still connected to the registry which this one succeeds', async () => {
  await startWithNews();
  const shell = await startShell(origin(), 'shell-1', () => ({ ok: true }));
  await start();
  expect(await post('/activations', { name: 'mfe-news', version: '1.1.0' })).toMatchObject({
    status: 202,
    body: { expected: ['shell-1'] },
  });
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.1.0' });
  await shell.close();
});

it('ends with 0 on SIGTERM while shells listen, and leaves none behind', async () => {
  const child = await start();
  const shell = await startShell(origin(), 'shell-1', () => ({ ok: true }));
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(await client.db().collection('connections').countDocuments()).toBe(0);
  await shell.close();
});

it('does not start without the root key, and says how it should be given', async () => {
  for (const [given, told] of [
    [{}, 'ROOT_KEY: is required'],
    [{ ROOT_KEY: 'secret' }, 'ROOT_KEY: must be an Ed25519 public key: base64 of its SPKI DER, or the path of a PEM file'],
    [{ ROOT_KEY: root.publicKey, SHARED: 'react' }, 'SHARED: must be packages with versions or ranges'],
  ] as const) {
    const child = run({ REGISTRY_MONGODB_URI: uri.href, ...given });
    let text = '';
    child.stderr?.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    expect([code, text]).toEqual([1, expect.stringContaining(told)]);
    expect(text).not.toContain('secret');
  }
});
