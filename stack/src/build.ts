import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inputsHash } from './inputs.ts';
import type { Buildable } from './parts.ts';
import { sharedEnv } from './process.ts';

/** A build that does not compile, with what the compiler said. */
export class BuildFailed extends Error {
  override name = 'BuildFailed';
}

/** What a build leaves behind when it has finished. */
const result = { mfe: 'dist/release.json', shell: 'dist/shell.json' };

/**
 * Builds a part unless nothing it is made from has changed.
 * @returns the version it was built as: for a microfrontend its package's version and the hash of its inputs, so that
 * the same sources are the same release and other sources never take its place
 */
export async function build(part: Buildable, tell: (line: string) => void, signal?: AbortSignal): Promise<{ version: string }> {
  const hash = inputsHash(part);
  const { version: base } = JSON.parse(readFileSync(path.join(part.dir, 'package.json'), 'utf8')) as { version: string };
  const version = `${base}-b${hash}`;
  if (!isFresh(part, version, hash)) {
    const started = performance.now();
    await rspack(part, version, signal);
    mkdirSync(path.dirname(stampOf(part)), { recursive: true });
    writeFileSync(stampOf(part), hash);
    tell(`built ${part.name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  return { version };
}

/** Says what the last build from here was made of. */
const stampOf = ({ dir }: Buildable) => path.join(dir, 'node_modules/.cache/colonnade-build');

/** The team may have built and published a version of its own from the same sources and into the same folder since. */
function isFresh(part: Buildable, version: string, hash: string): boolean {
  const built = path.join(part.dir, result[part.kind]);
  if (!existsSync(built) || !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== hash) return false;
  return part.kind === 'shell' || (JSON.parse(readFileSync(built, 'utf8')) as { version: string }).version === version;
}

/** Runs the part's own build, as its team would: `rspack build` in its folder. */
async function rspack(part: Buildable, version: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(path.join(part.dir, 'node_modules/.bin/rspack'), ['build'], {
    cwd: part.dir,
    env: { ...sharedEnv(), NODE_ENV: 'production', MFE_VERSION: version, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject);
  child.on('close', resolve);
  if ((await promise) !== 0) throw new BuildFailed(`${part.name} does not build:\n\n${Buffer.concat(output).toString().trim()}`);
}
