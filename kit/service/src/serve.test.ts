import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { heldSocket } from '../fixtures/held-socket.ts';

const script = fileURLToPath(new URL('../fixtures/drain-process.ts', import.meta.url));
/** When connections are cut that do not end by themselves. */
const cutMs = 8000;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function spawnProcess(
  port = 0,
  { host = '127.0.0.1', env = {}, fds = [] }: { host?: string; env?: NodeJS.ProcessEnv; fds?: number[] } = {},
) {
  const stdio = ['ignore', 'pipe', 'pipe', ...fds, 'ipc'] as const;
  const child = fork(script, [String(port), host], { stdio: [...stdio], env: { ...process.env, LOG_LEVEL: 'info', ...env } });
  children.push(child);
  const output = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]).then((parts) => parts.join(''));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return { child, output, exited };
}

async function ready(child: ChildProcess): Promise<number> {
  const [message] = await once(child, 'message');
  expect(message).toMatchObject({ ready: true, name: 'drain' });
  return (message as { port: number }).port;
}

async function ask(port: number, path: string, agent: Agent) {
  const [res] = await once(get({ port, path, agent, host: '127.0.0.1' }), 'response');
  return { status: res.statusCode as number, connection: res.headers.connection as string | undefined, body: await text(res) };
}

/** Why a newcomer is not answered. */
const refusal = (port: number) => ask(port, '/quick', new Agent()).catch(({ code }: NodeJS.ErrnoException) => code);

describe('serve', () => {
  it('drains on SIGTERM: not ready, then closed to newcomers, and every request answered', async () => {
    const { child, output, exited } = spawnProcess();
    const port = await ready(child);
    const agent = new Agent({ keepAlive: true });
    expect(await ask(port, '/readyz', agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
    const slow = ask(port, '/slow', new Agent({ keepAlive: true }));
    // Answered after the slow one has arrived.
    await ask(port, '/quick', new Agent());

    const started = performance.now();
    child.kill('SIGTERM');
    await expect.poll(() => ask(port, '/readyz', agent)).toMatchObject({ status: 503, connection: 'close' });
    await expect.poll(() => refusal(port)).toBe('ECONNREFUSED');
    expect(await slow).toEqual({ status: 200, connection: 'close', body: 'slow' });
    expect(await exited).toBe(0);
    expect(performance.now() - started).toBeLessThan(cutMs);
    expect(await output).toContain('"msg":"closed"');
  });

  it('answers a request on an idle connection after it has stopped listening, and closes idle ones soon', async () => {
    const { child, exited } = spawnProcess();
    const port = await ready(child);
    const used = new Agent({ keepAlive: true });
    const idle = new Agent({ keepAlive: true });
    await ask(port, '/quick', used);
    await ask(port, '/quick', idle);
    const started = performance.now();
    child.kill('SIGTERM');
    await expect.poll(() => refusal(port)).toBe('ECONNREFUSED');
    expect(await ask(port, '/quick', used)).toMatchObject({ status: 200, connection: 'close' });
    expect(await exited).toBe(0);
    expect(performance.now() - started).toBeLessThan(cutMs);
    idle.destroy();
  });

  it('ends when its parent is gone', async () => {
    const { child, exited } = spawnProcess();
    await ready(child);
    child.disconnect();
    expect(await exited).toBe(0);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['', 'every address'],
  ])('says which port is in use and exits with 1: host "%s"', async (host, called) => {
    const other = createServer().listen({ port: 0, ...(host && { host }) });
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { output, exited } = spawnProcess(port, { host });
    expect(await exited).toBe(1);
    expect(await output).toContain(`drain cannot listen: port ${port} on ${called} is in use by another process`);
    other.close();
  });

  it('logs a stray rejection as fatal and exits with 1', async () => {
    const { child, output, exited } = spawnProcess();
    const port = await ready(child);
    await ask(port, '/throw', new Agent()).catch(() => {});
    expect(await exited).toBe(1);
    expect(await output).toMatch(/"level":"fatal".*stray/);
  });

  describe('with a parent that starts the successor first', () => {
    const env = { SUCCESSOR_FIRST: '1' };

    it('says that it leaves, serves on, and drains when it is told to', async () => {
      const { child, exited } = spawnProcess(0, { env });
      const port = await ready(child);
      child.kill('SIGTERM');
      expect((await once(child, 'message'))[0]).toEqual({ leaving: true });
      // A second signal changes nothing.
      child.kill('SIGTERM');
      const agent = new Agent({ keepAlive: true });
      expect(await ask(port, '/readyz', agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
      const slow = ask(port, '/slow', new Agent());
      await ask(port, '/quick', new Agent());
      child.send('drain');
      await expect.poll(async () => (await ask(port, '/readyz', agent)).status).toBe(503);
      expect(await slow).toMatchObject({ status: 200, body: 'slow' });
      expect(await exited).toBe(0);
    });

    it('serves on for longer where it leaves by itself, and is gone as soon as ever when it is told to end meanwhile', async () => {
      const { child, exited } = spawnProcess(0, { env });
      const port = await ready(child);
      const said = once(child, 'message');
      await ask(port, '/leave', new Agent());
      expect((await said)[0]).toEqual({ leaving: true });
      // A fault that goes on.
      const { body: timers } = await ask(port, '/timers', new Agent());
      for (let i = 0; i < 20; i++) await ask(port, '/leave', new Agent());
      expect(Number((await ask(port, '/timers', new Agent())).body)).toBeLessThan(Number(timers) + 10);
      // Longer than one that is told to end.
      await new Promise((resolve) => setTimeout(resolve, 5000));
      expect((await ask(port, '/readyz', new Agent())).status).toBe(200);
      const told = performance.now();
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
      expect(performance.now() - told).toBeLessThan(10_000);
    });

    it('is gone within 10 s where nobody answers, with requests that do not end', async () => {
      const { child, exited, output } = spawnProcess(0, { env });
      const port = await ready(child);
      ask(port, '/never', new Agent()).catch(() => {});
      await ask(port, '/quick', new Agent());
      const started = performance.now();
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
      expect(performance.now() - started).toBeGreaterThan(4000);
      expect(await output).toContain('not drained in time');
    });
  });

  it('listens on a socket that its parent holds: what comes while it is away waits for the next one', async () => {
    const { port, handle } = heldSocket();
    const at = { env: { LISTEN_FDS: '2', LISTEN_FDNAMES: 'other:drain' }, fds: [handle.fd, handle.fd] };
    const first = spawnProcess(0, at);
    expect(await ready(first.child)).toBe(port);
    first.child.kill('SIGKILL');
    await first.exited;
    const waiting = ask(port, '/quick', new Agent());
    const second = spawnProcess(0, at);
    await ready(second.child);
    expect(await waiting).toMatchObject({ status: 200, body: 'quick' });

    // The control: once the parent closes it too, there is nobody.
    handle.close();
    second.child.kill('SIGKILL');
    await second.exited;
    await expect(ask(port, '/quick', new Agent())).rejects.toThrow('ECONNREFUSED');
  });
});
