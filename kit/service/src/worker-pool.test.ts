import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { heldSocket } from '../fixtures/held-socket.ts';
import { freeze, signal } from '../fixtures/processes.ts';
import type { Death } from './worker-pool.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url));
const children: ChildProcess[] = [];
const ends: (() => void)[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const end of ends.splice(0)) end();
});

interface Message {
  /** Null: there was no process to be had. */
  forked?: number | null;
  death?: Death;
  started?: boolean;
  failed?: string;
  ready?: boolean;
  slow?: boolean;
  stuck?: boolean;
  full?: boolean;
}

interface PrimaryOptions {
  file?: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  fd?: number;
  /** How many it may have open at once. */
  files?: number;
}

/** The primary of a pool, and what it has said up to now. */
function primary({ file = 'pool-process', args, env = {}, fd, files }: PrimaryOptions) {
  const child = fork(fixture(file), args, {
    ...(files && { execPath: '/bin/sh', execArgv: ['-c', `ulimit -n ${files} && exec "$0" "$@"`, process.execPath] }),
    stdio: ['ignore', 'pipe', 'ignore', ...(fd === undefined ? [] : [fd]), 'ipc'],
    env: { ...process.env, ...(fd === undefined ? {} : { LISTEN_FDS: '1', LISTEN_FDNAMES: 'pool' }), ...env },
  });
  children.push(child);
  let log = '';
  child.stdout?.on('data', (lines) => (log += lines));
  const said: Message[] = [];
  child.on('message', (message: Message) => said.push(message));
  const saying = (fits: (message: Message) => boolean) => expect.poll(() => said.some(fits), { timeout: 15_000 }).toBe(true);
  return { child, said, saying, log: () => log, exited: once(child, 'exit').then(([code]) => code as number | null) };
}

async function ask(port: number, path = '/pid', agent = new Agent()): Promise<string> {
  const request = get({ port, path, agent, host: '127.0.0.1' });
  const [res] = await once(request, 'response');
  return text(res);
}

/** Asks again and again, on kept and on new connections, until told to stop. */
function load(port: number) {
  const failed: string[] = [];
  const pids = new Set<string>();
  let asked = 0;
  let stopped = false;
  const clients = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 }), undefined, undefined];
  const ended = Promise.all(
    clients.map(async (agent) => {
      while (!stopped) {
        asked++;
        await ask(port, '/pid', agent ?? new Agent()).then(
          (pid) => pids.add(pid),
          (error: NodeJS.ErrnoException) => failed.push(error.code ?? error.message),
        );
        await pause(5);
      }
      agent?.destroy();
    }),
  );
  return {
    failed,
    pids,
    get asked() {
      return asked;
    },
    stop: () => {
      stopped = true;
      return ended;
    },
  };
}

it('replaces a worker that is killed, while the other serves on', async () => {
  const port = await freePort();
  const { said, saying } = primary({ args: [String(port), '2'] });
  await saying(({ started }) => started === true);
  const [first, second] = said.flatMap(({ forked }) => forked ?? []) as [number, number];
  signal(first, 'SIGKILL');
  await saying(({ death }) => death?.pid === first && death.signal === 'SIGKILL');
  expect(await ask(port)).toBe(String(second));
  await expect.poll(() => said.flatMap(({ forked }) => forked ?? []).length).toBe(3);
  const third = said.flatMap(({ forked }) => forked ?? [])[2];
  await expect.poll(() => ask(port), { timeout: 10_000 }).toBe(String(third));
});

it('starts the successor of a worker that is asked to end first: no request fails', async () => {
  const port = await freePort();
  const { said, saying } = primary({ args: [String(port), '1'] });
  await saying(({ started }) => started === true);
  const [old] = said.flatMap(({ forked }) => forked ?? []) as [number];
  const steady = load(port);
  await expect.poll(() => steady.asked).toBeGreaterThan(50);
  signal(old, 'SIGTERM');
  await expect.poll(() => steady.pids.size, { timeout: 10_000 }).toBe(2);
  await expect.poll(() => alive(old), { timeout: 11_000 }).toBe(false);
  await steady.stop();
  expect(steady.failed).toEqual([]);
  expect(said.filter(({ death }) => death)).toEqual([]);
});

it('hands on what a dying worker wrote to file descriptor 4', async () => {
  const port = await freePort();
  const { saying, said } = primary({ args: [String(port), '1'] });
  await saying(({ started }) => started === true);
  await ask(port, '/report').catch(() => {});
  await saying(({ death }) => death !== undefined);
  expect(said.find(({ death }) => death)?.death?.report).toEqual({ reason: 'stuck', mfe: 'mfe-a' });
});

it('rejects when a worker does not come up', async () => {
  const { saying, said } = primary({ args: ['0', '1'], env: { FAILS: '1' } });
  await saying(({ failed }) => failed !== undefined);
  expect(said.find(({ failed }) => failed)?.failed).toBe('WorkerFailed: a worker of pool ended while starting (7)');
});

