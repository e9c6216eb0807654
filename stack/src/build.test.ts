import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BuildFailed, build } from './build.ts';
import type { Buildable } from './parts.ts';

let part: Buildable;
beforeEach(() => {
  part = { name: 'mfe-x', kind: 'mfe', dir: mkdtempSync(path.join(tmpdir(), 'colonnade-build-')) };
  write('package.json', '{"version":"1.2.0"}');
  write('src/mfe.ts', 'a');
  writeCompiler('mkdir -p dist && echo "{\\"version\\":\\"$MFE_VERSION\\"}" > dist/release.json');
});
afterEach(() => rmSync(part.dir, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(part.dir, file)), { recursive: true });
  writeFileSync(path.join(part.dir, file), text);
}
function writeCompiler(script: string): void {
  write('node_modules/.bin/rspack', `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(part.dir, 'node_modules/.bin/rspack'), 0o755);
}
/** Whether the compiler ran. */
async function isBuilt(): Promise<boolean> {
  const told: string[] = [];
  const { version } = await build(part, (line) => told.push(line));
  expect(JSON.parse(readFileSync(path.join(part.dir, 'dist/release.json'), 'utf8'))).toEqual({ version });
  return told.length > 0;
}

test('builds once, and anew when a source has changed', async () => {
  expect([await isBuilt(), await isBuilt()]).toEqual([true, false]);
  write('src/mfe.ts', 'b');
  expect([await isBuilt(), await isBuilt()]).toEqual([true, false]);
});

test('builds anew where its team has built a version of its own from the same sources', async () => {
  await isBuilt();
  write('dist/release.json', '{"version":"1.2.0"}');
  expect([await isBuilt(), await isBuilt()]).toEqual([true, false]);
});

test('says what the compiler says, and does not take what it left for built', async () => {
  writeCompiler('mkdir -p dist && echo "{}" > dist/release.json; echo "mfe.ts: unexpected end" >&2; exit 1');
  await expect(isBuilt()).rejects.toThrow(BuildFailed);
  await expect(isBuilt()).rejects.toThrow('mfe.ts: unexpected end');
});
