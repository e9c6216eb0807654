/** `pnpm start` and `pnpm dev` as a person meets them: real processes, real ports, a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { processes, signal } from '../../kit/service/fixtures/processes.ts';
import { startStandalone } from '../fixtures/standalone-mongod.ts';
import { startMongod } from './mongo/mongod.ts';
import { endProcess } from './mongo/running-process.ts';
import { root } from './parts.ts';
import { freePort } from './ports.ts';
import { copyRepository } from './repository-copy.ts';

const names = ['PORT', 'OPS_PORT', 'SHELL_PORT', 'NEWS_PORT', 'INQUIRY_PORT', 'REGISTRY_PORT', 'MONGO_PORT'] as const;
const form = { email: 'a@example.com', category: 'other', message: 'Hello.', consent: 'on' };

let dataDir: string;
let ports: Record<(typeof names)[number], number>;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'colonnade-start-'));
  ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()]))) as typeof ports;
});
afterEach(async () => {
  // Whatever a failed test has left; every process here was started by it.
  for (const { pid } of ours()) await endProcess(pid, 1000);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Run {
  child: ChildProcess;
  /** What it has printed up to now. */
  output(): string;
  exited: Promise<[code: number | null, signal: string | null]>;
}

function start({ from = root, args = [], env = {} }: { from?: string; args?: string[]; env?: Record<string, string> } = {}): Run {
  const child = spawn(process.execPath, [path.join(from, 'stack/src/main.ts'), ...args], {
    cwd: from,
    // Vitest's own variables would make the parts silent.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...Object.fromEntries(names.map((name) => [name, String(ports[name])])),
      DATA_DIR: dataDir,
      SHELL_WORKERS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, output: () => text, exited: once(child, 'close') as Run['exited'] };
}

/** Waits until the site is ready. */
async function ready(run: Run): Promise<void> {
  while (!run.output().includes('Colonnade is ready')) {
    if (run.child.exitCode !== null) throw new Error(run.output());
    await pause(50);
  }
}

/** Every process that was started with our data folder in its environment, whoever its parent is now. */
const ours = () => processes().filter(({ environment }) => environment.includes(`DATA_DIR=${dataDir}`));

/** What runs with such a variable. */
function having(variable: RegExp): string[] {
  const found = ours().filter(({ environment }) => environment.some((each) => variable.test(each)));
  const names = found.map(({ command }) => /\S+\.(?:ts|mjs)/.exec(command.replaceAll(`${root}/`, ''))?.[0] ?? command);
  return [...new Set(names)].sort();
}

const origin = () => `http://localhost:${ports.PORT}`;

async function postInquiry(name: string): Promise<string> {
  const response = await fetch(`${origin()}/inquiry`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, name, key: crypto.randomUUID() }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}

// Looking for every process of the machine needs /proc.
describe.skipIf(process.platform !== 'linux')('pnpm start', { timeout: 120_000 }, () => {
  let received: string;
  let reference: string;

  it('shows progress, a table and the address, and on SIGTERM ends every process it started', async () => {
    const run = start({ env: { MAIL_DIR: path.join(dataDir, 'letters') } });
    await ready(run);
    const lines = run.output().trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ +\d+\.\d s {2}\S/);
    for (const part of ['site', 'ops', 'shell', 'news service', 'inquiry service', 'MongoDB']) {
      expect(lines.some((line) => line.trim().startsWith(part) && / pid \d+$/.test(line))).toBe(true);
    }
    expect(lines.some((line) => line.includes('mails') && line.includes(path.join(dataDir, 'letters')))).toBe(true);
    expect(lines.at(-1)).toBe(`Colonnade is ready: ${origin()}`);

    received = await postInquiry('Kept');
    const page = await (await fetch(origin() + received)).text();
    reference = /data-reference[^>]*>([^<]+)</.exec(page)?.[1] ?? '';
    expect(reference).not.toBe('');

    // The control: the whole tree is seen, so that its absence means something.
    const tree = ours().map(({ command }) => command);
    for (const part of ['main.ts', 'news/src', 'inquiry/src', 'gateway/src', 'shell/src/server', 'worker.mjs', 'mongod']) {
      expect(tree.filter((command) => command.includes(part))).not.toEqual([]);
    }
    run.child.kill('SIGTERM');
    expect(await run.exited).toEqual([0, null]);
    expect(ours()).toEqual([]);
  });

  it('keeps data and logs of thirty days over a restart, and starts a killed part and a killed MongoDB again', async () => {
    const log = path.join(dataDir, 'logs/news.log');
    const before = await readFile(log, 'utf8');
    await writeFile(log, `{"time":"2020-01-01T00:00:00.000Z","msg":"old"}\n${before}`);
    const run = start();
    await ready(run);
    expect((await readFile(log, 'utf8')).startsWith(before)).toBe(true);
    await expect.poll(async () => (await fetch(origin() + received)).text()).toContain(reference);

    for (const [name, part] of [
      ['services/news/src/main.ts', 'news: was killed by SIGKILL, starting it again'],
      ['--dbpath', 'MongoDB ended by itself (SIGKILL), starting it again'],
    ] as const) {
      const before = ours().find(({ command }) => command.includes(name));
      signal(before?.pid, 'SIGKILL');
      await expect.poll(() => run.output(), { timeout: 20_000 }).toContain(part);
      await expect.poll(async () => (await fetch(`${origin()}/api/news`)).status, { timeout: 20_000 }).toBe(200);
      const after = ours().find(({ command }) => command.includes(name));
      expect(after?.pid).toBeGreaterThan(0);
      expect(after?.pid).not.toBe(before?.pid);
    }
    run.child.kill('SIGTERM');
    expect(await run.exited).toEqual([0, null]);
    expect(ours()).toEqual([]);
  });

  it('ends with 1 by name when one of its parts does not stay up', async () => {
    const run = start();
    await ready(run);
    const killer = setInterval(() => {
      for (const { pid, command } of ours()) {
        try {
          if (command.includes('services/news/src/main.ts')) signal(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
    }, 50);
    onTestFinished(() => clearInterval(killer));
    expect(await run.exited).toEqual([1, null]);
    expect(run.output()).toContain('The news process was killed by SIGKILL');
    expect(ours()).toEqual([]);
  });

  it('killed itself, takes its processes with it; the next start ends the MongoDB it left, and SIGINT ends all', async () => {
    const killed = start();
    await ready(killed);
    killed.child.kill('SIGKILL');
    await killed.exited;
    await expect.poll(() => ours().filter(({ command }) => !command.includes('mongod')), { timeout: 12_000 }).toEqual([]);
    expect(ours()).toHaveLength(1);

    const run = start();
    await ready(run);
    expect(run.output()).toMatch(/MongoDB: ending process \d+, left by a run that was killed/);
    await expect.poll(async () => (await fetch(origin() + received)).text()).toContain(reference);
    run.child.kill('SIGINT');
    expect(await run.exited).toEqual([0, null]);
    expect(ours()).toEqual([]);
  });

  it.each(['PORT', 'NEWS_PORT', 'MONGO_PORT'] as const)(
    'names %s when another program has it, and leaves nothing running',
    async (name) => {
      const other = createServer().listen(ports[name], '127.0.0.1');
      await once(other, 'listening');
      onTestFinished(() => void other.close());
      const run = start();
      expect(await run.exited).toEqual([1, null]);
      expect(run.output()).toContain(`${ports[name]}`);
      expect(run.output()).toMatch(new RegExp(`in use by another program.*choose another port.*${name}`));
      expect(run.output()).not.toMatch(/^\s+at /m);
      expect(ours()).toEqual([]);
    },
  );

  it('says in one line that DATA_DIR cannot be written', async () => {
    const under = path.join(dataDir, 'file');
    await writeFile(under, '');
    const run = start({ env: { DATA_DIR: path.join(under, 'data') } });
    expect(await run.exited).toEqual([1, null]);
    expect(run.output()).toMatch(/^\nDATA_DIR \S+\/file\/data cannot be written: ENOTDIR: not a directory.*\n\n$/);
  });

  it('refuses 0 for a port by which its parts find each other, before it starts anything', async () => {
    const run = start({ env: { PORT: '0', NEWS_PORT: '0', SHELL_PORT: '0' } });
    expect(await run.exited).toEqual([1, null]);
    const lines = run.output().trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/ from 1 to .*/, ''))).toEqual(
      ['PORT', 'SHELL_PORT', 'NEWS_PORT'].map((name) => `${name}: must be a port number`),
    );
  });

  it('ended while it is still starting, leaves nothing running', async () => {
    const run = start();
    while (!run.output().includes('MongoDB is up')) await pause(10);
    run.child.kill('SIGTERM');
    expect(await run.exited).toEqual([0, null]);
    expect(run.output()).not.toContain('Colonnade is ready');
    expect(ours()).toEqual([]);
  });

  it('fails on a mistake in a content file, with file and line', async () => {
    const copy = await mkdtemp(path.join(tmpdir(), 'colonnade-content-'));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    await copyRepository(copy);
    const file = path.join(copy, 'mfe-pages/content/privacy.md');
    const lines = (await readFile(file, 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.startsWith('title:'));
    expect(at).toBeGreaterThan(0);
    lines[at] = 'title:';
    await writeFile(file, lines.join('\n'));
    const run = start({ from: copy });
    expect(await run.exited).toEqual([1, null]);
    expect(run.output()).toContain(`mfe-pages/content/privacy.md:${at + 1}`);
    expect(ours()).toEqual([]);
  });

  it('ends with 1 and says why when the MongoDB of MONGODB_URI is no replica set', async () => {
    const run = start({ env: { MONGODB_URI: await startStandalone() } });
    expect(await run.exited).toEqual([1, null]);
    expect(run.output()).toMatch(/^The registry process does not become ready\./m);
    expect(run.output()).toContain('MongoDB is not a replica set');
    expect(ours()).toEqual([]);
  });

  it('uses the MongoDB of MONGODB_URI and starts none; a secret and HOST reach only those that need it', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'colonnade-elsewhere-'));
    const mongod = await startMongod({ dataDir: elsewhere, port: 0, log: () => {} });
    onTestFinished(async () => {
      await mongod.stop();
      await rm(elsewhere, { recursive: true, force: true });
    });
    const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@example.com', MAIL_TO: 'office@example.com' };
    const keys = { PREVIEW_KEY: 'p'.repeat(32), COLONNADE_TOKEN: 'cst_secret', OTHER_PASSWORD: 'secret' };
    const [HOST, SERVICES] = ['0.0.0.0', 'jobs=http://127.0.0.1:9'];
    const run = start({ env: { MONGODB_URI: mongod.adminUri, HOST, SERVICES, ...mail, ...keys } });
    await ready(run);
    expect(ours().filter(({ command }) => command.includes('mongod'))).toEqual([]);
    await expect.poll(async () => (await fetch(`${origin()}/news`)).status).toBe(200);

    // Each secret is where it is needed, which is the control too, and none where the code of every team runs.
    expect(having(/^SMTP_URL=/)).toEqual(['services/inquiry/src/main.ts', 'stack/src/main.ts']);
    expect(having(/^PREVIEW_KEY=/)).toEqual(['gateway/src/main.ts', 'gateway/src/worker.ts', 'stack/src/main.ts']);
    expect(having(/^COLONNADE_TOKEN=/)).toEqual(['stack/src/main.ts']);
    expect(having(/=mongodb:/)).toEqual([
      ...['inquiry', 'news', 'registry'].map((name) => `services/${name}/src/main.ts`),
      'stack/src/main.ts',
    ]);
    expect(having(/^SHELL_WORKERS=/)).toContain('shell/dist/server/worker.mjs');
    expect(having(/^OTHER_PASSWORD=/)).not.toContain('shell/dist/server/worker.mjs');
    // Only the public port is on other addresses: what is behind it has neither its host check nor its limits.
    expect(having(/^HOST=0/)).toEqual(['gateway/src/main.ts', 'gateway/src/worker.ts', 'stack/src/main.ts']);
    // A team's own service is found beside ours, which the news page has shown.
    expect(having(/^SERVICES=news=.+,inquiry=.+,jobs=http:\/\/127\.0\.0\.1:9$/)).toContain('shell/dist/server/worker.mjs');
    run.child.kill('SIGTERM');
    expect(await run.exited).toEqual([0, null]);
  });
});

