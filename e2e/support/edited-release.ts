import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@colonnade/mfe/release';

/** What is to be wrong with a release. */
export interface Edit {
  /** Changes the text of a file on the server; the manifest fits it again afterwards. */
  server?(file: string, text: string): string;
  manifest?(release: Release): void;
  /** Damages the release as it lies there, after its manifest was written. */
  damage?(dir: string): void;
}

/**
 * Makes a release with a fault out of a fixture's built one, with a name and a path of its own: `/{name}`.
 * @param from a fixture; its other routes lie below the first
 */
export function editedRelease(dataDir: string, name: string, { server, manifest, damage }: Edit, from = 'mfe-late'): void {
  const dir = path.join(dataDir, 'releases', name, '1.0.0');
  cpSync(path.join(import.meta.dirname, '../fixtures', from, 'dist'), dir, { recursive: true });
  const release = JSON.parse(readFileSync(path.join(dir, 'release.json'), 'utf8')) as Release;
  const old = release.routes[0]?.path ?? '';
  release.name = name;
  for (const file of readdirSync(path.join(dir, 'server'))) {
    const at = path.join(dir, 'server', file);
    const text = readFileSync(at, 'utf8').replaceAll(`path: '${old}`, `path: '/${name}`);
    writeFileSync(at, server?.(file, text) ?? text);
    release.files[`server/${file}`] = `sha384-${createHash('sha384').update(readFileSync(at)).digest('base64')}`;
  }
  for (const route of release.routes) route.path = route.path.replace(old, `/${name}`);
  manifest?.(release);
  writeFileSync(path.join(dir, 'release.json'), JSON.stringify(release, null, 2));
  damage?.(dir);
}
