import { globSync } from 'node:fs';
import path from 'node:path';

/** The repository's root. */
export const root = path.resolve(import.meta.dirname, '../..');

/** A part that Rspack builds. */
export interface Buildable {
  name: string;
  /** Its folder. */
  dir: string;
  kind: 'mfe' | 'shell';
}

/** What a microfrontend's build has left, ready to be published. */
export interface BuiltRelease {
  name: string;
  version: string;
  /** Holds `release.json`. */
  dir: string;
}

/** The shell, and every folder `mfe-*` with an Rspack configuration: there is no list of microfrontends anywhere. */
export function buildables(): Buildable[] {
  const mfes = globSync('mfe-*/rspack.config.ts', { cwd: root }).sort();
  return [
    { name: 'shell', dir: path.join(root, 'shell'), kind: 'shell' },
    ...mfes.map((file) => ({ name: path.dirname(file), dir: path.join(root, path.dirname(file)), kind: 'mfe' as const })),
  ];
}
