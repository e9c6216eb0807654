/** What people name on the command line: `mfe-news@1.4.0`, `mfe-news`, or nothing where they stand in its folder. */
import { existsSync } from 'node:fs';
import { mfeNameSchema, versionSchema } from '../src/api.ts';
import { UsageError } from '../src/command.ts';
import { readBuiltRelease, readPackage, refuseStale } from './mfe-folder.ts';

export interface ReleaseName {
  name: string;
  version: string;
}

/** The release that is meant; without a word the one that this folder was built as. @throws UsageError, CommandFailed */
export function releaseNamed(positionals: readonly string[]): ReleaseName {
  if (positionals.length > 1) throw new UsageError('Give one release: mfe-news@1.4.0');
  const [text] = positionals;
  if (text === undefined) {
    if (!existsSync('dist/release.json')) throw new UsageError('Give a release: mfe-news@1.4.0');
    const built = readBuiltRelease('.');
    refuseStale('.', built, 'publish first, or name the release');
    return { name: built.name, version: built.version };
  }
  const [name, version, more] = text.split('@');
  if (more !== undefined || !mfeNameSchema.safeParse(name).success || !versionSchema.safeParse(version).success)
    throw new UsageError(`${text} is no release. Give a name and a version: mfe-news@1.4.0`);
  return { name: name as string, version: version as string };
}

/** The microfrontend that is meant; without a word that of this folder. @throws UsageError */
export function mfeNamed(positionals: readonly string[]): string {
  if (positionals.length > 1) throw new UsageError('Give one microfrontend: mfe-news');
  const name = positionals[0] ?? ownName();
  if (name === undefined) throw new UsageError('Give a microfrontend: mfe-news');
  if (!mfeNameSchema.safeParse(name).success)
    throw new UsageError(`${name} is no name of a microfrontend. They look like mfe-news, without a version.`);
  return name;
}

/** The microfrontend whose folder this is. */
export function ownName(): string | undefined {
  return existsSync('src/mfe.ts') ? readPackage('.').name : undefined;
}
