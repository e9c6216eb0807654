import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createStaff } from '@colonnade/service/staff';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { freePort } from '../../../kit/service/fixtures/free-port.ts';
import { type Ask, build, json, keyringOf, publish, root, team } from '../fixtures/release.ts';
import { startShell } from '../fixtures/shell.ts';

const all = team('All', '*');
const uri = new URL(inject('mongodbAdminUri'));
uri.pathname = '/registry_process_test';
const client = new MongoClient(uri.href);
const children: ChildProcess[] = [];
let port: number;
let token: string;

beforeAll(async () => {
  port = await freePort();
});
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
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  return child;
}
async function start(): Promise<ChildProcess> {
  const child = run({ REGISTRY_PORT: String(port), REGISTRY_MONGODB_URI: uri.href, ROOT_KEY: root.publicKey });
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

it('keeps what is live over a kill, and waits for no shell that died with it', async () => {
  const first = await start();
  token = await createStaff(client.db(), { name: 'Olga', role: 'operator' });
  await post('/keyring', keyringOf(1, all.key), 'PUT');
  for (const version of ['1.0.0', '1.1.0']) await publish(ask, all, build('mfe-news', version));
  expect((await post('/activations', { name: 'mfe-news', version: '1.0.0' })).status).toBe(201);
  await startShell(origin(), 'shell-1', () => 'silent');
  await kill(first);
  // Control: without what the restart forgets, this connection would be waited for.
  expect(await client.db().collection('connections').countDocuments({ shell: 'shell-1' })).toBe(1);
  await start();
  expect((await ask('/state')).body.live).toEqual({ 'mfe-news': '1.0.0' });
  expect((await post('/activations', { name: 'mfe-news', version: '1.1.0' })).status).toBe(201);
  expect((await ask('/releases/mfe-news/1.0.0')).status).toBe(200);
});

it('ends with 0 on SIGTERM while shells listen', async () => {
  const child = await start();
  const shell = await startShell(origin(), 'shell-1', () => ({ ok: true }));
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
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
