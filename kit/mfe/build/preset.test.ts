/** A microfrontend built by the preset, into a folder of its own. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rspack } from '@rspack/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Mfe } from '../src/contract.ts';
import type { Release } from '../src/release.ts';
import { mfeConfig } from './preset.ts';

const kit = path.resolve(import.meta.dirname, '..');
/** One black pixel. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'colonnade-preset-'));
  write('package.json', '{"name":"mfe-x","version":"1.2.0","type":"module"}');
  for (const name of ['react', 'react-dom']) link(path.join(kit, 'node_modules', name), name);
  link(kit, '@colonnade/mfe');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(file: string, content: string | Buffer): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), content);
}
function link(from: string, name: string): void {
  const to = path.join(dir, 'node_modules', name);
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to);
}

/** A microfrontend without pages whose entries in the navigation are what an expression says. */
function writeMfe(imports: string, nav: string): void {
  write('src/mfe.ts', `${imports}\nexport default { contract: 1, routes: [], slots: [], nav: ${nav} };\n`);
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

async function build(): Promise<Release> {
  const compiler = rspack(mfeConfig({ dir, dev: false }));
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString({ all: false, errors: true, colors: false })));
      else compiler.close(() => resolve());
    });
  });
  return JSON.parse(readFileSync(path.join(dir, 'dist/release.json'), 'utf8'));
}

interface Container {
  init(scope: object): unknown;
  get(module: string): Promise<() => { default: Mfe }>;
}

/** What the microfrontend says where a side's container is loaded. */
async function loaded(container: Container): Promise<string[]> {
  await container.init({});
  return (await container.get('./mfe'))().default.nav.map(({ path }) => path);
}

test('an image has one address, in styles, in a browser and in what the server renders', async () => {
  write('src/a.png', png);
  write('src/b/a.webp', 'other bytes');
  write('src/style.css', '.hero { background: url(./a.png); }');
  writeMfe(
    `import './style.css'; import imported from './a.png'; const named = new URL('./b/a.webp', import.meta.url).href;`,
    `[{ label: 'imported', path: imported }, { label: 'named', path: named }]`,
  );
  const release = await build();
  const images = Object.keys(release.files).filter((file) => /\.(png|webp)$/.test(file));
  expect(images).toHaveLength(2);
  for (const file of images) expect(file).toMatch(/^client\/[0-9a-f]{16}\./);
  const address = (type: string) => images.find((file) => file.endsWith(type))?.replace('client/', '/_mfe/mfe-x/1.2.0/') ?? '';
  const addresses = [address('.png'), address('.webp')];
  expect(release.nav.map(({ path }) => path)).toEqual(addresses);
  expect(await loaded(createRequire(import.meta.url)(path.join(dir, 'dist', release.server.entry)))).toEqual(addresses);
  expect(await loaded(await import(/* @vite-ignore */ path.join(dir, 'dist', release.client.entry)))).toEqual(addresses);
  const [css = ''] = release.client.expose.css;
  expect(readFileSync(path.join(dir, 'dist', css), 'utf8')).toContain(`url(${address('.png')})`);
  expect(readFileSync(path.join(dir, 'dist', images.find((file) => file.endsWith('.png')) ?? ''))).toEqual(png);
});

test('a brochure has an address too; a file of a type that no shell serves is refused', async () => {
  write('src/a.PDF', '%PDF-1.7');
  write('src/b.docx', 'PK');
  writeMfe(`import imported from './a.PDF'; const named = new URL('./a.PDF', import.meta.url).href;`, `[{ label: named, path: imported }]`);
  const [{ label, path: at } = { label: '', path: '' }] = (await build()).nav;
  expect(at).toMatch(/^\/_mfe\/mfe-x\/1\.2\.0\/[0-9a-f]{16}\.PDF$/);
  expect(label).toBe(at);
  writeMfe(`const named = new URL('./b.docx', import.meta.url).href;`, `[{ label: 'b', path: named }]`);
  await expect(build()).rejects.toThrow(/mfe-x: client\/[0-9a-f]{16}\.docx would be found by nobody: the shell serves no \.docx/);
});

test('in development such a file is refused until the code names it no more; the build watches on', async () => {
  write('src/b.docx', 'PK');
  writeMfe('', `[{ label: 'b', path: new URL('./b.docx', import.meta.url).href }]`);
  let said: string | undefined;
  const watching = rspack(mfeConfig({ dir, dev: true })).watch({ aggregateTimeout: 50 }, (error, stats) => {
    said = error?.message ?? stats?.toString({ all: false, errors: true, colors: false });
  });
  try {
    await expect.poll(() => said, { timeout: 10_000 }).toContain('the shell serves no .docx');
    writeMfe('', '[]');
    await expect.poll(() => said, { timeout: 10_000 }).toBe('');
    expect(JSON.parse(readFileSync(path.join(dir, 'dist-dev/release.json'), 'utf8')).nav).toEqual([]);
  } finally {
    await new Promise<void>((resolve) => watching.close(() => resolve()));
  }
});

test('the folder that it was built in is no part of a release, whatever its modules ask of it', async () => {
  write('src/a.png', png);
  write(
    'src/own.server.ts',
    `import { createRequire } from 'node:module'; export const own = createRequire(import.meta.url).resolve('./remote.cjs').split('/').at(-1);`,
  );
  writeMfe(
    `import * as server from './own.server.ts'; import image from './a.png'; const again = new URL('./a.png', import.meta.url).href;`,
    `[...Object.values({ ...server }), import.meta.url.slice(0, 5)].map((label) => ({ label, path: image + again }))`,
  );
  expect((await build()).nav.map(({ label }) => label)).toEqual(['remote.cjs', 'file:']);
  for (const file of filesOf(path.join(dir, 'dist'))) expect(readFileSync(file, 'latin1'), file).not.toContain(dir);
});