describe.skipIf(process.platform !== 'linux')('pnpm dev beside a microfrontend that does not build', { timeout: 120_000 }, () => {
  const waiting =
    /mfe-inquiry does not build; see \S+:\n\n[\s\S]+ERROR in \.\/src\/mfe\.ts[\s\S]+\n\nThe site waits for a save that builds/;
  let copy: string;
  let mfe: string;
  let whole: string;
  beforeAll(async () => {
    copy = await mkdtemp(path.join(tmpdir(), 'colonnade-broken-'));
    await copyRepository(copy);
    mfe = path.join(copy, 'mfe-inquiry/src/mfe.ts');
    whole = await readFile(mfe, 'utf8');
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  async function startBroken(): Promise<Run> {
    await writeFile(mfe, `${whole}\nconst = 1;\n`);
    return start({ from: copy, args: ['--dev'] });
  }
  async function says(run: Run, text: RegExp): Promise<void> {
    while (!text.test(run.output())) {
      if (run.child.exitCode !== null) throw new Error(run.output());
      await pause(50);
    }
  }

  it('starts when it is saved so that it builds', async () => {
    const run = await startBroken();
    await says(run, waiting);
    await writeFile(mfe, whole);
    await ready(run);
    expect((await fetch(`${origin()}/inquiry`)).status).toBe(200);
    run.child.kill('SIGTERM');
    expect(await run.exited).toEqual([0, null]);
    expect(ours()).toEqual([]);
  });

  it('ended while it waits for that, leaves nothing running', async () => {
    const run = await startBroken();
    await says(run, waiting);
    await says(run, /MongoDB is up/);
    // The control: what builds is seen.
    expect(ours().filter(({ command }) => command.includes('rspack'))).not.toEqual([]);
    run.child.kill('SIGINT');
    expect(await run.exited).toEqual([0, null]);
    expect(ours()).toEqual([]);
  });

  it('does not wait for it where MongoDB does not start', async () => {
    const other = createServer().listen(ports.MONGO_PORT, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const run = await startBroken();
    expect(await run.exited).toEqual([1, null]);
    expect(run.output()).toMatch(/in use by another program.*MONGO_PORT/);
    expect(ours()).toEqual([]);
  });
});
