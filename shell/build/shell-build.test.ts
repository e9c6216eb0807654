/** The shell, built as for production. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import { afterAll, expect, test } from 'vitest';
import { shellConfig } from '../rspack.config.ts';

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
