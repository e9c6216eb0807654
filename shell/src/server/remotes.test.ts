import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@colonnade/mfe/release';
import { expect, onTestFinished, test } from 'vitest';
import { loadRemotes } from './remotes.ts';

/** A release whose code has these parts, and whose `release.json` says that it has those. */
function release(name: string, code: Parts, said: Parts): { release: Release; dir: string } {
  const dir = mkdtempSync(path.join(tmpdir(), 'colonnade-remote-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(path.join(dir, 'server'));
  const parts = (list: object[]) => list.map((part) => ({ ...part, load: 0 }));
  const mfe = JSON.stringify({ contract: 1, routes: parts(code.routes), slots: parts(code.slots), nav: [] });
  const loads = mfe.replaceAll('"load":0', '"load": async () => ({ default: () => null })');
  writeFileSync(path.join(dir, 'server/remote.cjs'), `module.exports = { init() {}, get: async () => () => ({ default: ${loads} }) };`);
  return { release: { name, version: '1.0.0', server: { entry: 'server/remote.cjs' }, ...said } as unknown as Release, dir };
}
interface Parts {
  routes: { id: string; path: string }[];
  slots: { name: string }[];
}
const page = { id: 'page', path: '/a' };
const latest = { name: 'mfe-a/latest' };
const load = (code: Parts, said: Parts) => loadRemotes([release('mfe-a', code, said)], true);

test('a release serves the routes and slots of its release.json, and has no others', async () => {
  const said = { routes: [page, { id: 'more', path: '/a/more' }], slots: [latest] };
  const others: Parts[] = [
    { ...said, routes: [...said.routes, { id: 'taken', path: '/b' }] },
    { ...said, routes: [page, { id: 'more', path: '/b' }] },
    { ...said, slots: [latest, { name: 'mfe-b/latest' }] },
    { ...said, routes: [page] },
  ];
  for (const code of others)
    await expect(load(code, said)).rejects.toThrow('mfe-a@1.0.0: its routes and slots are not those of its release.json');
  // Control: in whatever order.
  const { routes, slots } = await load({ ...said, routes: said.routes.toReversed() }, said);
  expect([routes.map(({ id }) => id), [...slots.keys()]]).toEqual([['more', 'page'], ['mfe-a/latest']]);
});
