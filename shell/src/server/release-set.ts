import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseSchema } from '@colonnade/mfe/release';
import { compareSpecificity, conflicts } from '@colonnade/mfe/routing';
import * as z from 'zod';
import type { SetTable, TableRoute } from '../set-table.ts';

/** `shell.json`, written by the shell's build. Files are `{hash of the content}/{name}`, relative to the build's `client/` folder. */
export const shellBuildSchema = z.object({
  /** Identifies the build, both sides. */
  hash: z.string(),
  entry: z.string(),
  js: z.array(z.string()),
  css: z.array(z.string()),
  /** Styles of the error page. */
  errorCss: z.array(z.string()),
  fonts: z.array(z.string()),
  /** `sha384-…` of each file. */
  files: z.record(z.string(), z.string()),
});
export type ShellBuild = z.infer<typeof shellBuildSchema>;

/** One version of the shell and of each microfrontend, all of them verified to fit together. */
export interface ReleaseSet {
  id: string;
  /** The version of each microfrontend. */
  mfes: Record<string, string>;
  shell: ShellBuild;
  releases: { release: Release; dir: string; digest: string }[];
  /** Releases that cannot be used and were left out: what visitors meet at their paths is an unavailable page. */
  broken: BrokenRelease[];
}

/** As much of a broken release as can be read. */
const brokenReleaseSchema = z.object({
  routes: z.array(z.object({ path: z.string() })).catch([]),
  nav: z.array(z.object({ label: z.string(), path: z.string() })).catch([]),
});
export interface BrokenRelease extends z.infer<typeof brokenReleaseSchema> {
  name: string;
  version: string;
}

/** A release set that must not go live: what is wrong with it, for whoever released it. */
export class SetRejected extends Error {
  override name = 'SetRejected';
}

/** One release that cannot be used: without it the set could go live. */
export class ReleaseBroken extends SetRejected {
  override name = 'ReleaseBroken';
  readonly mfe: string;
  readonly version: string;
  constructor(mfe: string, version: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.mfe = mfe;
    this.version = version;
  }
}

export const releaseDir = (dataDir: string, name: string, version: string) => path.join(dataDir, 'releases', name, version);

/**
 * Reads a release set.
 * @param dataDir holds the release folders
 * @param shellDir the shell's build folder
 * @param mfes the version of each microfrontend
 * @param without releases, `name@version`, that are known to be broken: without them it is another set
 * @throws ReleaseBroken when a release is missing, torn or in conflict with another; SetRejected when the set itself cannot be read
 */
export function readReleaseSet(dataDir: string, shellDir: string, mfes: Record<string, string>, without: string[] = []): ReleaseSet {
  const shell = readJson(path.join(shellDir, 'shell.json'), shellBuildSchema);
  const hash = createHash('sha256').update(shell.hash);
  const set: ReleaseSet = { id: '', mfes, shell, releases: [], broken: [] };
  for (const [name, version] of Object.entries(mfes).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const dir = releaseDir(dataDir, name, version);
    if (without.includes(`${name}@${version}`)) {
      set.broken.push({ name, version, ...outlineOf(dir) });
      hash.update(`\n${name}@${version} left out`);
    } else {
      const release = readRelease(dir, name, version);
      const digest = createHash('sha256')
        .update(readFileSync(path.join(dir, 'release.json')))
        .digest('hex');
      set.releases.push({ release, dir, digest });
      hash.update(`\n${name}@${version}:${digest}`);
    }
  }
  // Every page would be a 404, to search engines as well.
  if (set.broken.length > 0 && set.releases.length === 0 && set.broken.every(({ routes }) => routes.length === 0))
    throw new SetRejected(`of none of its releases it is known which pages it has: ${set.broken.map(({ name }) => name).join(', ')}`);
  refuseConflicts(set.releases.map(({ release }) => release));
  return { ...set, id: hash.digest('hex').slice(0, 12) };
}

function readRelease(dir: string, name: string, version: string): Release {
  const file = path.join(dir, 'release.json');
  const broken = (message: string, cause?: unknown) => new ReleaseBroken(name, version, message, { cause });
  let release: Release;
  try {
    release = readJson(file, releaseSchema);
  } catch (error) {
    throw broken((error as Error).message, error);
  }
  if (release.name !== name || (release.version !== version && version !== 'dev'))
    throw broken(`${file} is of ${release.name}@${release.version}`);
  return { ...release, version };
}

function outlineOf(dir: string): z.infer<typeof brokenReleaseSchema> {
  try {
    return readJson(path.join(dir, 'release.json'), brokenReleaseSchema);
  } catch {
    return { routes: [], nav: [] };
  }
}

/** The part of a release set that browsers need. @param integrity false in development, where files change in place */
export function setTable(set: ReleaseSet, integrity: boolean): SetTable {
  const table: SetTable = {
    set: set.id,
    entries: {},
    routes: [],
    slots: {},
    errorCss: set.shell.errorCss.map(shellUrl),
    integrity: {},
  };
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
      const hydrate =
        route.hydrate || set.releases.some((other) => other.release.slots.some((slot) => slot.hydrate && slots.includes(slot.name)));
      const data = route.loader || slots.length > 0;
      table.routes.push({
        mfe,
        id,
        path,
        data,
        storable: route.cache !== 'none',
        slots,
        hydrate,
        files: files(route.files),
      } satisfies TableRoute);
    }
    for (const slot of release.slots) table.slots[slot.name] = { mfe, files: files(slot.files) };
    if (integrity)
      for (const [file, hash] of Object.entries(release.files)) if (/^client\/.*\.(js|css)$/.test(file)) table.integrity[url(file)] = hash;
  }
  if (integrity) for (const file of set.shell.errorCss) table.integrity[shellUrl(file)] = set.shell.files[file] as string;
  table.routes.sort((a, b) => compareSpecificity(a.path, b.path));
  return table;
}

/** The public URL of a client file of a release. */
export function mfeUrl(release: { name: string; version: string }, file: string): string {
  return `/_mfe/${release.name}/${release.version}/${file.replace(/^client\//, '')}`;
}

/** The public URL of a client file of the shell. */
export function shellUrl(file: string): string {
  return `/_mfe/shell/${file}`;
}

function refuseConflicts(releases: Release[]): void {
  const all = releases.flatMap((release) => release.routes.map((route) => ({ release, path: route.path })));
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) {
      if (!conflicts(a.path, b.path)) continue;
      const what = a.path === b.path ? a.path : `${a.path} (${b.path})`;
      throw new ReleaseBroken(b.release.name, b.release.version, `${a.release.name} and ${b.release.name} both claim ${what}`);
    }
  }
}

/** @throws SetRejected that says what is wrong with the file */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  if (!existsSync(file)) throw new SetRejected(`${file} is missing`);
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new SetRejected(`${file}: ${error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message}`, { cause: error });
  }
}
