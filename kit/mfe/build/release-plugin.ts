import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { ChunkGroup, Compilation, Compiler } from '@rspack/core';
import type { ChunkFiles, PartFiles, Release } from '../src/release.ts';
import { filesInBrowser, releaseSchema, servedTypes } from '../src/release.ts';
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
  #chunks: Map<string, PartFiles> = new Map();
  #all: ChunkFiles = { js: [], css: [] };
  #assets: string[] = [];
  #entry = '';

  constructor(options: ReleasePluginOptions) {
    this.#options = options;
  }

  client() {
    return {
      apply: (compiler: Compiler) => {
        compiler.hooks.afterEmit.tap('Release', (compilation) => {
          this.#chunks = clientChunks(compilation);
          this.#all = filesOf(compilation.chunkGroups);
          this.#assets = compilation.getAssets().map(({ name }) => name);
          const entry = this.#chunks.get(this.#options.name.replaceAll('-', '_'))?.js.at(-1);
          if (!entry) throw new Error(`${this.#options.name}: the client build has no container`);
          this.#entry = entry;
        });
      },
    };
  }

  server() {
    return {
      apply: (compiler: Compiler) => {
        compiler.hooks.afterEmit.tapPromise('Release', async (compilation) => {
          // The browsers' side was not emitted, and has said why.
          if (this.#chunks.size === 0) return;
          // What does not compile cannot be described either.
          const compiles = compilation.errors.length === 0;
          await this.#write().catch((error: Error) => {
            // Thrown from here it would end the watching of a development build, too.
            if (compiles) compilation.errors.push(error);
          });
        });
      },
    };
  }

  async #write(): Promise<void> {
    const { name, version, dir, outDir, shared, container } = this.#options;
    const entry = 'server/remote.cjs';
    const described = await describe(dir, path.join(outDir, entry));
    for (const slot of described.slots)
      if (!slot.name.startsWith(`${name}/`)) throw new Error(`${name}: slot ${slot.name} must be named ${name}/…`);
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
    refuseUnnamed(release, this.#all);
    refuseUnserved(name, this.#assets);
    writeJson(path.join(outDir, 'release.json'), release);
  }

  #files(chunk: string): PartFiles {
    const files = this.#chunks.get(chunk);
    if (!files) throw new Error(`${this.#options.name}: no chunk is named ${chunk}; its load() needs /* webpackChunkName: "${chunk}" */`);
    return files;
  }
}

/** @throws where a browser would come to a file that no page names: it would run unchecked, and styles would not come at all */
function refuseUnnamed(release: Release, all: ChunkFiles): void {
  const named = filesInBrowser(release);
  const unnamed = [...all.js, ...all.css].find((file) => !named.includes(file));
  if (unnamed)
    throw new Error(`${release.name}: ${unnamed} belongs to no route and no slot; import() it in a component's module, or in a .server.ts`);
}

/** @param assets of the client's build: in development its folder has files of builds before, too */
function refuseUnserved(name: string, assets: string[]): void {
  for (const file of assets) {
    const ending = path.extname(file.replace(/\.(br|gz)$/, '')).toLowerCase();
    if (!Object.hasOwn(servedTypes, ending)) {
      const served = Object.keys(servedTypes).join(' ');
      throw new Error(
        `${name}: client/${file} would be found by nobody: the shell serves no ${ending || 'file without an ending'}, only ${served}`,
      );
    }
  }
}

/**
 * Runs the built server container in a process of its own: code that only just compiled gets no hold on the build. What it
 * prints goes where the build's output goes, and into the error where it cannot be loaded.
 */
async function describe(dir: string, entry: string): Promise<Description> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'describe.ts'), dir, entry], {
    stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  const outputs = Promise.all([child.stdio[3], child.stderr].map((output) => text(output as Readable)));
  const [[json = '', complaints = ''], [code, signal]] = await Promise.all([outputs, once(child, 'close')]);
  if (code !== 0) throw new Error(`${entry} cannot be loaded: it ended with ${signal ?? code}\n${complaints.trim()}`);
  process.stderr.write(complaints);
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

/**
 * Files by the name of a chunk group. With a page or slot goes what its code imports later: nobody else would bring the styles of
 * that, and a browser checks no file that was not named to it before.
 */
function clientChunks(compilation: Compilation): Map<string, PartFiles> {
  const files = (name: string, group: ChunkGroup) => (group.isInitial() || name === 'mfe' ? filesOf([group]) : partFiles(group));
  return new Map([...compilation.namedChunkGroups].map(([name, group]) => [name, files(name, group)]));
}

function partFiles(group: ChunkGroup): PartFiles {
  const { js } = filesOf([group]);
  const all = filesOf([...withLater(group)]);
  const later = all.js.filter((file) => !js.includes(file));
  return { js, css: all.css, ...(later.length > 0 && { later }) };
}

function withLater(group: ChunkGroup, known = new Set<ChunkGroup>()): Set<ChunkGroup> {
  if (known.has(group)) return known;
  known.add(group);
  for (const later of group.childrenIterable) withLater(later, known);
  return known;
}

function filesOf(groups: readonly ChunkGroup[]): ChunkFiles {
  const files = [...new Set(groups.flatMap((group) => group.getFiles()))]
    .filter((file) => !file.includes('hot-update'))
    .map((file) => `client/${file}`);
  return { js: files.filter((file) => file.endsWith('.js')), css: files.filter((file) => file.endsWith('.css')) };
}

function hashes(outDir: string): Record<string, string> {
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('release.json') && !entry.name.includes('hot-update'))
    .map((entry) => path.relative(outDir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
  return Object.fromEntries(files.map((file) => [file, integrityOf(path.join(outDir, file))]));
}
