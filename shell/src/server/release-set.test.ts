import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@colonnade/mfe/release';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readReleaseSet, SetRejected, setTable } from './release-set.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'colonnade-set-'));
  write('shell/shell.json', { hash: 'h1', entry: 'main.js', js: ['main.js'], css: [], errorCss: [], fonts: [], files: {} });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(file: string, value: unknown): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), typeof value === 'string' ? value : JSON.stringify(value));
}

function release(name: string, paths: string[], o: Partial<Release> = {}): void {
  const value: Release = {
    release: 1,
    contract: 1,
    container: 'v1',
    name,
    version: '1.0.0',
    shared: {},
    client: { entry: 'client/remote.js', expose: { js: ['client/mfe.js'], css: ['client/mfe.css'] } },
    server: { entry: 'server/remote.cjs' },
    routes: paths.map((at, i) => ({
      id: `route-${i}`,
      path: at,
      slots: [],
      cache: 'none' as const,
      query: [],
      loader: false,
      action: false,
      trial: false,
      hydrate: true,
      files: { js: [`client/route-${i}.js`], css: [] },
    })),
    slots: [],
    nav: [],
    files: { 'client/remote.js': 'sha384-a', 'client/mfe.css': 'sha384-b', 'client/a.js.br': 'sha384-c', 'server/remote.cjs': 'sha384-d' },
    ...o,
  };
  write(`releases/${name}/1.0.0/release.json`, value);
}
let liveMfes: Record<string, string> = {};
const live = (mfes: Record<string, string>) => {
  liveMfes = mfes;
};
const read = () => readReleaseSet(dir, path.join(dir, 'shell'), liveMfes);

test('the id is the same for the same shell and releases, and another for any other', () => {
  release('mfe-a', ['/a']);
  release('mfe-b', ['/b']);
  live({ 'mfe-a': '1.0.0', 'mfe-b': '1.0.0' });
  const { id } = read();
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  live({ 'mfe-b': '1.0.0', 'mfe-a': '1.0.0' });
  expect(read().id).toBe(id);

  const ids = new Set([id]);
  live({ 'mfe-a': '1.0.0' });
  ids.add(read().id);
  release('mfe-a', ['/a', '/a/b']);
  ids.add(read().id);
  write('shell/shell.json', { hash: 'h2', entry: 'main.js', js: ['main.js'], css: [], errorCss: [], fonts: [], files: {} });
  ids.add(read().id);
  expect(ids.size).toBe(4);
});

test('two microfrontends that claim one path are refused by name, whatever their parameters are called', () => {
  release('mfe-a', ['/x', '/x/:one']);
  release('mfe-b', ['/y']);
  live({ 'mfe-a': '1.0.0', 'mfe-b': '1.0.0' });
  expect(read().releases).toHaveLength(2);
  release('mfe-b', ['/x']);
  expect(read).toThrow('mfe-a and mfe-b both claim /x');
  release('mfe-b', ['/x/:two']);
  expect(read).toThrow('mfe-a and mfe-b both claim /x/:one (/x/:two)');
});

test('a release that is missing, torn, of another contract, name or version is refused with its file', () => {
  release('mfe-a', ['/a']);
  for (const [mistake, says] of [
    [() => live({ 'mfe-a': '2.0.0' }), /2\.0\.0\/release\.json is missing/],
    [() => write('releases/mfe-a/1.0.0/release.json', '{"release":1,'), /1\.0\.0\/release\.json: /],
    [() => release('mfe-a', ['/a'], { contract: 2 as 1 }), /release\.json: [\s\S]*contract/],
    [() => release('mfe-a', ['/a'], { version: '1.0.1' }), /is of mfe-a@1\.0\.1/],
    [() => release('mfe-a', ['/a'], { name: 'mfe-b' }), /is of mfe-b@1\.0\.0/],
    [() => release('mfe-a', ['a']), /release\.json: /],
  ] as const) {
    live({ 'mfe-a': '1.0.0' });
    mistake();
    expect(read).toThrow(SetRejected);
    expect(read).toThrow(says);
    release('mfe-a', ['/a']);
  }
  live({ 'mfe-a': '1.0.0' });
  expect(read().releases[0]?.release.name).toBe('mfe-a');
});

test('the table has URLs, the most specific route first, and the integrity of what a browser loads', () => {
  release('mfe-a', ['/:page', '/a'], {
    slots: [{ name: 'mfe-a/latest', loader: true, hydrate: true, files: { js: ['client/slot.js'], css: [] } }],
  });
  live({ 'mfe-a': '1.0.0' });
  const table = setTable(read(), true);
  expect(table.routes.map((route) => route.path)).toEqual(['/a', '/:page']);
  expect(table.routes[0]?.files).toEqual({
    js: ['/_mfe/mfe-a/1.0.0/mfe.js', '/_mfe/mfe-a/1.0.0/route-1.js'],
    css: ['/_mfe/mfe-a/1.0.0/mfe.css'],
  });
  expect(table.entries).toEqual({ 'mfe-a': '/_mfe/mfe-a/1.0.0/remote.js' });
  expect(table.slots['mfe-a/latest']?.mfe).toBe('mfe-a');
  expect(table.integrity).toEqual({ '/_mfe/mfe-a/1.0.0/remote.js': 'sha384-a', '/_mfe/mfe-a/1.0.0/mfe.css': 'sha384-b' });
  expect(setTable(read(), false).integrity).toEqual({});
});

test('a set without a broken release is another set, has as much of the release as can be read, and lets the others go live', () => {
  release('mfe-a', ['/a']);
  release('mfe-b', ['/b', '/b/:id'], { nav: [{ label: 'B', path: '/b' }], shared: { react: 1 as never } });
  live({ 'mfe-a': '1.0.0', 'mfe-b': '1.0.0' });
  expect(read).toThrow(expect.objectContaining({ name: 'ReleaseBroken', mfe: 'mfe-b', version: '1.0.0' }));
  const set = readReleaseSet(dir, path.join(dir, 'shell'), liveMfes, ['mfe-b@1.0.0']);
  expect(set.releases.map(({ release }) => release.name)).toEqual(['mfe-a']);
  expect(set.broken).toEqual([
    { name: 'mfe-b', version: '1.0.0', routes: [{ path: '/b' }, { path: '/b/:id' }], nav: [{ label: 'B', path: '/b' }] },
  ]);
  write('releases/mfe-b/1.0.0/release.json', 'torn');
  expect(readReleaseSet(dir, path.join(dir, 'shell'), liveMfes, ['mfe-b@1.0.0'])).toMatchObject({
    id: set.id,
    broken: [{ name: 'mfe-b', routes: [], nav: [] }],
  });
  live({ 'mfe-a': '1.0.0' });
  expect(read().id).not.toBe(set.id);
});

test('a set of which no page is known is none: each of them would be a 404', () => {
  release('mfe-a', ['/a']);
  live({ 'mfe-a': '1.0.0' });
  const without = () => readReleaseSet(dir, path.join(dir, 'shell'), liveMfes, ['mfe-a@1.0.0']);
  expect(without().broken).toHaveLength(1);
  write('releases/mfe-a/1.0.0/release.json', 'torn');
  expect(without).toThrow(SetRejected);
  live({});
  expect(read().releases).toEqual([]);
});
