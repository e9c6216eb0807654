import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetLostReleases, wereReleased } from './release.ts';

const releases = [{ name: 'mfe-x', version: '1.0.0', dir: 'dist' }];
let dataDir: string;
const lastGood = () => existsSync(path.join(dataDir, 'shell/last-good.json'));
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-forget-'));
  mkdirSync(path.join(dataDir, 'shell'));
  writeFileSync(path.join(dataDir, 'shell/last-good.json'), '{}');
  writeFileSync(path.join(dataDir, 'released.json'), '{"mfe-x":"1.0.0"}');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('what was released is remembered as long as the database is there', () => {
  mkdirSync(path.join(dataDir, 'mongo'));
  expect(forgetLostReleases(dataDir)).toBe(false);
  expect([wereReleased(releases, dataDir), lastGood()]).toEqual([true, true]);
});

test('without the database it is forgotten by the shell as well, once', () => {
  expect(forgetLostReleases(dataDir)).toBe(true);
  expect([wereReleased(releases, dataDir), lastGood()]).toEqual([false, false]);
  expect(forgetLostReleases(dataDir)).toBe(false);
});
