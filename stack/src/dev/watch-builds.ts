import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { BuildFailed } from '../build.ts';
import { type Buildable, buildables } from '../parts.ts';
import { sharedEnv } from '../process.ts';
import { linkRelease, writeReleaseSet } from '../release.ts';

const firstBuildMs = 60_000;
/** Of an error. The log has all of it. */
const toldLines = 20;
const toldColumns = 200;

interface WatchOptions {
  logDir: string;
  tell(line: string): void;
  stops: (() => Promise<unknown>)[];
}

/**
 * Builds every part for development and again whenever its sources change. Resolves when each has been built once.
 * @throws BuildFailed where a build ends instead of watching
 */
export async function watchBuilds({ dataDir, ...options }: WatchOptions & { dataDir: string }): Promise<void> {
  const parts = buildables();
  options.tell(`building the shell and ${parts.length - 1} microfrontends for development`);
  await Promise.all(parts.map((part) => watchBuild(part, options)));
  const mfes = parts.filter((part) => part.kind === 'mfe');
  for (const part of mfes) linkRelease(dataDir, part);
  writeReleaseSet(dataDir, Object.fromEntries(mfes.map((part) => [part.name, 'dev'])));
}

/** Resolves when the part has been built once. What does not build is told, and so is that it builds again. */
export async function watchBuild(part: Buildable, { logDir, tell, stops }: WatchOptions): Promise<void> {
  const out = path.join(part.dir, 'dist-dev');
  rmSync(out, { recursive: true, force: true });
  const result = path.join(out, part.kind === 'mfe' ? 'release.json' : 'shell.json');
  const logFile = path.join(logDir, `build-${part.name}.log`);
  const log = createWriteStream(logFile);
  const child = spawn(path.join(part.dir, 'node_modules/.bin/rspack'), ['build', '--watch'], {
    cwd: part.dir,
    env: { ...sharedEnv(), NODE_ENV: 'development', MFE_VERSION: 'dev', NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stopping = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  stops.push(async () => {
    stopping = true;
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });

  const first = Promise.withResolvers<void>();
  let unread: string[] = [];
  let built = false;
  let failing = false;
  const failure = (error: readonly string[]) => `${part.name} does not build; see ${logFile}:\n\n${shortened(error)}`;
  const readLine = (line: string) => {
    unread.push(line);
    // The last that it says of a build: the server's side is built after the browsers'.
    if (!/^ *server compiled /.test(line)) return;
    const error = firstError(unread);
    unread = [];
    // A page that does not compile leaves the others to be served.
    built ||= existsSync(result);
    if (error.length > 0) {
      // A save may take its time.
      clearTimeout(late);
      tell(`${failure(error)}\n${built ? '' : '\nThe site waits for a save that builds, and starts then.\n'}`);
    } else if (failing) tell(`${part.name} builds again`);
    failing = error.length > 0;
    if (built) first.resolve();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => log.write(chunk));
    createInterface(stream).on('line', (line) => readLine(stripVTControlCharacters(line)));
  }
  child.once('close', () => {
    log.end();
    if (stopping) return;
    // No save would be seen.
    if (built) tell(`${failure(unread)}\n`);
    else first.reject(new BuildFailed(failure(unread)));
  });
  const late = setTimeout(() => first.reject(new BuildFailed(`${part.name} takes too long to build; see ${logFile}`)), firstBuildMs);
  await first.promise.finally(() => clearTimeout(late));
}

/** What is said of the first side that does not compile: the other one has most of it again. */
function firstError(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => /^ *ERROR in /.test(line));
  if (from === -1) return [];
  const to = lines.findIndex((line, at) => at > from && /^ *\w+ compiled /.test(line));
  return lines.slice(from, to);
}

function shortened(lines: readonly string[]): string {
  const told = lines.slice(0, toldLines).map((line) => `  ${line.length > toldColumns ? `${line.slice(0, toldColumns)}…` : line}`);
  return [...told, ...(lines.length > toldLines ? ['  …'] : [])].join('\n').trimEnd();
}
