import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

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

export interface PartOptions {
  name: string;
  /** TypeScript file that Node runs. */
  file: string;
  env: Record<string, string | undefined>;
  logDir: string;
}

/**
 * One process of the site. It logs to a file of its own and is the leader of a process group, so that a Ctrl-C in the
 * terminal reaches only us and the parts end in order.
 */
export class Part {
  readonly name: string;
  readonly logFile: string;
  readonly #options: PartOptions;
  readonly #child: ChildProcess;
  /** Resolves with a reason when the process has ended without being asked to. Never, when it was. */
  readonly died: Promise<string>;
  readonly #ended: Promise<void>;
  #stopping = false;

  constructor(options: PartOptions) {
    const { name, file, env, logDir } = options;
    this.#options = options;
    this.name = name;
    this.logFile = path.join(logDir, `${name}.log`);
    const log = openSync(this.logFile, 'a');
    this.#child = spawn(process.execPath, [file], {
      env: { ...process.env, ...env, PATH: nodePath() },
      stdio: ['ignore', log, log, 'ipc'],
      detached: true,
    });
    closeSync(log);
    const ended = Promise.withResolvers<void>();
    const died = Promise.withResolvers<string>();
    this.#ended = ended.promise;
    this.died = died.promise;
    const end = (reason: string) => {
      if (!this.#stopping) died.resolve(reason);
      ended.resolve();
    };
    this.#child.on('error', (error) => end(error.message));
    this.#child.on('exit', (code, signal) => end(signal ? `was killed by ${signal}` : `ended with code ${code}`));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the process says that it listens. @throws PartFailed */
  async listening(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#child.on('message', (message: { ready?: boolean }) => message?.ready && resolve());
    const late = setTimeout(() => this.#child.kill('SIGKILL'), startMs);
    try {
      await Promise.race([promise, this.died.then((reason) => Promise.reject(this.failure(reason)))]);
    } finally {
      clearTimeout(late);
    }
  }

  send(message: string): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** Asks the process to end, and after a while makes it and its children. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => killGroup(pid), stopMs);
    await this.#ended;
    clearTimeout(late);
    // What it started must not outlive it.
    killGroup(pid);
  }

  /** Ends the process and starts it again. */
  async restart(): Promise<Part> {
    await this.stop();
    return new Part(this.#options);
  }

  /** An error that says what happened to this part and shows the end of its log. */
  failure(reason: string): PartFailed {
    return new PartFailed(`The ${this.name} process ${reason}. The end of ${this.logFile}:\n\n${lastLines(this.logFile)}`);
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