// EAGAIN, where the machine has no process left, shows like a folder that is missing.
it.each(['no folder', 'no files'])('tries again to replace a worker where there is no process to be had: %s', async (lack) => {
  const port = await freePort();
  const { child, said, saying, exited } = primary({ args: [String(port), '1'], files: 128 });
  await saying(({ started }) => started === true);
  const [first] = said.flatMap(({ forked }) => forked ?? []) as [number];
  child.send(lack);
  if (lack === 'no files') await saying(({ full }) => full === true);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => said.filter(({ forked }) => forked === null).length, { timeout: 10_000 }).toBeGreaterThan(3);
  child.send('all is there');
  await expect.poll(() => ask(port).catch(() => ''), { timeout: 10_000 }).toMatch(/^\d+$/);
  expect(said.flatMap(({ death }) => death?.pid ?? [])).toEqual([first]);
  // Nothing that never came is waited for.
  child.send('stop');
  expect(await exited).toBe(0);
});

it('ends a worker that is stuck when it stops', { timeout: 30_000 }, async () => {
  const port = await freePort();
  const { child, said, saying, exited } = primary({ args: [String(port), '1'] });
  await saying(({ started }) => started === true);
  const [pid] = said.flatMap(({ forked }) => forked ?? []) as [number];
  ask(port, '/stuck').catch(() => {});
  await saying(({ stuck }) => stuck === true);
  child.send('stop');
  expect(await exited).toBe(0);
  expect(alive(pid)).toBe(false);
});

/** Short, so that a worker that hangs is ended after two seconds. */
const askEveryMs = '500';

it('ends a worker that hangs, says so, and passes on what waited for it', async () => {
  const port = await freePort();
  const { said, saying, log } = primary({ args: [String(port), '2', askEveryMs], env: { LOG_LEVEL: 'info' } });
  await saying(({ started }) => started === true);
  const [first] = said.flatMap(({ forked }) => forked ?? []) as [number];
  await freeze(first);
  const answers = Promise.all(Array.from({ length: 4 }, () => ask(port)));
  await saying(({ death }) => death?.pid === first && death.signal === 'SIGKILL');
  expect(await answers).not.toContain(String(first));
  await expect.poll(() => said.flatMap(({ forked }) => forked ?? []).length).toBe(3);
  const third = said.flatMap(({ forked }) => forked ?? [])[2];
  await expect.poll(() => ask(port)).toBe(String(third));
  await expect.poll(log).toMatch(new RegExp(`"worker":${first},.*"worker does not answer, ending it"`));
  expect(said.flatMap(({ death }) => death?.pid ?? [])).toEqual([first]);
});

it('ends no worker because it has hung itself', async () => {
  const port = await freePort();
  const { child, said, saying } = primary({ args: [String(port), '2', askEveryMs] });
  await saying(({ started }) => started === true);
  // Some questions; longer than a worker may leave them unanswered; some more.
  await pause(1200);
  await freeze(child.pid);
  await pause(4000);
  signal(child.pid, 'SIGCONT');
  await pause(1200);
  expect(said.filter(({ death }) => death)).toEqual([]);
});

// Node's cluster by itself, and with the connections taken back that were on their way to the worker that died.
it.each([
  ['leaves a connection hanging', 'bare', 'hangs'],
  ['passes a connection on', 'take-back', 'answered'],
])('%s that was on its way to a stuck worker when that was killed (%s)', async (_what, mode, end) => {
  const port = await freePort();
  const { said, saying } = primary({ file: 'handoff-process', args: [String(port), mode] });
  await expect.poll(() => said.filter(({ ready }) => ready).length, { timeout: 15_000 }).toBe(2);
  const both = new Set<string>();
  await expect.poll(async () => both.add(await ask(port)).size).toBe(2);
  ask(port, '/stuck').catch(() => {});
  await saying(({ stuck }) => stuck === true);
  // In turn, one to each worker: the living one gets the third when the first two are on their way.
  const two = Promise.all([ask(port), ask(port)]);
  const living = await ask(port);
  const [dead] = [...both].filter((pid) => pid !== living);
  signal(Number(dead), 'SIGKILL');
  expect(await Promise.race([two.then(() => 'answered'), pause(5000, 'hangs')])).toBe(end);
});

it('on a passed socket: its primary may be killed and started again, and no connection is refused', async () => {
  const { port, handle } = heldSocket();
  ends.push(() => handle.close());
  const before = primary({ args: ['0', '1'], fd: handle.fd });
  await before.saying(({ started }) => started === true);
  const steady = load(port);
  await expect.poll(() => steady.asked).toBeGreaterThan(50);
  const slow = ask(port, '/slow');
  await before.saying(({ slow }) => slow === true);
  before.child.kill('SIGKILL');
  await before.exited;
  const after = primary({ args: ['0', '1'], fd: handle.fd });
  await after.saying(({ started }) => started === true);
  await expect.poll(() => steady.pids.size, { timeout: 10_000 }).toBe(2);
  await steady.stop();
  expect(steady.failed).not.toContain('ECONNREFUSED');
  // What the primary had just accepted.
  expect(steady.failed.length).toBeLessThanOrEqual(4);
  // A worker answers what it has begun, although its primary is gone.
  expect(await slow).toMatch(/^\d+$/);
});

it('on a passed socket: ends with 1 when its last worker dies, because the socket is closed then', async () => {
  const { handle } = heldSocket();
  ends.push(() => handle.close());
  const { said, saying, exited } = primary({ args: ['0', '1'], fd: handle.fd });
  await saying(({ started }) => started === true);
  signal(said.flatMap(({ forked }) => forked ?? [])[0], 'SIGKILL');
  expect(await exited).toBe(1);
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