test('a release asks for the minor versions that it was built with, and for no patch of them', async () => {
  rmSync(path.join(dir, 'node_modules/react'));
  write('node_modules/react/package.json', JSON.stringify({ name: 'react', version: '19.7.5' }));
  write('node_modules/react/index.js', `exports.version = '19.7.5';`);
  for (const name of ['jsx-runtime', 'jsx-dev-runtime']) write(`node_modules/react/${name}.js`, '');
  writeMfe('', '[]');
  const { shared } = await build();
  expect(shared).toMatchObject({ react: '^19.7.0', 'react/jsx-runtime': '^19.7.0' });
  expect(shared['@colonnade/mfe']).toMatch(/^\^1\.\d+\.0$/);
});

test('what a page’s code imports later is named with the page, apart from its own scripts, and its styles come with it; what no page imports is refused', async () => {
  const page = (id: string) => `{ id: '${id}', path: '/${id}', load: () => import(/* webpackChunkName: "${id}" */ './${id}.ts') }`;
  const writePages = (first = page('first')) =>
    write('src/mfe.ts', `export default { contract: 1, routes: [${first}, ${page('second')}], slots: [], nav: [] };`);
  write('src/first.ts', `import './first.css'; export default () => import('./later.ts');`);
  write('src/second.ts', 'export default () => 2;');
  write(
    'src/later.ts',
    `import './later.css'; export const last = () => import('./last.ts'); export const again = () => import(/* webpackChunkName: "first" */ './first.ts');`,
  );
  write('src/last.ts', `import './last.css'; console.log('last');`);
  for (const name of ['first', 'later', 'last']) write(`src/${name}.css`, `.${name}-sheet { color: red; }`);
  writePages();
  const { routes, client, files } = await build();
  const [first, second] = routes.map((route) => route.files);
  expect([first?.js.length, first?.later?.length, first?.css.length]).toEqual([1, 2, 3]);
  expect(readFileSync(path.join(dir, 'dist', first?.later?.at(-1) ?? ''), 'utf8')).toContain('last');
  expect(second).toEqual({ js: [expect.any(String)], css: [] });
  expect(client.expose).toEqual({ js: [], css: [] });
  expect(first?.css.map((file) => readFileSync(path.join(dir, 'dist', file), 'utf8').match(/\.(\w+)-sheet/)?.[1])).toEqual([
    'first',
    'later',
    'last',
  ]);
  const scripts = Object.keys(files).filter((file) => /^client\/.*\.js$/.test(file));
  expect(scripts.sort()).toEqual([client.entry, ...(first?.js ?? []), ...(first?.later ?? []), ...(second?.js ?? [])].sort());

  writePages(page('first').replace('() => import', "async () => await import('./last.ts') && import"));
  write('src/later.ts', '');
  await expect(build()).rejects.toThrow(/mfe-x: client\/\S+\.(js|css) belongs to no route and no slot/);
});

test('a slot of another microfrontend is refused by its name', async () => {
  const slot = `{ name: 'mfe-news/open', load: () => import(/* webpackChunkName: "slot-open" */ './open.ts') }`;
  write('src/mfe.ts', `export default { contract: 1, routes: [], slots: [${slot}], nav: [] };`);
  write('src/open.ts', 'export default () => null;');
  await expect(build()).rejects.toThrow('mfe-x: slot mfe-news/open must be named mfe-x/…');
});

test('where only the browsers’ side does not compile, nothing else is said', async () => {
  writeMfe(`import { readFileSync } from 'node:fs';`, `[{ label: 'X', path: typeof readFileSync }]`);
  const message = await build().then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message.match(/ERROR in [^\n]*/g)).toEqual(['ERROR in node:fs']);
});

test('what two teams have of this kit’s styles goes by names of their own', async () => {
  const styles = ['drawing', 'prose', 'section'];
  writeMfe(
    styles.map((name) => `import ${name} from '@colonnade/mfe/styles/${name}.module.css';`).join('\n'),
    `[${styles}].flatMap((names) => Object.values(names)).map((path) => ({ label: 'X', path }))`,
  );
  const own = async (name: string) => {
    write('package.json', JSON.stringify({ name, version: '1.2.0', type: 'module' }));
    const { nav, client } = await build();
    const classes = nav.map(({ path }) => path.replace(/ section$/, ''));
    const css = client.expose.css.map((file) => readFileSync(path.join(dir, 'dist', file), 'utf8')).join('');
    const named = [...css.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name as string);
    // These are the shell's, and the sign of a section.
    expect(new Set(named.filter((name) => !classes.includes(name)))).toEqual(new Set(['grid', 'head', 'section', 'c1-3']));
    return classes;
  };
  const [mine, theirs] = [await own('mfe-x'), await own('mfe-y')];
  expect(mine).toHaveLength(theirs.length);
  expect(mine.filter((name) => theirs.includes(name))).toEqual([]);
});

test('what a module prints while it is loaded is no part of its description', async () => {
  writeMfe(`console.log('{"nav":'); console.error('hello');`, `[{ label: 'X', path: '/x' }]`);
  expect((await build()).nav).toEqual([{ label: 'X', path: '/x' }]);
});
