import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Mongod, startMongod } from './mongod.ts';
import { processOf } from './running-process.ts';

let dataDir: string;
const started: Mongod[] = [];
const told: string[] = [];

async function start(port = 0): Promise<Mongod> {
  const mongod = await startMongod({ dataDir, port, log: (line) => told.push(line) });
  started.push(mongod);
  return mongod;
}

async function inDatabase<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 3000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'colonnade-mongod-'));
  told.length = 0;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((mongod) => mongod.stop()));
  await rm(dataDir, { recursive: true, force: true });
});

it('starts a replica set of one whose users reach their own database only', async () => {
  const { uris, adminUri, port } = await start();
  await inDatabase(uris.news, async (client) => {
    expect(client.db().databaseName).toBe('colonnade_news');
    await client
      .db()
      .collection('a')
      .insertOne({ x: 1 }, { writeConcern: { w: 'majority', journal: true } });
    await client.db().command({ collMod: 'a', validator: { x: 1 } });
    await expect(client.db('colonnade_inquiry').collection('a').findOne()).rejects.toMatchObject({ code: 13 });
    await expect(client.db('admin').command({ shutdown: 1 })).rejects.toMatchObject({ code: 13 });
  });
  await expect(
    inDatabase(`mongodb://127.0.0.1:${port}/?replicaSet=rs0`, (client) => client.db('colonnade_news').collection('a').findOne()),
  ).rejects.toMatchObject({ code: 13 });
  const { argv } = await inDatabase(adminUri, (client) => client.db('admin').command({ getCmdLineOpts: 1 }));
  expect(argv.join(' ')).toContain('--bind_ip 127.0.0.1');
  expect(argv.join(' ')).toContain('--networkMessageCompressors disabled');
});

it('logs nothing of what is searched for, however long it takes', async () => {
  const { uris, adminUri } = await start();
  await inDatabase(uris.news, async (client) => {
    const items = client.db().collection('a');
    await items.insertOne({ x: 1 });
    const search = (words: string) => items.findOne({ $where: `sleep(200) || '${words}'` });
    expect(await search('words of a visitor')).toMatchObject({ x: 1 });
    // The control: as mongod is by itself.
    await inDatabase(adminUri, (admin) => admin.db('colonnade_news').command({ profile: 0, slowms: 100 }));
    expect(await search('words of the control')).toMatchObject({ x: 1 });
  });
  const log = () => readFile(join(dataDir, 'logs/mongod.log'), 'utf8');
  await expect.poll(log).toContain('words of the control');
  expect(await log()).not.toContain('words of a visitor');
});

it('keeps its secrets from other users of the machine', async () => {
  await start();
  for (const file of ['mongod.key', 'mongod-users.json']) expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
});

it('keeps data over a restart, also on another port', async () => {
  const first = await start();
  await inDatabase(first.uris.inquiry, (client) => client.db().collection('a').insertOne({ x: 1 }));
  await first.stop();
  expect(await first.exited).toEqual({ code: 0, signal: null });
  const second = await start();
  expect(second.port).not.toBe(first.port);
  expect(await inDatabase(second.uris.inquiry, (client) => client.db().collection('a').countDocuments({ x: 1 }))).toBe(1);
});

it('ends the mongod of a killed run and takes over its data', async () => {
  // A run in a process of its own, killed without a chance to end its mongod.
  const script = `import { startMongod } from ${JSON.stringify(new URL('./mongod.ts', import.meta.url).href)};
    const { pid, uris } = await startMongod({ dataDir: ${JSON.stringify(dataDir)}, port: 0, log() {} });
    console.log(JSON.stringify({ pid, uri: uris.news }));`;
  const run = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(run.stdout, 'data');
  const { pid, uri } = JSON.parse(String(line));
  await inDatabase(uri, (client) =>
    client
      .db()
      .collection('a')
      .insertOne({ x: 1 }, { writeConcern: { w: 'majority' } }),
  );
  await expect(start()).rejects.toThrow(/Another Colonnade \(process \d+\) is running on the data/);
  run.kill('SIGKILL');
  await once(run, 'exit');
  expect((await processOf(pid))?.command).toContain(dataDir);

  const mongod = await start();
  expect(told).toContain(`MongoDB: ending process ${pid}, left by a run that was killed`);
  expect(await processOf(pid)).toBeUndefined();
  expect(await inDatabase(mongod.uris.news, (client) => client.db().collection('a').countDocuments())).toBe(1);
});

it('leaves a process alone that merely has the number in the pid file', async () => {
  const other = spawn('sleep', ['60']);
  await writeFile(join(dataDir, 'mongod.pid'), JSON.stringify({ pid: other.pid, owner: { pid: 999_999 } }));
  await start();
  expect(other.exitCode).toBeNull();
  other.kill();
});

it('names a port that is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(start(port)).rejects.toThrow(`MongoDB cannot start: port ${port} on 127.0.0.1 is in use`);
  other.close();
});

it('gives the last words of a mongod that dies while starting', async () => {
  const first = await start();
  await first.stop();
  await writeFile(join(dataDir, 'mongo', 'WiredTiger.turtle'), 'torn');
  await expect(start()).rejects.toThrow(/mongod ended while starting[\s\S]*WiredTiger/);
  await expect(readFile(join(dataDir, 'mongod.pid'))).rejects.toThrow('ENOENT');
});

it('says what is wrong when the passwords are lost', async () => {
  const first = await start();
  await first.stop();
  await rm(join(dataDir, 'mongod-users.json'));
  await expect(start()).rejects.toThrow('other passwords than its mongod-users.json');
});

it('reports an unwanted end', async () => {
  const mongod = await start();
  process.kill(mongod.pid, 'SIGKILL');
  expect(await mongod.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await mongod.stop();
});
