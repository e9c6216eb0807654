/** The folder of a microfrontend: what it is called, what its build has left. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { CommandFailed } from '../src/command.ts';
import { checkBytes, checkFiles } from '../src/files.ts';
import { readEnvironment } from './env.ts';

const packageSchema = z.object({
  name: z.string(),
  version: z.string().optional(),
  scripts: z.object({ build: z.string().optional() }).default({}),
});
/** As much of release.json as publishing needs. That all of it is in form is for the registry to say. */
const manifestSchema = z.object({ name: z.string(), version: z.string(), files: z.record(z.string(), z.string()) });

/** As semver.org has it, without build metadata, which the registry does not take. */
const semanticVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** What a build has left, as it will be published. */
export interface BuiltRelease {
  name: string;
  version: string;
  /** Bytes of each file. */
  sizes: Map<string, number>;
}

/** Reads the package of a microfrontend's folder. @throws CommandFailed where it is none */
export function readPackage(dir: string): z.infer<typeof packageSchema> {
  const file = path.join(dir, 'package.json');
  const parsed = packageSchema.safeParse(existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined);
  if (!parsed.success) throw notOne(dir);
  return parsed.data;
}

/** What to say where somebody means a microfrontend's folder and it is none. */
const notOne = (dir: string) =>
  new CommandFailed(`${dir} is no microfrontend’s folder. Go into it, or name it: pnpm mfe publish ../mfe-news`);

/**
 * Reads the release that a build has left in `dist`, and checks every byte of it before anything is sent.
 * @throws CommandFailed where something is missing, ReleaseRefused where files are not those that the build has described
 */
export function readBuiltRelease(dir: string): BuiltRelease {
  const dist = path.join(dir, 'dist');
  const file = path.join(dist, 'release.json');
  if (!existsSync(file)) throw new CommandFailed(`${file} is missing. Build first: pnpm build`);
  const parsed = manifestSchema.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new CommandFailed(`${file} is not what the build writes. Build again: pnpm build`);
  const { name, version, files } = parsed.data;
  checkFiles(files);
  const sizes = new Map(Object.entries(files).map(([each, integrity]) => [each, readFile(dist, each, integrity).length]));
  return { name, version, sizes };
}

/**
 * `pnpm start` builds a version of its own, `1.5.0-b…`.
 * @throws CommandFailed where what is built is of another version than the folder: the last build has failed, or was none
 */
export function refuseStale(dir: string, { version }: BuiltRelease, remedy: string): void {
  const { from, expected } = expectedVersion(dir);
  if (expected === undefined || version === expected || version.startsWith(`${expected}-`)) return;
  throw new CommandFailed(`dist is ${version}, ${from} says ${expected}: ${remedy}`);
}

/** The registry takes any word, and for good. @throws CommandFailed where what a folder is to be published as is no semantic version */
export function checkVersion(dir: string): void {
  const { from, expected } = expectedVersion(dir);
  if (expected !== undefined && !semanticVersion.test(expected))
    throw new CommandFailed(`${from}: version ${JSON.stringify(expected)} is none; write it as 1.2.0 or 1.2.0-rc.1`);
}

/** What a build takes for the version. Undefined where only its configuration knows. */
function expectedVersion(dir: string): { from: string; expected: string | undefined } {
  const { MFE_VERSION } = readEnvironment();
  if (MFE_VERSION !== undefined) return { from: 'MFE_VERSION', expected: MFE_VERSION };
  return { from: 'package.json', expected: readPackage(dir).version };
}

function readFile(dist: string, file: string, integrity: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path.join(dist, file));
  } catch (cause) {
    throw new CommandFailed(`${path.join(dist, file)} is in release.json, and cannot be read. Build again: pnpm build`, { cause });
  }
  checkBytes(file, bytes, integrity);
  return bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
