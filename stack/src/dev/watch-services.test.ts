import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../parts.ts';
import { restartsOn } from './watch-services.ts';

/** What each process begins with. */
const begins: Record<string, string[]> = {
  news: ['services/news/src/main.ts'],
  inquiry: ['services/inquiry/src/main.ts'],
  gateway: ['gateway/src/main.ts', 'gateway/src/worker.ts'],
  shell: ['shell/src/server/main.ts'],
};
const importPattern = /^(?:import|export)\s(?!type\s)(?:([^;'"]*?)\sfrom\s)?'([^']+)'/gm;

/** The TypeScript of ours that Node runs for a file. Names of types only are not imported then. */
function imported(file: string, found = new Set<string>()): Set<string> {
  found.add(path.relative(root, file));
  for (const [, names = '', from = ''] of readFileSync(file, 'utf8').matchAll(importPattern)) {
    const typesOnly =
      names.startsWith('{') &&
      names
        .replace(/[{}]/g, '')
        .split(',')
        .every((name) => /^\s*(type\s|$)/.test(name));
    if (typesOnly || !/^\.|^@colonnade\//.test(from)) continue;
    const target = createRequire(file).resolve(from);
    if (target.endsWith('.ts') && !found.has(path.relative(root, target))) imported(target, found);
  }
  return found;
}

it.each(Object.keys(begins))('every source that %s runs without a build restarts it', (name) => {
  const found = new Set<string>();
  for (const file of begins[name] ?? []) imported(path.join(root, file), found);
  expect(found.size).toBeGreaterThan(20);
  expect([...found].filter((file) => !restartsOn(name, file))).toEqual([]);
});
