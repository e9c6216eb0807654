/** A microfrontend's folder under a watching build, as `pnpm dev` tells of it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { root } from '../parts.ts';
import { watchBuild } from './watch-builds.ts';

vi.setConfig({ testTimeout: 60_000 });
const seen = { timeout: 20_000 };

let dir: string;
let told: string[];
let stops: (() => Promise<unknown>)[];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'colonnade-watch-'));
  told = [];
  stops = [];
  const like = path.join(root, 'mfe-inquiry');
  symlinkSync(path.join(like, 'node_modules'), path.join(dir, 'node_modules'));
  write('package.json', JSON.stringify({ name: 'mfe-careers', version: '1.0.0', type: 'module' }));
  write('rspack.config.ts', `import { mfeConfig } from '@colonnade/mfe/build'; export default mfeConfig({ dir: import.meta.dirname });`);
});
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  rmSync(dir, { recursive: true, force: true });
});

function write(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), content);
}
const mfe = (before = '') => `${before}\nexport default { contract: 1, routes: [], slots: [], nav: [] };\n`;
const watched = () => watchBuild({ name: 'mfe-careers', dir, kind: 'mfe' }, { logDir: dir, tell: (line) => told.push(line), stops });
const log = () => readFileSync(path.join(dir, 'build-mfe-careers.log'), 'utf8');

it('tells of a save that does not compile, and of the one that does again', async () => {
  write('src/mfe.ts', mfe());
  await watched();
  expect(told).toEqual([]);
  write('src/mfe.ts', mfe('const = 1;'));
  await expect
    .poll(() => told, seen)
    .toEqual([expect.stringMatching(/^mfe-careers does not build; see \S+:\n\n +ERROR in \.\/src\/mfe\.ts/)]);
  expect(told[0]).toContain('Unexpected token `=`');
  // Both sides say it; it is told once.
  expect(told[0]?.match(/ERROR in/g)).toHaveLength(1);
  expect(log().match(/ERROR in/g)?.length).toBeGreaterThan(1);
  write('src/mfe.ts', mfe());
  await expect.poll(() => told.slice(1), seen).toEqual(['mfe-careers builds again']);
  write('src/mfe.ts', mfe(`throw new Error('${'long'.repeat(200)}');`));
  await expect.poll(() => told.slice(2), seen).toEqual([expect.stringContaining('Error: longlong')]);
  for (const line of (told[2] ?? '').split('\n')) expect(line.length).toBeLessThan(250);
});

it('waits at the start for a save that builds, and says so', async () => {
  write('src/mfe.ts', mfe('const = 1;'));
  let ended = false;
  const start = watched().finally(() => (ended = true));
  await expect.poll(() => told, seen).toHaveLength(1);
  expect(told[0]).toMatch(
    /^mfe-careers does not build; see [\s\S]+Unexpected token `=`[\s\S]+\n\nThe site waits for a save that builds, and starts then\.\n$/,
  );
  write('src/mfe.ts', mfe(`import './gone.ts';`));
  await expect.poll(() => told.at(-1), seen).toContain('gone.ts');
  expect(ended).toBe(false);
  write('src/gone.ts', '');
  await start;
  expect(told.at(-1)).toBe('mfe-careers builds again');
});

it('ends the start at once where no save would be seen, with the cause', async () => {
  write('src/mfe.ts', mfe());
  write('rspack.config.ts', `throw new Error('no such setting');`);
  await expect(watched()).rejects.toMatchObject({ name: 'BuildFailed', message: expect.stringContaining('no such setting') });
});

it('tells of what does not compile, not of what follows from it', async () => {
  write('src/mfe.ts', mfe(`import * as server from './one.server.ts'; console.log({ ...server });`));
  write('src/one.server.ts', 'export const one = 1;');
  await watched();
  write('src/one.server.ts', 'export const = 1;');
  await expect.poll(() => told, seen).toEqual([expect.stringContaining('ERROR in ./src/one.server.ts')]);
  expect(told[0]?.match(/ERROR in/g)).toHaveLength(1);
});

it('starts where only a page does not compile, and tells of it', async () => {
  const route = `{ id: 'one', path: '/one', load: () => import(/* webpackChunkName: "one" */ './one.ts') }`;
  write('src/mfe.ts', mfe().replace('routes: []', `routes: [${route}]`));
  write('src/one.ts', 'export default = 1;');
  await watched();
  expect(told).toEqual([expect.stringContaining('ERROR in ./src/one.ts')]);
});
