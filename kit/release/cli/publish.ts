/** `publish`: builds, signs and uploads. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keyId } from '../src/keys.ts';
import { signRelease } from '../src/signing.ts';
import { CommandFailed, UsageError } from './command.ts';
import { readTeamKey } from './key-files.ts';
import { readBuiltRelease, readPackage } from './mfe-folder.ts';
import { upload } from './upload.ts';

/** Publishes the microfrontend of a folder. The same release again does nothing. */
export async function publish(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { 'no-build': { type: 'boolean' } }, allowPositionals: true });
  if (positionals.length > 1) throw new UsageError('Give one folder.');
  const dir = path.resolve(positionals[0] ?? '.');
  const { scripts } = readPackage(dir);
  // Before the build: whoever has no key need not wait for it.
  const key = readTeamKey(dir);
  if (!values['no-build']) await build(dir, scripts.build);
  const release = readBuiltRelease(dir);
  const id = `${release.name}@${release.version}`;
  const signed = signRelease(release.manifest, key);
  const isNew = await upload(release, signed, (line) => console.log(`  ${line}`));
  console.log(isNew ? `${id} published, signed by key ${keyId(key)}` : `${id} is published already, with the same content`);
}

/** Runs the folder's own build, with this Node and the folder's tools first in the path, as a package manager would. */
async function build(dir: string, script: string | undefined): Promise<void> {
  if (script === undefined)
    throw new CommandFailed(`${dir}: package.json has no build script. Add one, or publish what is built: --no-build`);
  const PATH = [path.join(dir, 'node_modules/.bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const env = { ...process.env, PATH, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: undefined };
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
