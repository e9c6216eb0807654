import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { writeJson } from '@colonnade/mfe/build/files';
import type { Buildable } from './parts.ts';

/** Where the release of a microfrontend lies in the data directory. */
const placeOf = (dataDir: string, name: string, version: string) => path.join(dataDir, 'releases', name, version);

/** Copies a finished build to where releases lie. A release that is there already is not touched: releases do not change. */
export function installRelease(dataDir: string, part: Buildable, version: string): void {
  const to = placeOf(dataDir, part.name, version);
  if (existsSync(to)) return;
  const partial = `${to}.partial-${process.pid}`;
  cpSync(path.join(part.dir, 'dist'), partial, { recursive: true });
  renameSync(partial, to);
}

/** Development: the release `dev` of a microfrontend is its build folder, which changes in place. */
export function linkRelease(dataDir: string, part: Buildable): void {
  const to = placeOf(dataDir, part.name, 'dev');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(path.join(part.dir, 'dist-dev'), to);
}

/** Says which release of each microfrontend is live; the shell follows this file. */
export function writeReleaseSet(dataDir: string, mfes: Record<string, string>): void {
  mkdirSync(dataDir, { recursive: true });
  writeJson(path.join(dataDir, 'release-set.json'), { mfes });
}
