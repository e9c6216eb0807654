import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import pkg from '../package.json' with { type: 'json' };
import * as exported from './index.ts';

/**
 * What each version added. A microfrontend that was built with a version is refused by a shell that has an older one: an export
 * under a version that was without it would be missing when the page is rendered instead.
 */
const added: Record<string, string[]> = {
  '1.0.0': [
    ...['Form', 'Link', 'Slot', 'useFormState', 'useLoaderData', 'usePage', 'useSite'],
    ...['forbidden', 'invalid', 'notFound', 'redirect', 'unauthorized', 'unavailable'],
  ],
  '1.1.0': ['KeptField', 'useFormTaken', 'gone', 'moved'],
  '1.2.0': ['BelowFold'],
};

test('the package’s version is that of its newest export', () => {
  const what = 'an export is new, or gone: give package.json another version, and list the export with it here';
  expect(Object.keys(exported).sort(), what).toEqual(Object.values(added).flat().sort());
  const [major, minor] = pkg.version.split('.');
  expect(`${major}.${minor}.0`).toBe(Object.keys(added).at(-1));
});

/** The style files that teams import, and their classes. Microfrontends bring them along, so shells need not have the same. */
const styles: Record<string, string[]> = {
  'drawing.module.css': ['art', 'art-a', 'art-c', 'art-f', 'art-s', 'art-t', 'caption'],
  'prose.module.css': ['prose'],
  'section.module.css': ['section'],
};

test('the style files and their classes are those that teams were told of', () => {
  const dir = path.join(import.meta.dirname, '../styles');
  const classesOf = (file: string) => {
    const css = readFileSync(path.join(dir, file), 'utf8').replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, '');
    return [...new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name))].sort();
  };
  const what = 'one is new, or gone: list it here, and say in docs/releasing.md what takes the place of one that is gone';
  expect(Object.fromEntries(readdirSync(dir).map((file) => [file, classesOf(file)])), what).toEqual(styles);
});
