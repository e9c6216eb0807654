import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { createLog } from '@colonnade/service/log';
import { afterEach, expect, test, vi } from 'vitest';
import { freePort } from '../../../kit/service/fixtures/free-port.ts';
import { listening } from '../../test/servers.ts';
import { BeaconTally } from './beacon-tally.ts';

const log = createLog('test');
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A supervisor that takes beacons, with these sets resident. */
async function supervisor(...sets: string[]) {
  const told: unknown[] = [];
  const answers = { status: 204 };
  const resident = new Set(sets);
  const { url } = await listening(async (req, res) => {
    if (req.url === '/sets') {
      const ports = Object.fromEntries(sets.map((id) => [id, 1]));
      const pointer = { live: sets[0], previous: null, canary: null, sets: ports, routes: {} };
      return void res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`data: ${JSON.stringify(pointer)}\n\n`);
    }
    if (req.url !== '/beacons') return void res.writeHead(404).end();
    told.push(await json(req));
    res.writeHead(answers.status).end();
  });
  return { url, told, answers, resident, tally: new BeaconTally({ url, sets: { isResident: (id) => resident.has(id) }, log }) };
}
const beacon = (set: string, address: string) => ({ beacon: { set, address } });

test('tells how many distinct addresses there were, when there are more', async () => {
  const { tally, told } = await supervisor('a', 'b');
  await tally.tell();
  for (const address of ['1', '2', '1']) tally.take(beacon('b', address));
  tally.take(beacon('a', '1'));
  await tally.tell();
  await tally.tell();
  tally.take(beacon('b', '2'));
  await tally.tell();
  tally.take(beacon('b', '3'));
  await tally.tell();
  expect(told).toEqual([
    { set: 'b', addresses: 2 },
    { set: 'a', addresses: 1 },
    { set: 'b', addresses: 3 },
  ]);
});

test('tells again what the supervisor did not take', async () => {
  const { tally, told, answers } = await supervisor('b');
  answers.status = 503;
  tally.take(beacon('b', '1'));
  await tally.tell();
  answers.status = 204;
  await tally.tell();
  await tally.tell();
  expect(told).toEqual(Array(2).fill({ set: 'b', addresses: 1 }));
  const alone = new BeaconTally({ url: `http://127.0.0.1:${await freePort()}`, sets: { isResident: () => true }, log });
  alone.take(beacon('b', '1'));
  await alone.tell();
});

test('counts nothing of other messages and other sets, and starts anew for a set that comes back', async () => {
  const { tally, told, resident } = await supervisor('b');
  for (const message of [null, 'drain', { ready: true }, { beacon: {} }, beacon('gone', '1')]) tally.take(message);
  await tally.tell();
  expect(told).toEqual([]);
  for (const address of ['1', '2', '3']) tally.take(beacon('b', address));
  await tally.tell();
  resident.clear();
  await tally.tell();
  resident.add('b');
  tally.take(beacon('b', '4'));
  await tally.tell();
  expect(told).toEqual([
    { set: 'b', addresses: 3 },
    { set: 'b', addresses: 1 },
  ]);
});

test('a flood of addresses takes no more memory than 10,000 of them', async () => {
  const { tally, told } = await supervisor('b');
  for (let address = 0; address < 30_000; address++) tally.take(beacon('b', String(address)));
  await tally.tell();
  expect(told).toEqual([{ set: 'b', addresses: 10_000 }]);
});

test('all workers of a gateway count an address once', async () => {
  const { url, told } = await supervisor('a');
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      GATEWAY_WORKERS: '3',
      SHELL_URL: url,
      CHANGES_URLS: `news=${url}`,
      TRUSTED_PROXIES: 'loopback',
    },
    stdio: 'ignore',
  });
  children.push(child);
  const ready = async () => expect(await (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).json()).toMatchObject({ workers: 3 });
  await vi.waitFor(ready, { timeout: 15_000, interval: 100 });
  const post = async (address: string) => {
    const sent = request({
      port,
      path: '/_beacon',
      method: 'POST',
      agent: false,
      headers: { Host: 'localhost', 'X-Forwarded-For': address },
    });
    sent.end(JSON.stringify({ set: 'a', kind: 'error' }));
    const [answer] = await once(sent, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(204);
  };
  for (let time = 0; time < 12; time++) await post('203.0.113.1');
  await expect.poll(() => told).toEqual([{ set: 'a', addresses: 1 }]);
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  // Control: several of them have counted it.
  expect(Number(/beacons_total\{outcome="counted"[^}]*\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(1);
  await post('203.0.113.2');
  await expect.poll(() => told.at(-1)).toEqual({ set: 'a', addresses: 2 });
  child.kill('SIGTERM');
  await once(child, 'exit');
});
