import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseSchema } from '@colonnade/mfe/release';
import { compareSpecificity, conflicts } from '@colonnade/mfe/routing';
import * as z from 'zod';
import type { SetTable, TableRoute } from '../set-table.ts';

/** `release-set.json` in the data directory: the version of each microfrontend that is live. */
export const releaseSetSchema = z.object({ mfes: z.record(z.string(), z.string()) });

/** `shell.json`, written by the shell's build. Files are relative to the build's `client/` folder. */
export const shellBuildSchema = z.object({
  /** Identifies the build, both sides. */
  hash: z.string(),
  entry: z.string(),
  js: z.array(z.string()),
  css: z.array(z.string()),
  fonts: z.array(z.string()),
  /** `sha384-…` of each file. */
  files: z.record(z.string(), z.string()),
});
export type ShellBuild = z.infer<typeof shellBuildSchema>;

/** One version of the shell and of each microfrontend, all of them verified to fit together. */
export interface ReleaseSet {
  id: string;
  shell: ShellBuild;
  releases: { release: Release; dir: string }[];
}

/** A release set that must not go live: what is wrong with it, for whoever released it. */
export class SetRejected extends Error {
  override name = 'SetRejected';
}

export const releaseDir = (dataDir: string, name: string, version: string) => path.join(dataDir, 'releases', name, version);

/**
 * Reads the release set that should be live.
 * @param dataDir holds `release-set.json` and the release folders
 * @param shellDir the shell's build folder
 * @throws SetRejected when a release is missing, torn or in conflict with another
 */
export function readReleaseSet(dataDir: string, shellDir: string): ReleaseSet {
  const shell = readJson(path.join(shellDir, 'shell.json'), shellBuildSchema);
  const { mfes } = readJson(path.join(dataDir, 'release-set.json'), releaseSetSchema);
  const hash = createHash('sha256').update(shell.hash);
  const releases = Object.entries(mfes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, version]) => {
      const dir = releaseDir(dataDir, name, version);
      const file = path.join(dir, 'release.json');
      const release = readJson(file, releaseSchema);
      if (release.name !== name || (release.version !== version && version !== 'dev'))
        throw new SetRejected(`${file} is of ${release.name}@${release.version}`);
      hash.update(`\n${name}@${version}:${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
      return { release: { ...release, version }, dir };
    });
  refuseConflicts(releases.map(({ release }) => release));
  return { id: hash.digest('hex').slice(0, 12), shell, releases };
}

/** The part of a release set that browsers need. @param integrity false in development, where files change in place */
export function setTable(set: ReleaseSet, integrity: boolean): SetTable {
  const table: SetTable = { set: set.id, entries: {}, routes: [], slots: {}, integrity: {} };
  for (const { release } of set.releases) {
    const { name: mfe } = release;
    const url = (file: string) => mfeUrl(release, file);
    const files = ({ js, css }: { js: string[]; css: string[] }) => ({
      js: [...release.client.expose.js, ...js].map(url),
      css: [...release.client.expose.css, ...css].map(url),
    });
    table.entries[mfe] = url(release.client.entry);
    for (const route of release.routes) {
      const { id, path, slots } = route;
      table.routes.push({ mfe, id, path, data: route.loader || slots.length > 0, slots, files: files(route.files) } satisfies TableRoute);
    }
    for (const slot of release.slots) table.slots[slot.name] = { mfe, files: files(slot.files) };
    if (integrity)
      for (const [file, hash] of Object.entries(release.files)) if (/^client\/.*\.(js|css)$/.test(file)) table.integrity[url(file)] = hash;
  }
  table.routes.sort((a, b) => compareSpecificity(a.path, b.path));
  return table;
}

/** The public URL of a client file of a release. */
export function mfeUrl(release: { name: string; version: string }, file: string): string {
  return `/_mfe/${release.name}/${release.version}/${file.replace(/^client\//, '')}`;
}

/** The public URL of a client file of the shell. */
export function shellUrl(shell: ShellBuild, file: string): string {
  return `/_mfe/shell/${shell.hash}/${file}`;
}

function refuseConflicts(releases: Release[]): void {
  const all = releases.flatMap((release) => release.routes.map((route) => ({ mfe: release.name, path: route.path })));
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) {
      if (conflicts(a.path, b.path))
        throw new SetRejected(`${a.mfe} and ${b.mfe} both claim ${a.path === b.path ? a.path : `${a.path} (${b.path})`}`);
    }
  }
}

function readJson<T>(file: string, schema: z.ZodType<T>): T {
  if (!existsSync(file)) throw new SetRejected(`${file} is missing`);
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new SetRejected(`${file}: ${error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message}`, { cause: error });
  }
}
