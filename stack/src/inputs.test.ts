import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inputsHash } from './inputs.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'colonnade-inputs-'));
  write('src/mfe.ts', 'a');
  write('package.json', '{}');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), text);
}
const hash = () => inputsHash({ name: 'mfe-x', dir, kind: 'mfe' });

test('changes with each content, name and new file, and comes back with them', () => {
  const first = hash();
  expect(first).toMatch(/^[0-9a-f]{8}$/);
  expect(hash()).toBe(first);
  write('src/mfe.ts', 'b');
  const edited = hash();
  write('src/mfe.ts', 'a');
  expect(hash()).toBe(first);
  renameSync(path.join(dir, 'src/mfe.ts'), path.join(dir, 'src/other.ts'));
  const renamed = hash();
  renameSync(path.join(dir, 'src/other.ts'), path.join(dir, 'src/mfe.ts'));
  write('src/new.css', '');
  expect(new Set([first, edited, renamed, hash()]).size).toBe(4);
});

test('what a build, a test or a command makes is no input', () => {
  const first = hash();
  const made = ['dist/release.json', 'dist-dev/x.js', 'node_modules/.cache/x', '.data/keys/team.pem'];
  for (const file of [...made, 'src/mfe.test.ts', 'src/form.test.tsx']) write(file, 'x');
  expect(hash()).toBe(first);
});
