import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Compilation, Compiler } from '@rspack/core';
import type { ChunkFiles, Release } from '../src/release.ts';
import { releaseSchema } from '../src/release.ts';
import type { Description } from './describe.ts';
import { integrityOf, writeJson } from './files.ts';

export interface ReleasePluginOptions {
  name: string;
  version: string;
  /** The microfrontend's folder. */
  dir: string;
  outDir: string;
  shared: Record<string, string>;
  container: Release['container'];
}

/** Writes `release.json` when both sides are built: chunk names from the client's build, the rest from the code itself. */
export class ReleasePlugin {
  readonly #options: ReleasePluginOptions;
  #chunks: Map<string, ChunkFiles> = new Map();
  #entry = '';

  constructor(options: ReleasePluginOptions) {
    this.#options = options;
  }

  client() {
    return {
      apply: (compiler: Compiler) => {
        compiler.hooks.afterEmit.tap('Release', (compilation) => {
          this.#chunks = clientChunks(compilation);
          const entry = this.#chunks.get(this.#options.name.replaceAll('-', '_'))?.js.at(-1);
          if (!entry) throw new Error(`${this.#options.name}: the client build has no container`);
          this.#entry = entry;
        });
      },
    };
  }

  server() {
    return { apply: (compiler: Compiler) => compiler.hooks.afterEmit.tapPromise('Release', () => this.#write()) };
  }

  async #write(): Promise<void> {
    const { name, version, dir, outDir, shared, container } = this.#options;
    const entry = 'server/remote.cjs';
    const described = await describe(dir, path.join(outDir, entry));
    const { js, css } = this.#files('mfe');
    const release: Release = releaseSchema.parse({
      release: 1,
      contract: described.contract,
      container,
      name,
      version,
      commit: await commitOf(dir),
      shared,
      client: { entry: this.#entry, expose: { js: js.filter((file) => file !== this.#entry), css } },
      server: { entry },
      routes: described.routes.map((route) => ({ ...route, files: this.#files(route.id) })),
      slots: described.slots.map((slot) => ({ ...slot, files: this.#files(`slot-${slot.name.slice(name.length + 1)}`) })),
      nav: described.nav,
      files: hashes(outDir),
    } satisfies Record<keyof Release, unknown>);
    for (const slot of release.slots)
      if (!slot.name.startsWith(`${name}/`)) throw new Error(`${name}: slot ${slot.name} must be named ${name}/…`);
    writeJson(path.join(outDir, 'release.json'), release);
  }

  #files(chunk: string): ChunkFiles {
    const files = this.#chunks.get(chunk);
    if (!files) throw new Error(`${this.#options.name}: no chunk is named ${chunk}; its load() needs /* webpackChunkName: "${chunk}" */`);
    return files;
  }
}

/**
 * Runs the built server container in a process of its own: code that only just compiled gets no hold on the build. What it
 * prints goes where the build's output goes.
 */
async function describe(dir: string, entry: string): Promise<Description> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'describe.ts'), dir, entry], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    timeout: 20_000,
  });
  const [json, [code, signal]] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'close')]);
  if (code !== 0) throw new Error(`${entry} cannot be loaded: it ended with ${signal ?? code}`);
  return JSON.parse(json) as Description;
}

/** Undefined outside of a git repository. */
async function commitOf(dir: string): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: dir, timeout: 5000 })).stdout.trim();
  } catch {
    return undefined;
  }
}

function clientChunks(compilation: Compilation): Map<string, ChunkFiles> {
  const stats = compilation.getStats().toJson({ all: false, chunkGroups: true, entrypoints: true });
  const split = (assets: { name: string }[]): ChunkFiles => {
    const files = assets.map((asset) => `client/${asset.name}`).filter((file) => !file.includes('hot-update'));
    return { js: files.filter((file) => file.endsWith('.js')), css: files.filter((file) => file.endsWith('.css')) };
  };
  const groups = { ...stats.namedChunkGroups, ...stats.entrypoints };
  return new Map(Object.entries(groups).map(([name, group]) => [name, split(group.assets ?? [])]));
}

function hashes(outDir: string): Record<string, string> {
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('release.json') && !entry.name.includes('hot-update'))
    .map((entry) => path.relative(outDir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
  return Object.fromEntries(files.map((file) => [file, integrityOf(path.join(outDir, file))]));
}
