import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HeldSocket } from './socket.ts';

const startMs = 30_000;
const stopMs = 12_000;

/** A part of the site that ended although nobody asked it to, or did not come up. */
export class PartFailed extends Error {
  override name = 'PartFailed';
}

/** PATH with the Node that runs this first, so that scripts with `#!/usr/bin/env node` use it too. */
export function nodePath(): string {
  return [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
}

/** What only the part may know that needs it. Each part is given its own. */
const secrets = [
  ...['MONGODB_URI', 'NEWS_MONGODB_URI', 'INQUIRY_MONGODB_URI', 'REGISTRY_MONGODB_URI'],
  ...['SMTP_URL', 'PREVIEW_KEY', 'SHELL_TOKEN', 'COLONNADE_TOKEN', 'MFE_KEY', 'ROOT_KEY_FILE'],
];

/** The environment of this process for another: without the secrets of this site, because the code of every team runs in the builds and in the shell. */
export function sharedEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: nodePath() };
  for (const name of secrets) delete env[name];
  return env;
}

export interface PartOptions {
  name: string;
  /** TypeScript file that Node runs. */
  file: string;
  /** Its settings, over those of this process. No secret of this process reaches it but those named here. */
  env: Record<string, string | undefined>;
  logDir: string;
  /** Listening sockets it serves, by the names it gives its listeners. Without any it listens by itself. */
  sockets?: Record<string, HeldSocket>;
  /** It says that it was asked to end and serves on until it is told to drain. */
  onLeaving?(part: Part): void;
}

/**
 * One process of the site. It logs to a file of its own and is the leader of a process group, so that a Ctrl-C in the
 * terminal reaches only us and the parts end in order.
 */
export class Part {
  readonly name: string;
  readonly logFile: string;
  readonly #child: ChildProcess;
  /** Resolves with a reason when the process has ended without being asked to. Never, when it was. */
  readonly died: Promise<string>;
  readonly #ended: Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  #unserved: Set<string>;
  #stopping = false;

  constructor(options: PartOptions) {
    const { name, file, env, logDir, sockets, onLeaving } = options;
    this.#unserved = new Set(Object.keys(sockets ?? {}));
    this.name = name;
    this.logFile = path.join(logDir, `${name}.log`);
    const log = openSync(this.logFile, 'a');
    this.#child = spawn(process.execPath, [file], {
      env: {
        ...sharedEnv(),
        ...env,
        ...(sockets && { LISTEN_FDS: String(this.#unserved.size), LISTEN_FDNAMES: [...this.#unserved].join(':') }),
        ...(onLeaving && { SUCCESSOR_FIRST: '1' }),
      },
      stdio: ['ignore', log, log, ...Object.values(sockets ?? {}).map(({ fd }) => fd), 'ipc'],
      detached: true,
    });
    closeSync(log);
    this.#child.on('message', (message: { ready?: boolean; leaving?: boolean; name?: string }) => {
      if (message?.ready) {
        this.#unserved.delete(message.name ?? '');
        if (this.#unserved.size === 0) this.#ready.resolve();
      }
      if (message?.leaving) onLeaving?.(this);
    });
    const ended = Promise.withResolvers<void>();
    const died = Promise.withResolvers<string>();
    this.#ended = ended.promise;
    this.died = died.promise;
    const end = (reason: string) => {
      if (!this.#stopping) died.resolve(reason);
      ended.resolve();
    };
    this.#child.on('error', (error) => end(error.message));
    this.#child.on('exit', (code, signal) => {
      end(signal ? `was killed by ${signal}` : `ended with code ${code}`);
      const { pid } = this.#child;
      // Its workers drain when they notice; one that is stuck does not.
      if (pid !== undefined && groupLives(pid)) setTimeout(() => killGroup(pid), stopMs).unref();
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the process says that it listens, on all sockets it was passed. @throws PartFailed */
  async listening(): Promise<void> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), startMs);
    try {
      await Promise.race([this.#ready.promise, this.died.then((reason) => Promise.reject(this.failure(reason)))]);
    } finally {
      clearTimeout(late);
    }
  }

  send(message: string): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Asks the process to end, and after a while makes it and its children. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    // A signal alone would make it wait for a successor. One that has not come up may not read messages yet.
    this.send('drain');
    if (!this.#child.connected || this.#unserved.size > 0) this.#child.kill('SIGTERM');
    const late = setTimeout(() => killGroup(pid), stopMs);
    await this.#ended;
    clearTimeout(late);
    // What it started must not outlive it.
    killGroup(pid);
  }

  /** An error that says what happened to this part and shows the end of its log. */
  failure(reason: string): PartFailed {
    return new PartFailed(`The ${this.name} process ${reason}. The end of ${this.logFile}:\n\n${lastLines(this.logFile)}`);
  }
}

function groupLives(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has gone already.
  }
}

/** The last log lines, of JSON only the messages: what a person wants to see first. */
function lastLines(file: string): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(-8);
  return lines.map((line) => `  ${messageOf(line)}`).join('\n');
}

function messageOf(line: string): string {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: string; msg?: string; err?: { message?: string } };
    return [level, msg, err?.message].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}
