/** Keys and publishing as people type it, against a real registry. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { build } from '../../../services/registry/fixtures/release.ts';
import { startCuttingProxy } from '../fixtures/cutting-proxy.ts';
import { type Environment, type RegistryProcess, runTool, startRegistry, temporaryFolder, writeMfe } from '../fixtures/tool.ts';

// Each command is a process of its own, and a busy machine needs its time for a dozen of them.
vi.setConfig({ testTimeout: 60_000 });
const { dir, remove } = temporaryFolder();
let registry: RegistryProcess;
let env: Environment;
const run = (args: string, cwd = dir, more: Environment = {}) => runTool(args.split(' '), cwd, { ...env, ...more });
const published = async (release: string) => (await fetch(`${registry.origin}/releases/${release.replace('@', '/')}`)).status === 200;
const folder = (name: string) => path.join(dir, name);

beforeAll(async () => {
  const { out } = await run('keys root');
  const rootKey = /ROOT_KEY=(\S+)/.exec(out)?.[1] ?? '';
  registry = await startRegistry({ adminUri: inject('mongodbAdminUri'), name: 'release_publish_test', rootKey });
  env = { REGISTRY_URL: registry.origin, COLONNADE_TOKEN: registry.token };
  // As the operator gets it from the team.
  const line = /pnpm mfe (keyring add .*)/.exec((await run('keys team --team News --mfes mfe-news,mfe-events')).out)?.[1] ?? '';
  expect(await run(line.replaceAll('"', ''))).toMatchObject({ code: 0, out: expect.stringContaining('may sign mfe-news, mfe-events') });
});
afterAll(async () => {
  await registry?.close();
  remove();
});

it('makes keys that nobody else may read, and never overwrites one', async () => {
  const file = path.join(dir, '.data/keys/root.pem');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  expect(await run('keys root')).toMatchObject({ code: 1, err: expect.stringContaining('a key is never overwritten') });
  expect(readFileSync(file)).toEqual(before);
  expect(readFileSync(path.join(dir, '.data/keys/root.pub.pem'), 'utf8')).toContain('BEGIN PUBLIC KEY');
});

it('builds, signs and publishes; the same again does nothing, and other content needs another version', async () => {
  const mfe = writeMfe(folder('mfe-news'), build('mfe-news', '1.0.0'), 'node build.mjs');
  rmSync(path.join(mfe, 'dist'), { recursive: true });
  const { files, bytes } = build('mfe-news', '1.0.0');
  const contents = Object.entries({ ...files, 'release.json': bytes }).map(([file, content]) => [file, content.toString()]);
  writeFileSync(
    path.join(mfe, 'build.mjs'),
    `import fs from 'node:fs';
    for (const dir of ['client', 'server']) fs.mkdirSync('dist/' + dir, { recursive: true });
    for (const [file, content] of ${JSON.stringify(contents)}) fs.writeFileSync('dist/' + file, content);`,
  );
  const first = await run('publish', mfe);
  expect(first).toMatchObject({ code: 0, err: '' });
  expect(first.out).toMatch(
    /^ {2}4 files, 0\.1 kB; 4 to send\n(?: {2}\d\/4 \S+ \d\.\d kB\n){4}mfe-news@1\.0\.0 published, signed by key [0-9a-f]{16}\n$/,
  );
  expect(await run('publish mfe-news')).toMatchObject({ code: 0, out: 'mfe-news@1.0.0 is published already, with the same content\n' });
  const other = build('mfe-news', '1.0.0', '/other');
  expect(await run('publish --no-build', writeMfe(folder('other'), other))).toMatchObject({
    code: 1,
    err: 'mfe-news@1.0.0 exists with other content, and a version never changes. Publish under a new version.\n',
  });
});

it('publishes no older build in place of a newer version', async () => {
  const mfe = writeMfe(folder('stale'), build('mfe-news', '1.0.4'));
  writeFileSync(path.join(mfe, 'package.json'), JSON.stringify({ name: 'mfe-news', version: '1.5.0' }));
  expect(await run('publish --no-build', mfe)).toMatchObject({
    code: 1,
    err: 'dist is 1.0.4, package.json says 1.5.0: publish without --no-build\n',
  });
  expect(await published('mfe-news@1.0.4')).toBe(false);
});

it('takes no word for a version that is none, before it builds', async () => {
  const mfe = writeMfe(folder('unversioned'), build('mfe-news', '1.0.5'));
  const versioned = (version: string) =>
    writeFileSync(path.join(mfe, 'package.json'), JSON.stringify({ name: 'mfe-news', version, scripts: { build: 'touch ran' } }));
  for (const version of ['1.2', 'v1.2.0', 'latest', '1.2.0 beta', '1.2.0+5', '01.2.0']) {
    versioned(version);
    expect(await run('publish', mfe)).toMatchObject({
      code: 1,
      err: `package.json: version "${version}" is none; write it as 1.2.0 or 1.2.0-rc.1\n`,
    });
  }
  expect(existsSync(path.join(mfe, 'ran'))).toBe(false);
  expect(await run('publish', mfe, { MFE_VERSION: 'v2' })).toMatchObject({ code: 1, err: expect.stringContaining('MFE_VERSION: version') });
  // Control: such as a pipeline makes.
  writeMfe(mfe, build('mfe-news', '1.0.5-rc.1'));
  expect(await run('publish', mfe)).toMatchObject({ code: 0, err: '' });
});

it('publishes nothing where the build fails, and shows what it said', async () => {
  const mfe = writeMfe(folder('broken'), build('mfe-news', '1.0.1'), 'echo a syntax error >&2; exit 3');
  const { code, err } = await run('publish', mfe);
  expect([code, err]).toEqual([1, expect.stringMatching(/a syntax error[\s\S]*Nothing was published\.\n$/)]);
  expect(await published('mfe-news@1.0.1')).toBe(false);
});

it('gives the build none of the secrets that it publishes with', async () => {
  const mfe = writeMfe(folder('curious'), build('mfe-news', '1.0.3'), 'env > seen.txt');
  const MFE_KEY = readFileSync(path.join(dir, '.data/keys/team.pem'), 'utf8').replaceAll('\n', '\\n');
  expect(await run('publish', mfe, { MFE_KEY, PREVIEW_KEY: 'p'.repeat(32), ROOT_KEY_FILE: 'root.pem' })).toMatchObject({ code: 0 });
  const seen = readFileSync(path.join(mfe, 'seen.txt'), 'utf8');
  expect(seen).not.toMatch(/^(?:MFE_KEY|COLONNADE_TOKEN|PREVIEW_KEY|ROOT_KEY_FILE)=|PRIVATE KEY|cst_/m);
  // Control: it is an environment.
  expect(seen).toContain(`REGISTRY_URL=${registry.origin}`);
});

it('refuses a changed byte and a missing file before anything is sent', async () => {
  const mfe = writeMfe(folder('changed'), build('mfe-news', '1.0.2'));
  const file = path.join(mfe, 'dist/client/page.js');
  writeFileSync(file, readFileSync(file, 'utf8').replace('page', 'pagE'));
  expect(await run('publish', mfe)).toMatchObject({ code: 1, err: expect.stringContaining('The bytes of client/page.js are not those') });
  rmSync(file);
  expect(await run('publish', mfe)).toMatchObject({
    code: 1,
    err: expect.stringContaining('client/page.js is in release.json, and cannot be'),
  });
  expect(await published('mfe-news@1.0.2')).toBe(false);
  // Control: with its file it is taken.
  expect((await run('publish', writeMfe(mfe, build('mfe-news', '1.0.2')))).code).toBe(0);
});

it('says what to do where the key is missing, of another team, or revoked', async () => {
  const other = temporaryFolder();
  const mfe = writeMfe(other.dir, build('mfe-events', '1.0.0'));
  expect(await run('publish', mfe)).toMatchObject({ code: 1, err: expect.stringContaining('Make one with: pnpm mfe keys team') });
  expect(await run('publish', mfe, { MFE_KEY: 'absent.pem' })).toMatchObject({ code: 1, err: 'MFE_KEY: absent.pem cannot be read.\n' });
  const { err } = await run('publish', mfe, { MFE_KEY: '-----BEGIN PRIVATE KEY-----secret' });
  expect(err).toBe('MFE_KEY must be an Ed25519 private key: PEM (PKCS 8).\n');
  expect(await run('keys team --out own.pem', mfe)).toMatchObject({ code: 0, out: expect.stringContaining('--mfes mfe-events --key') });
  expect((await run('keys team --out none.pem')).code).toBe(2);
  const made = await run('keys team --mfes mfe-other', mfe);
  expect(await run('publish', mfe)).toMatchObject({ code: 1, err: expect.stringMatching(/^No key [0-9a-f]{16} is in the keyring\./) });
  const line = /(keyring add .*)/.exec(made.out)?.[1]?.replace(/"[^"]*"/, 'Others') ?? '';
  await run(line);
  expect(await run('publish', mfe)).toMatchObject({ code: 1, err: expect.stringMatching(/may sign mfe-other, but not mfe-events\./) });
  await run(line.replace('mfe-other', 'mfe-events'));
  const id = /key ([0-9a-f]{16})/.exec(made.out)?.[1];
  expect(await run(`keyring revoke ${id}`)).toMatchObject({ code: 0, out: expect.stringContaining(`Key ${id} is revoked`) });
  expect((await run('keyring show')).out).toMatch(new RegExp(`${id} +Others +mfe-events +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\n`));
  expect(await run('publish', mfe)).toMatchObject({ code: 1, err: expect.stringContaining('revoked') });
  expect(await run(line)).toMatchObject({ code: 1, err: expect.stringContaining('was revoked, and stays so') });
  // Control: the same bytes by a key that is good; and as a secret of a pipeline.
  const pem = readFileSync(path.join(dir, '.data/keys/team.pem'), 'utf8').replaceAll('\n', '\\n');
  expect(await run('publish', mfe, { MFE_KEY: pem })).toMatchObject({ code: 0, err: '' });
  other.remove();
});

it('sends again what was cut, and only that', async () => {
  const mfe = writeMfe(folder('cut'), build('mfe-news', '1.2.0'));
  const line = await startCuttingProxy(registry.port, (what, nth) => nth === 1 && /^PUT server|^POST complete/.test(what));
  expect(await run('publish', mfe, { REGISTRY_URL: line.origin })).toMatchObject({
    code: 0,
    out: expect.stringContaining('mfe-news@1.2.0 published'),
  });
  // page.css is the same in each version: the registry has it. The first end has reached it, its answer was lost.
  expect(line.came.filter((what) => !what.includes('server')).toSorted()).toEqual(
    ['POST /releases', 'POST /releases', 'POST complete', 'POST complete', 'PUT client/page.js', 'PUT client/remote.js'].toSorted(),
  );
  expect(line.came.filter((what) => what === 'PUT server/remote.cjs')).toHaveLength(2);
  expect(await published('mfe-news@1.2.0')).toBe(true);
  await line.close();
});

it('gives up where it is cut each time; the next run sends what is missing', async () => {
  const mfe = writeMfe(folder('cut-again'), build('mfe-news', '1.3.0'));
  const line = await startCuttingProxy(registry.port, (what) => what.startsWith('PUT server'));
  expect(await run('publish', mfe, { REGISTRY_URL: line.origin })).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not answer'),
  });
  expect(await published('mfe-news@1.3.0')).toBe(false);
  await line.close();
  const { code, out } = await run('publish', mfe);
  expect([code, out]).toEqual([0, expect.stringContaining('; 1 to send\n')]);
});

it('takes no keyring by another root, and no command without a token', async () => {
  const other = temporaryFolder();
  await run('keys root', other.dir);
  const made = await run('keys team --mfes mfe-news', other.dir);
  const key = /--key (\S+)/.exec(made.out)?.[1];
  const add = `keyring add --team Mallory --mfes * --key ${key}`;
  expect(await run(add, other.dir)).toMatchObject({ code: 1, err: expect.stringContaining('is not signed by the root key') });
  expect(await run(add, dir, { COLONNADE_TOKEN: '' })).toMatchObject({ code: 1, err: expect.stringContaining('Set COLONNADE_TOKEN') });
  expect(await run(add, dir, { COLONNADE_TOKEN: 'cst_wrong' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not known, or was revoked'),
  });
  expect((await run('keyring show')).out).not.toContain('Mallory');
  expect(existsSync(path.join(other.dir, '.data/keys/team.pem'))).toBe(true);
  other.remove();
});
