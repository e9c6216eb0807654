import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeReleaseSet } from '@colonnade/stack/release';
import { fixtureDataDir, fixturePorts } from './fixture-site.ts';

const root = path.join(import.meta.dirname, '../..');
const startMs = 40_000;

/** One line of a process's log. */
export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** What the supervisor says of itself. */
export interface ShellState {
  status: string;
  set: string;
  workers: number;
  refused: { reason: string } | null;
  releases: { name: string; version: string; broken?: string; fenced?: { id: string; until: string }[] }[];
}

export interface SecondShell {
  /** Its gateway's. */
  origin: string;
  dataDir: string;
  log(): LogLine[];
  state(): Promise<ShellState>;
  stop(): Promise<void>;
}

/**
 * Starts a shell and a gateway of their own beside the fixtures' site, with its releases and its services: what a test
 * does to the workers then meets no other test.
 * @param options.base the first of 20 ports
 * @param options.mfes releases of the set beside the site's own; they lie in the data directory or in the fixtures' one
 */
export async function startSecondShell(options: {
  name: string;
  base: number;
  mfes: Record<string, string>;
  env?: Record<string, string>;
  /** Puts further releases into place. */
  prepare?(dataDir: string): void;
}): Promise<SecondShell> {
  const { name, base, mfes, env = {}, prepare } = options;
  const dataDir = path.join(import.meta.dirname, `../.data-${name}`);
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(path.join(dataDir, 'releases'), { recursive: true });
  const released = JSON.parse(readFileSync(path.join(fixtureDataDir, 'shell/last-good.json'), 'utf8')).live as Record<string, string>;
  const own = Object.fromEntries(['mfe-pages', 'mfe-news', 'mfe-inquiry'].map((mfe) => [mfe, released[mfe] ?? 'none']));
  cpSync(path.join(fixtureDataDir, 'releases'), path.join(dataDir, 'releases'), { recursive: true });
  prepare?.(dataDir);
  writeReleaseSet(dataDir, { ...own, ...mfes });

  const logFile = path.join(dataDir, 'shell.log');
  const loopback = (port: number) => `http://127.0.0.1:${port}`;
  const run = (part: string, file: string, extra: Record<string, string>) => {
    const log = openSync(part === 'shell' ? logFile : path.join(dataDir, `${part}.log`), 'a');
    const child = spawn(process.execPath, [path.join(root, file)], {
      env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, SITE_ORIGIN: `http://localhost:${base}`, ...extra, ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return async () => {
      // The group, and at once: among it may be a worker that hears nothing any more.
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
    };
  };
  const stops = [
    run('shell', 'shell/src/server/main.ts', {
      SHELL_PORT: String(base + 2),
      SHELL_WORKERS: '2',
      SERVICES: `news=${loopback(fixturePorts.NEWS_PORT)},inquiry=${loopback(fixturePorts.INQUIRY_PORT)}`,
    }),
    run('gateway', 'gateway/src/main.ts', {
      PORT: String(base),
      OPS_PORT: String(base + 1),
      ALLOWED_HOSTS: 'localhost',
      SHELL_URL: loopback(base + 2),
      NEWS_URL: loopback(fixturePorts.NEWS_PORT),
      INQUIRY_URL: loopback(fixturePorts.INQUIRY_PORT),
      GATEWAY_WORKERS: '1',
      PAGE_CACHE: 'off',
    }),
  ];
  const shell: SecondShell = {
    origin: `http://localhost:${base}`,
    dataDir,
    log: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    state: async () => (await fetch(`${loopback(base + 2)}/readyz`)).json() as Promise<ShellState>,
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
  await answering(`${shell.origin}/company`).catch(async (error) => {
    await shell.stop();
    throw error;
  });
  return shell;
}

async function answering(url: string): Promise<void> {
  const until = performance.now() + startMs;
  while (performance.now() < until) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
