/** A fourth team's folder outside of this repository, with packed kits. How it goes live: e2e/releases/fourth-team.test.ts. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTool, temporaryFolder } from '../fixtures/tool.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const { dir, remove } = temporaryFolder();
const mfe = path.join(dir, 'mfe-careers');
const packedTool = path.join(mfe, 'node_modules/@colonnade/release/cli/main.js');
const run = promisify(execFile);

beforeAll(async () => {
  const made = await runTool(['create', 'careers', '--dir', mfe], repository, {});
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('a microfrontend with one page, /careers') });
  install(mfe);
}, 60_000);
afterAll(remove);

const packageOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** What `pnpm install` does, without a network: the kits from their tarballs, the rest from this repository. */
function install(folder: string): void {
  const modules = path.join(folder, 'node_modules');
  const place = (from: string, name: string) => {
    const to = path.join(modules, name);
    mkdirSync(path.dirname(to), { recursive: true });
    if (!existsSync(to)) symlinkSync(path.join(from, 'node_modules', name), to);
  };
  for (const file of readdirSync(path.join(folder, 'vendor'))) {
    const to = path.join(modules, '@colonnade', file.split('-')[1] as string);
    mkdirSync(to, { recursive: true });
    execFileSync('tar', ['-xzf', path.join(folder, 'vendor', file), '-C', to, '--strip-components=1']);
    const kit = path.join(repository, 'kit', path.basename(to));
    for (const name of Object.keys(packageOf(to).dependencies)) if (!name.startsWith('@colonnade/')) place(kit, name);
  }
  for (const name of ['react', 'react-dom']) place(path.join(repository, 'kit/mfe'), name);
  for (const name of ['@types/node', '@types/react', '@types/react-dom', 'typescript', 'vitest']) place(repository, name);
  place(path.join(repository, 'mfe-news'), '@rspack/cli');
}

it('builds, checks its types and passes its test', async () => {
  const node = (script: string, ...args: string[]) =>
    run(process.execPath, [path.join(mfe, 'node_modules', script), ...args], { cwd: mfe });
  await node('@rspack/cli/bin/rspack.js', 'build');
  await node('typescript/bin/tsc', '--noEmit');
  expect((await node('vitest/vitest.mjs', 'run')).stdout).toContain('1 passed');
  const release = JSON.parse(readFileSync(path.join(mfe, 'dist/release.json'), 'utf8'));
  expect(release).toMatchObject({ name: 'mfe-careers', version: '1.0.0', nav: [{ label: 'Careers', path: '/careers' }] });
  expect(release.routes).toMatchObject([{ id: 'careers', path: '/careers', loader: true }]);
}, 60_000);

it('needs kits in JavaScript: as they lie in this repository they would not run there', async () => {
  const other = path.join(dir, 'unpacked');
  for (const kit of ['mfe', 'release']) {
    const to = path.join(other, 'node_modules/@colonnade', kit);
    cpSync(path.join(repository, 'kit', kit), to, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
  }
  const control = await runTool(['--help'], other, {}, path.join(other, 'node_modules/@colonnade/release/cli/main.ts'));
  expect(control).toMatchObject({ code: 1, err: expect.stringContaining('ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING') });
  expect((await runTool(['--help'], mfe, {}, packedTool)).code).toBe(0);
});

it('makes another from a folder that has packed kits, and never writes over what is there', async () => {
  const events = path.join(dir, 'mfe-events');
  expect(await runTool(['create', 'mfe-events'], mfe, {}, packedTool)).toMatchObject({ code: 0 });
  expect(readdirSync(path.join(events, 'vendor'))).toEqual(readdirSync(path.join(mfe, 'vendor')));
  expect(readFileSync(path.join(events, 'src/mfe.ts'), 'utf8')).toContain("path: '/events'");
  writeFileSync(path.join(events, 'src/mfe.ts'), 'changed');
  expect(await runTool(['create', 'events'], mfe, {}, packedTool)).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
  expect(readFileSync(path.join(events, 'src/mfe.ts'), 'utf8')).toBe('changed');
  const inside = ['create', 'careers', '--dir', path.join(repository, 'mfe-careers')];
  expect(await runTool(inside, repository, {})).toMatchObject({ code: 1, err: expect.stringContaining('Choose a folder outside') });
  const taken = path.join(dir, 'taken');
  expect(await runTool(['create', 'news', '--dir', taken], repository, {})).toMatchObject({
    code: 1,
    err: 'mfe-news is a microfrontend of this repository already. Choose another word.\n',
  });
  expect(existsSync(taken)).toBe(false);
  for (const wrong of ['Careers', 'two-words', '../up', '1st', 'api', 'healthz', 'mfe-remote'])
    expect((await runTool(['create', wrong], mfe, {}, packedTool)).code, wrong).toBe(2);
});

it('checks its types whatever it is called: as a type of the kit, as a global one', async () => {
  const names = ['context', 'data', 'promise', 'request'];
  const named = path.join(dir, 'named');
  for (const name of names)
    expect(await runTool(['create', name, '--dir', path.join(named, name)], mfe, {}, packedTool)).toMatchObject({ code: 0 });
  symlinkSync(path.join(mfe, 'node_modules'), path.join(named, 'node_modules'));
  const include = names.map((name) => `${name}/src`);
  writeFileSync(path.join(named, 'tsconfig.json'), JSON.stringify({ extends: './context/tsconfig.json', include }));
  const { stdout } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '--listFiles'], { cwd: named }).catch(
    (error) => error,
  );
  expect(stdout).not.toContain('error TS');
  for (const name of names) expect(stdout).toContain(`${name}/src/routes/${name}.test.tsx`);
}, 60_000);

it('is made of the versions that this repository has', () => {
  const { dependencies, devDependencies, optionalDependencies } = packageOf(mfe);
  const own = [packageOf(repository), packageOf(path.join(repository, 'mfe-news'))];
  const known = Object.assign({}, ...own.flatMap((each) => [each.dependencies, each.devDependencies, each.optionalDependencies]));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    if (!name.startsWith('@colonnade/')) expect(known[name], name).toBe(version);
});
