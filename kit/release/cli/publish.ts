/** `publish`: builds, signs and uploads. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed, UsageError } from '../src/command.ts';
import { keyId } from '../src/keys.ts';
import { publishRelease } from '../src/publish.ts';
import { secrets } from './env.ts';
import { readTeamKey } from './key-files.ts';
import { checkVersion, readBuiltRelease, readPackage, refuseStale } from './mfe-folder.ts';
import { registry } from './registry.ts';

/** Publishes the microfrontend of a folder. The same release again does nothing. */
export async function publish(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { 'no-build': { type: 'boolean' } }, allowPositionals: true });
  if (positionals.length > 1) throw new UsageError('Give one folder.');
  const dir = path.resolve(positionals[0] ?? '.');
  const { scripts } = readPackage(dir);
  checkVersion(dir);
  // Before the build: whoever has no key need not wait for it.
  const key = readTeamKey(dir);
  if (!values['no-build']) await build(dir, scripts.build);
  const release = readBuiltRelease(dir);
  if (values['no-build']) refuseStale(dir, release, 'publish without --no-build');
  const id = `${release.name}@${release.version}`;
  const isNew = await publishRelease(registry(), path.join(dir, 'dist'), key, ({ sent, of, file }) => {
    if (file === undefined) console.log(`  ${release.sizes.size} files, ${kilobytes([...release.sizes.values()])}; ${of} to send`);
    else console.log(`  ${sent}/${of} ${file} ${kilobytes([release.sizes.get(file) ?? 0])}`);
  });
  console.log(isNew ? `${id} published, signed by key ${keyId(key)}` : `${id} is published already, with the same content`);
}

/** Runs the folder's own build, with this Node and the folder's tools first in the path, as a package manager would, and without secrets. */
async function build(dir: string, script: string | undefined): Promise<void> {
  if (script === undefined)
    throw new CommandFailed(`${dir}: package.json has no build script. Add one, or publish what is built: --no-build`);
  const PATH = [path.join(dir, 'node_modules/.bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: undefined };
  for (const name of secrets) delete env[name];
  const child = spawn(script, { cwd: dir, shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('close', ended.resolve);
  if ((await ended.promise) !== 0)
    throw new CommandFailed(`It does not build:\n\n${Buffer.concat(output).toString().trim()}\n\nNothing was published.`);
}

function kilobytes(sizes: readonly number[]): string {
  return `${(sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000).toFixed(1)} kB`;
}
