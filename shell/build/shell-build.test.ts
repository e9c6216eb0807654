/** The shell, built as for production. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import { afterAll, expect, test } from 'vitest';
import { shellConfig } from '../rspack.config.ts';
import { releaseDir, type ShellBuild, shellUrl } from '../src/server/release-set.ts';
import { installShellFiles } from '../src/server/supervisor/install-shell.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const dirs: string[] = [];
afterAll(() => dirs.forEach((dir) => void rmSync(dir, { recursive: true, force: true })));

async function build(change: (configs: Configuration[]) => void = () => {}): Promise<string> {
  const dir = mkdtempSync(path.join(tmpdir(), 'colonnade-shell-'));
  dirs.push(dir);
  const configs = shellConfig(dir);
  change(configs);
  const compiler = rspack(configs);
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString({ all: false, errors: true })));
      else compiler.close(() => resolve());
    });
  });
  return dir;
}

test('the folder that it was built in is no part of it: the same sources are the same shell anywhere', async () => {
  const dir = await build();
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const { parentPath, name } of files)
    expect(readFileSync(path.join(parentPath, name), 'latin1').includes(repository), name).toBe(false);
});

/** With a line more in one file of a side. */
const longer = (side: 0 | 1, file: RegExp) => (configs: Configuration[]) => {
  configs[side]?.plugins?.push(new rspack.BannerPlugin({ banner: 'globalThis.more = true;', raw: true, include: file }));
};
const shellOf = (dir: string): ShellBuild => JSON.parse(readFileSync(path.join(dir, 'shell.json'), 'utf8'));

test('browsers have React and the fonts still after a change of the shell: an address is made of the file alone', async () => {
  const dir = await build();
  const before = shellOf(dir);
  const ofServer = shellOf(await build(longer(1, /worker/)));
  expect(ofServer.hash).not.toBe(before.hash);
  expect(ofServer.files).toEqual(before.files);

  const newDir = await build(longer(0, /main\.js$/));
  const ofClient = shellOf(newDir);
  expect(ofClient.hash).not.toBe(before.hash);
  const gone = Object.keys(before.files).filter((file) => !(file in ofClient.files));
  expect(gone.map((file) => path.basename(file))).toEqual(['main.js', 'main.js.br', 'main.js.gz']);

  // Those of the older shell are served still, for documents that are older.
  const dataDir = path.join(dir, 'data');
  installShellFiles(dataDir, dir, before);
  installShellFiles(dataDir, newDir, ofClient);
  for (const file of Object.keys({ ...before.files, ...ofClient.files })) {
    const [, , name, version, ...rest] = shellUrl(file).split('/');
    expect(existsSync(path.join(releaseDir(dataDir, name as string, version as string), 'client', ...rest)), file).toBe(true);
  }
});
