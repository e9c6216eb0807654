import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import contentLoader from './loader.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'content-loader-'));
  // A schema as the loader sees it: anything with `safeParse`.
  const parse = `(value) => value.title ? { success: true, data: value } : { success: false, error: { issues: [{ code: 'custom', path: ['title'], message: 'write a title' }] } }`;
  await writeFile(path.join(folder, 'schema.mjs'), `export default { page: { safeParse: ${parse} } };`);
});
afterAll(() => rm(folder, { recursive: true }));

const load = (text: string, file = 'page.md', resourceQuery = '') =>
  new Promise<{ code: string; dependencies: string[] }>((resolve, reject) => {
    const dependencies: string[] = [];
    const context = {
      getOptions: () => ({ schema: path.join(folder, 'schema.mjs') }),
      async: () => (error: Error | null, code?: string) => (error ? reject(error) : resolve({ code: code ?? '', dependencies })),
      addDependency: (dependency: string) => dependencies.push(dependency),
      rootContext: folder,
      resourcePath: path.join(folder, 'content', file),
      resourceQuery,
    };
    contentLoader.call(context, text);
  });

test('gives front matter and body, and is built anew when the schema changes', async () => {
  const { code, dependencies } = await load('---\ntitle: Company\n---\nWe *measure*.\n');
  expect(JSON.parse(code.replace('export default ', ''))).toEqual({
    title: 'Company',
    body: [{ tag: 'p', children: ['We ', { tag: 'em', children: ['measure'] }, '.'] }],
  });
  expect(dependencies).toEqual([path.join(folder, 'schema.mjs')]);
});

test('gives only the fields that are asked for', async () => {
  expect((await load('---\ntitle: Company\n---\nText\n', 'page.md', '?only=title')).code).toBe('export default {"title":"Company"}');
});

test('tells a mistake with the file as its owner sees it, and the line', async () => {
  await expect(load('---\ntext: a\ntitle:\n---\n')).rejects.toThrow(`${path.basename(folder)}/content/page.md:3: title: write a title`);
});

test('takes a link or a picture that would not be shown as one for a mistake', async () => {
  const file = `${path.basename(folder)}/content/page.md`;
  await expect(load('---\ntitle: a\n---\n[b](/c)\n[d](e)\n\n![f](https://g.example/h.png)\n')).rejects.toThrow(
    `${file}:5: the link to "e" is shown as plain text\n${file}:7: the picture "https://g.example/h.png" is not shown as one`,
  );
});

test('tells that a content file has no schema', async () => {
  await expect(load('---\n---\n', 'other.md')).rejects.toThrow('has no schema for other.md');
});
