/** The services as processes, while their mongod is away, frozen, killed, and there again. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freeze } from '../../../kit/service/fixtures/processes.ts';
import { type Mongod, startMongod } from './mongod.ts';

let dataDir: string;
let mongod: Mongod;
const children: ChildProcess[] = [];
const inquiry = { name: 'A', email: 'a@b.example', category: 'other', message: 'Hello.', consent: true };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'colonnade-services-'));
  mongod = await startMongod({ dataDir, port: 0, log: () => {} });
});
// Each test takes it away; what one of them does not bring back is no matter of the next.
beforeEach(async () => {
  const away = await Promise.race([mongod.exited.then(() => true), pause(0, false)]);
  if (away) mongod = await startMongod({ dataDir, port: mongod.port, log: () => {} });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await mongod.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function service(name: 'news' | 'inquiry', env: Record<string, string>): Promise<string> {
  const main = fileURLToPath(new URL(`../../../services/${name}/src/main.ts`, import.meta.url));
  const child = fork(main, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', NEWS_PORT: '0', INQUIRY_PORT: '0', MONGODB_URI: mongod.uris[name], ...env },
  });
  children.push(child);
  const [message] = await once(child, 'message');
  return `http://127.0.0.1:${(message as { port: number }).port}`;
}

async function ask(url: string, init?: RequestInit) {
  const started = performance.now();
  const res = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
  return { status: res.status, retryAfter: res.headers.get('retry-after'), body: await res.json(), ms: performance.now() - started };
}
const post = (base: string, key: string) =>
  ask(`${base}/api/inquiries`, {
    method: 'POST',
    body: JSON.stringify(inquiry),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });

const ready = (base: string) => expect.poll(async () => (await ask(`${base}/readyz`)).status).toBe(200);

async function stored(): Promise<unknown[]> {
  const client = new MongoClient(mongod.uris.inquiry);
  const references = await client.db().collection('inquiries').distinct('reference');
  await client.close();
  return references;
}

it('start while mongod is away, answer 503 at once, and recover by themselves; two seed once', async () => {
  await mongod.stop();
  const [first, second, inquiries] = await Promise.all([
    service('news', { SEED_SAMPLE: 'true' }),
    service('news', { SEED_SAMPLE: 'true' }),
    service('inquiry', {}),
  ]);
  expect(await ask(`${first}/livez`)).toMatchObject({ status: 200 });
  expect(await ask(`${first}/readyz`)).toMatchObject({ status: 503, body: { status: 'down', checks: { mongodb: 'down' } } });
  for (const answer of [await ask(`${first}/api/news`), await post(inquiries, 'away-1')]) {
    expect(answer).toMatchObject({ status: 503, retryAfter: '2', body: { title: 'Service unavailable' } });
    // Nobody waits for a server to be found, which takes 2 s.
    expect(answer.ms).toBeLessThan(1900);
  }

  mongod = await startMongod({ dataDir, port: mongod.port, log: () => {} });
  await Promise.all([first, second, inquiries].map((base) => ready(base)));
  for (const base of [first, second]) expect((await ask(`${base}/api/news`)).body).toMatchObject({ total: 200, pages: 10 });
  expect(await post(inquiries, 'away-1')).toMatchObject({ status: 201 });
});

it('answer 503 soon while mongod is frozen, and at once again when it goes on', async () => {
  const [news, inquiries] = await Promise.all([service('news', {}), service('inquiry', {})]);
  await Promise.all([news, inquiries].map((base) => ready(base)));
  await freeze(mongod.pid);
  try {
    for (const answer of await Promise.all([ask(`${news}/api/news`), post(inquiries, 'frozen-1'), ask(`${news}/api/news/unknown`)])) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '2' });
      expect(answer.ms).toBeLessThan(8000);
    }
    expect(await ask(`${news}/readyz`)).toMatchObject({ status: 503 });
  } finally {
    process.kill(mongod.pid, 'SIGCONT');
  }
  await Promise.all([news, inquiries].map((base) => ready(base)));
  expect(await post(inquiries, 'frozen-1')).toMatchObject({ status: 201 });
});

it('lose no acknowledged inquiry when mongod is killed, and store a repeated one once', async () => {
  const base = await service('inquiry', {});
  await ready(base);
  const acknowledged = new Map<string, string>();
  const unanswered = new Set<string>();
  const statuses = new Set<number>();
  const before = await stored();
  let stop = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; !stop; i++) {
      const key = `kill-${writer}-${i}`;
      const { status, body } = await post(base, key);
      statuses.add(status);
      if (status === 201) acknowledged.set(key, body.reference);
      else unanswered.add(key);
    }
  });
  while (acknowledged.size <= 100) await pause(10);
  process.kill(mongod.pid, 'SIGKILL');
  await mongod.exited;
  await pause(200);
  stop = true;
  await Promise.all(writers);

  mongod = await startMongod({ dataDir, port: mongod.port, log: () => {} });
  await ready(base);
  for (const key of unanswered) {
    const { status, body } = await post(base, key);
    expect(status).toBe(201);
    acknowledged.set(key, body.reference);
  }
  const after = await stored();
  expect([...statuses].toSorted()).toEqual([201, 503]);
  expect(acknowledged.size).toBeGreaterThan(100);
  expect([...acknowledged.values()].filter((reference) => !after.includes(reference))).toEqual([]);
  expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);
  expect(after.length - before.length).toBe(acknowledged.size);
});
