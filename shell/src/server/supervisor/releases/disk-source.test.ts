import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DiskSource } from './disk-source.ts';

let dataDir: string;
let source: DiskSource;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-disk-'));
  source = new DiskSource({ dataDir, shellDir: dataDir, dev: false });
});
afterEach(() => {
  source.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const write = (text: string) => writeFileSync(path.join(dataDir, 'release-set.json'), text);

test('what is live is in a file, which is refused where it is missing or torn', () => {
  expect(() => source.wanted()).toThrow(/release-set\.json is missing/);
  write('torn');
  expect(() => source.wanted()).toThrow(/release-set\.json: /);
  write('{"mfes":{"mfe-a":"dev"}}');
  expect(source.wanted()).toEqual({ live: { mfes: { 'mfe-a': 'dev' }, activation: null }, candidate: null, canary: null });
});

test('a change of the file is noticed', async () => {
  const changed = vi.fn();
  await source.follow(changed);
  write('{"mfes":{}}');
  await expect.poll(() => changed).toHaveBeenCalledTimes(1);
});
