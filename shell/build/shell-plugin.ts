import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { integrityOf, writeJson } from '@colonnade/mfe/build/files';
import type { ChunkFiles } from '@colonnade/mfe/release';
import type { Compilation, Compiler } from '@rspack/core';
import type { ShellBuild } from '../src/server/release-set.ts';

/** Writes `shell.json` when both sides are built: the build's hash, and what every document loads. */
export class ShellPlugin {
  readonly #outDir: string;
  readonly #dev: boolean;
  #main: ChunkFiles = { js: [], css: [] };
  #errorCss: string[] = [];

  constructor({ outDir, dev }: { outDir: string; dev: boolean }) {
    this.#outDir = outDir;
    this.#dev = dev;
  }

  client() {
    return {
      apply: (compiler: Compiler) => {
        compiler.hooks.afterEmit.tap('Shell', (compilation) => {
          this.#main = entryFiles(compilation, 'main');
          this.#errorCss = entryFiles(compilation, 'error').css;
        });
      },
    };
  }

  server() {
    return { apply: (compiler: Compiler) => compiler.hooks.afterEmit.tap('Shell', () => this.#write()) };
  }

  #write(): void {
    const files = Object.fromEntries(
      globSync('*/*', { cwd: path.join(this.#outDir, 'client') })
        .sort()
        .map((file) => [file, integrityOf(path.join(this.#outDir, 'client', file))]),
    );
    const server = createHash('sha256').update(JSON.stringify(files));
    for (const file of ['worker.mjs', 'watchdog.mjs']) server.update(readFileSync(path.join(this.#outDir, 'server', file)));
    const hash = server.digest('hex').slice(0, 10);
    const { js, css } = this.#main;
    // Preloaded by every document; the extended character sets come when a page has such a character.
    const fonts = Object.keys(files).filter((file) => file.endsWith('.woff2') && !file.includes('-ext.'));
    const shell: ShellBuild = {
      hash: this.#dev ? `dev-${hash}` : hash,
      entry: js.at(-1) ?? '',
      js,
      css,
      errorCss: this.#errorCss,
      fonts,
      files,
    };
    writeJson(path.join(this.#outDir, 'shell.json'), shell);
  }
}

function entryFiles(compilation: Compilation, entry: string): ChunkFiles {
  const assets = compilation.getStats().toJson({ all: false, entrypoints: true }).entrypoints?.[entry]?.assets ?? [];
  const files = assets.map(({ name }) => name);
  return { js: files.filter((file) => file.endsWith('.js')), css: files.filter((file) => file.endsWith('.css')) };
}
