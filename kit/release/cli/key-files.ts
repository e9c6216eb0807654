/** Private keys lie in files that nobody else may read: `.data/keys/` of the folder where they are made, which git does not see. */
import type { KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandFailed } from '../src/command.ts';
import { readPrivateKey } from '../src/keys.ts';
import { readEnvironment } from './env.ts';

/** Where a key of this name lies below a folder. */
export function keyFile(dir: string, name: 'root' | 'team'): string {
  return path.join(dir, '.data/keys', `${name}.pem`);
}

/** Writes a private key for its owner alone (0600). @throws CommandFailed where a file is there: a key is never overwritten */
export function writeKeyFile(file: string, pem: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new CommandFailed(`${file} is there already, and a key is never overwritten. Move it away, or name another with --out.`);
  }
}

/**
 * The key a team signs with: `MFE_KEY`, else the nearest `.data/keys/team.pem` from the microfrontend's folder upwards.
 * @throws CommandFailed that says how to come by one
 */
export function readTeamKey(dir: string): KeyObject {
  const { MFE_KEY } = readEnvironment();
  // Some pipelines keep a secret in one line.
  if (MFE_KEY?.includes('-----BEGIN')) return readKey('MFE_KEY', MFE_KEY.replaceAll('\\n', '\n'));
  const file = MFE_KEY ?? nearest(dir, 'team');
  if (file === undefined)
    throw new CommandFailed('There is no key to sign with. Make one with: pnpm mfe keys team. Or set MFE_KEY to your team’s key file.');
  return readKey(file, contentOf(file, 'MFE_KEY'));
}

/** The root's private key: `ROOT_KEY_FILE`, else the nearest `.data/keys/root.pem` upwards. @throws CommandFailed */
export function readRootPrivateKey(): KeyObject {
  const file = rootKeyFile();
  if (file === undefined)
    throw new CommandFailed('The root key is needed for this. Set ROOT_KEY_FILE to its file; or make one with: pnpm mfe keys root');
  return readKey(file, contentOf(file, 'ROOT_KEY_FILE'));
}

/** Where the root's private key lies, if it is at hand. */
export function rootKeyFile(): string | undefined {
  return readEnvironment().ROOT_KEY_FILE ?? nearest(process.cwd(), 'root');
}

function nearest(dir: string, name: 'root' | 'team'): string | undefined {
  for (let folder = path.resolve(dir); ; folder = path.dirname(folder)) {
    const file = keyFile(folder, name);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function contentOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandFailed(`${variable}: ${file} cannot be read.`);
  }
}

function readKey(where: string, pem: string): KeyObject {
  try {
    return readPrivateKey(pem);
  } catch (error) {
    throw new CommandFailed(`${where} ${(error as Error).message}.`);
  }
}
