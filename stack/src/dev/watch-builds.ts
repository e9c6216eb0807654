import { spawn } from 'node:child_process';
import { openSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Buildable, buildables } from '../parts.ts';
import { sharedEnv } from '../process.ts';
import { linkRelease, writeReleaseSet } from '../release.ts';

const firstBuildMs = 60_000;

interface WatchOptions {
  dataDir: string;
  logDir: string;
  tell(line: string): void;
  stops: (() => Promise<unknown>)[];
}

/** Builds every part for development and again whenever its sources change. Resolves when each has been built once. */
export async function watchBuilds({ dataDir, logDir, tell, stops }: WatchOptions): Promise<void> {
  const parts = buildables();
  tell(`building the shell and ${parts.length - 1} microfrontends for development`);
  await Promise.all(parts.map((part) => watchBuild(part, logDir, stops)));
  const mfes = parts.filter((part) => part.kind === 'mfe');
  for (const part of mfes) linkRelease(dataDir, part);
  writeReleaseSet(dataDir, Object.fromEntries(mfes.map((part) => [part.name, 'dev'])));
}

async function watchBuild(part: Buildable, logDir: string, stops: (() => Promise<unknown>)[]): Promise<void> {
  const out = path.join(part.dir, 'dist-dev');
  rmSync(out, { recursive: true, force: true });
  const logFile = path.join(logDir, `build-${part.name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(path.join(part.dir, 'node_modules/.bin/rspack'), ['build', '--watch'], {
    cwd: part.dir,
    env: { ...sharedEnv(), NODE_ENV: 'development', MFE_VERSION: 'dev', NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', log, log],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  stops.push(async () => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  const result = path.join(out, part.kind === 'mfe' ? 'release.json' : 'shell.json');
  const until = performance.now() + firstBuildMs;
  while (!statSync(result, { throwIfNoEntry: false })) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`${part.name} does not build; see ${logFile}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
