/** What is live, as people decide and look at it, against a real registry with shells that say what a test wants. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { build } from '../../../services/registry/fixtures/release.ts';
import { type Opinion, type Shell, startShell } from '../../../services/registry/fixtures/shell.ts';
import { startCuttingProxy } from '../fixtures/cutting-proxy.ts';
import { type Environment, type RegistryProcess, runTool, startRegistry, temporaryFolder, writeMfe } from '../fixtures/tool.ts';
import { RegistryClient } from '../src/client.ts';
import { readPreviewToken } from '../src/preview-token.ts';

// Each command is a process of its own, and a busy machine needs its time for a dozen of them.
vi.setConfig({ testTimeout: 60_000 });
const { dir, remove } = temporaryFolder();
const previewKey = 'a preview key of at least 32 characters';
let registry: RegistryProcess;
let env: Environment;
let shell: Shell;
let opinion: Opinion = { ok: true };
const run = (args: string, cwd = dir, more: Environment = {}) => runTool(args.split(' '), cwd, { ...env, ...more });

beforeAll(async () => {
  const rootKey = /ROOT_KEY=(\S+)/.exec((await run('keys root')).out)?.[1] ?? '';
  registry = await startRegistry({ adminUri: inject('mongodbAdminUri'), name: 'release_activate_test', rootKey });
  env = { REGISTRY_URL: registry.origin, COLONNADE_TOKEN: registry.token };
  const key = /--key (\S+)/.exec((await run('keys team --mfes *')).out)?.[1];
  await run(`keyring add --team All --mfes * --key ${key}`);
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    expect(await run('publish', writeMfe(dir, build('mfe-news', version)))).toMatchObject({ code: 0, err: '' });
  }
  shell = await startShell(registry.origin, 'shell-1', () => opinion);
  // Some ten processes are started.
}, 120_000);
beforeEach(() => {
  opinion = { ok: true };
});
afterAll(async () => {
  await shell?.close();
  await registry?.close();
  remove();
});

it('puts a release live after a trial, and goes back', async () => {
  expect((await run('status')).out).toBe('Nothing is live yet.\n\n');
  const { code, out, err } = await run('activate mfe-news@1.0.0');
  expect([code, out, err]).toEqual([0, expect.stringMatching(/^on trial by 1 shell …\nmfe-news@1\.0\.0 is live after \d+ ms\n$/), '']);
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.0.0' });
  await run('activate mfe-news@1.1.0');
  // In its folder the microfrontend needs no name.
  expect(await run('rollback')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/mfe-news is back at 1\.0\.0 after \d+ ms \(was 1\.1\.0\)\n$/),
  });
  const { out: told } = await run('status mfe-news');
  expect(told).toMatch(/^live +version +since \(UTC\) +by\n[─ ]+\nmfe-news +1\.0\.0 +\d{4}-\d\d-\d\d \d\d:\d\d +Olga\n\nhistory/);
  expect(told).toMatch(
    /mfe-news@1\.0\.0 +rollback +1\.1\.0 +Olga\n[^\n]*mfe-news@1\.1\.0 +activate +1\.0\.0 +Olga\n[^\n]*mfe-news@1\.0\.0 +activate +Olga\n$/,
  );
});

it('goes no further back where the guard was faster, unless it is told from where', async () => {
  for (const version of ['1.1.0', '1.2.0']) await run(`activate mfe-news@${version}`);
  const [bad, good] = await new RegistryClient(registry.origin).history('mfe-news');
  await shell.count([
    { of: good?.id, pages: 900, errors: 1 },
    { of: bad?.id, pages: 80, errors: 40 },
  ]);
  await expect.poll(() => shell.last().live, { timeout: 10_000 }).toEqual({ 'mfe-news': '1.1.0' });
  expect(await run('rollback')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The guard has taken mfe-news from 1\.2\.0 back to 1\.1\.0 at .*\nTo go back further: pnpm mfe rollback mfe-news --from 1\.1\.0\n$/,
    ),
  });
  expect(await run('rollback --from 1.2.0')).toMatchObject({
    code: 1,
    err: 'Live is mfe-news@1.1.0, not mfe-news@1.2.0: somebody was faster. Nothing has changed.\n',
  });
  expect(shell.last().live).toEqual({ 'mfe-news': '1.1.0' });
  expect(await run('rollback --from 1.1.0')).toMatchObject({ code: 0, out: expect.stringContaining('mfe-news is back at 1.0.0') });
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.0.0' });
});

it('tells why a shell has refused, and that nothing has changed', async () => {
  opinion = { ok: false, reason: 'route page: /mfe-news answers 500' };
  expect(await run('activate mfe-news@1.2.0')).toMatchObject({
    code: 1,
    err: 'mfe-news@1.2.0 was refused, and nothing has changed:\n  shell-1: route page: /mfe-news answers 500\n',
  });
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.0.0' });
  expect(await run('activate mfe-news@9.9.9')).toMatchObject({
    code: 1,
    err: 'mfe-news@9.9.9 was never published. See: pnpm mfe list mfe-news\n',
  });
  expect(await run('activate mfe-news@1.0.0')).toMatchObject({ code: 1, err: 'mfe-news@1.0.0 is live already.\n' });
});

it('runs a canary: others are told, it is withdrawn or promoted', async () => {
  // Without a name: what this folder was built as.
  expect(await run('activate --percent 10')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/mfe-news@1\.2\.0 is a canary for 10 % of the visitors, after \d+ ms\./),
  });
  expect((await run('status')).out).toMatch(/\ncanary: mfe-news@1\.2\.0 for 10 %, by Olga, since /);
  expect((await run('list mfe-news')).out).toMatch(/\n1\.2\.0 .*canary, 10 %\n1\.1\.0 .*kB\n1\.0\.0 .*live\n$/);
  expect(await run('activate mfe-news@1.1.0')).toMatchObject({
    code: 1,
    err: expect.stringContaining('mfe-news@1.2.0 is a canary, by Olga'),
  });
  expect(await run('withdraw --reason slow')).toMatchObject({ code: 0, out: expect.stringContaining('mfe-news@1.2.0 is withdrawn') });
  await expect.poll(() => shell.last()).toMatchObject({ canary: null, live: { 'mfe-news': '1.0.0' } });
  await run('activate mfe-news@1.2.0 --percent 50');
  expect(await run('promote')).toMatchObject({ code: 0, out: expect.stringContaining('mfe-news@1.2.0 is live for everybody') });
  await expect.poll(() => shell.last()).toMatchObject({ canary: null, live: { 'mfe-news': '1.2.0' } });
  expect(await run('promote')).toMatchObject({ code: 1, err: 'No canary is running.\n' });
});

it('takes nothing that an older build has left for what this folder is', async () => {
  const other = temporaryFolder();
  const stale = writeMfe(other.dir, build('mfe-news', '1.1.0'));
  const says = (version: string) => writeFileSync(path.join(stale, 'package.json'), JSON.stringify({ name: 'mfe-news', version }));
  says('1.5.0');
  for (const command of ['activate', 'preview'])
    expect(await run(command, stale)).toMatchObject({
      code: 1,
      err: 'dist is 1.1.0, package.json says 1.5.0: publish first, or name the release\n',
    });
  await expect.poll(() => shell.last().live).toEqual({ 'mfe-news': '1.2.0' });
  // Controls: what the build was told to be, in place of that; and a build of `pnpm start`.
  const more = { PREVIEW_KEY: previewKey, MFE_VERSION: '1.1.0' };
  expect(await run('preview', stale, more)).toMatchObject({ code: 0, out: expect.stringContaining('mfe-news@1.1.0') });
  writeMfe(stale, build('mfe-news', '1.5.0-b1'));
  says('1.5.0');
  expect(await run('activate', stale)).toMatchObject({ code: 1, err: expect.stringContaining('mfe-news@1.5.0-b1 was never published') });
  other.remove();
});

it('waits on where the line is cut during a trial, and asks for nothing twice', async () => {
  opinion = 'silent';
  const line = await startCuttingProxy(registry.port, (what, nth) => what.startsWith('GET /activations') && nth === 1);
  const outcome = run('activate mfe-news@1.1.0', dir, { REGISTRY_URL: line.origin });
  await expect.poll(() => line.came.filter((what) => what.startsWith('GET')), { timeout: 20_000 }).toHaveLength(2);
  await expect.poll(() => shell.last().candidate).toMatchObject({ version: '1.1.0' });
  await shell.report(shell.last().candidate?.id ?? '', true);
  expect(await outcome).toMatchObject({ code: 0, out: expect.stringContaining('mfe-news@1.1.0 is live after') });
  expect(line.came.filter((what) => what.startsWith('POST'))).toEqual(['POST /activations']);
  await line.close();
  // Cut before an answer to the command itself, it says that it does not know.
  const cut = await startCuttingProxy(registry.port, (what) => what.startsWith('POST'));
  const unknown = await run('rollback', dir, { REGISTRY_URL: cut.origin });
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('Whether anything was changed is not known') });
  expect(cut.came.filter((what) => what.startsWith('POST'))).toEqual(['POST /rollbacks']);
  await cut.close();
  opinion = { ok: true };
  await run('activate mfe-news@1.2.0');
});

it('takes a microfrontend off the site', async () => {
  expect(await run('deactivate mfe-news')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/mfe-news is off the site after \d+ ms \(was 1\.2\.0\)/),
  });
  await expect.poll(() => shell.last().live).toEqual({});
  expect(await run('deactivate mfe-news')).toMatchObject({ code: 1, err: 'mfe-news is not live.\n' });
  expect(await run('rollback')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/mfe-news is back at 1\.2\.0 after \d+ ms \(was off the site\)\n$/),
  });
});

it('makes a preview link for a release that exists, with a token that expires', async () => {
  const more = { PREVIEW_KEY: previewKey, SITE_ORIGIN: 'https://www.example' };
  const { code, out } = await run('preview mfe-news@1.1.0 --to /news?page=2 --hours 2', dir, more);
  const link = new URL(out.split('\n')[0] ?? '');
  expect([code, link.origin, link.pathname]).toEqual([0, 'https://www.example', '/_preview/mfe-news@1.1.0']);
  expect(out).toContain('live site again: https://www.example/_preview/end');
  expect(link.searchParams.get('to')).toBe('/news?page=2');
  const read = readPreviewToken(link.searchParams.get('token') ?? '', previewKey, new Date());
  expect(read).toMatchObject({ release: 'mfe-news@1.1.0' });
  const hoursLeft = typeof read === 'object' ? (read.expiresAt.getTime() - Date.now()) / 3_600_000 : 0;
  expect(hoursLeft).toBeGreaterThan(1.9);
  expect(hoursLeft).toBeLessThanOrEqual(2);
  expect(await run('preview mfe-news@1.1.1', dir, more)).toMatchObject({ code: 1, err: expect.stringContaining('was never published') });
  expect(await run('preview mfe-news@1.1.0')).toMatchObject({ code: 1, err: expect.stringContaining('Set PREVIEW_KEY') });
  expect(await run('preview mfe-news@1.1.0', dir, { PREVIEW_KEY: 'short' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('PREVIEW_KEY: '),
  });
  expect(await run('preview mfe-news@1.1.0 --to //evil.example', dir, more)).toMatchObject({ code: 2 });
});

it('shows who did what, and where an entry was changed', async () => {
  const { code, out } = await run('audit');
  expect(code).toBe(0);
  expect(out).toMatch(/ operator +Olga +\S*activat\S* /);
  expect(out).toMatch(/ key +All +publish +name=mfe-news version=1\.0\.0 /);
  const audit = registry.db.collection<{ _id: number; hash: string }>('audit');
  await audit.updateOne({ _id: 3 }, { $set: { hash: createHash('sha256').update('other').digest('hex') } });
  expect(await run('audit')).toMatchObject({ code: 1, err: expect.stringContaining('Entry 3 does not fit the one before') });
});

it('says in plain words what is wrong, with an exit code', async () => {
  expect(await run('status', dir, { REGISTRY_URL: 'http://127.0.0.1:9' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not answer'),
  });
  expect(await run('status', dir, { REGISTRY_URL: 'registry' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('REGISTRY_URL: must be'),
  });
  const wrong = [
    'frobnicate',
    'constructor',
    'activate mfe-news',
    'activate a@1 b@2',
    'activate mfe-news@1.0.0 --percent 100',
    'rollback mfe-news@1',
    'rollback mfe-news --from a/b',
    'list a b',
    'keys',
    'keyring',
    'status --frob',
  ];
  expect(await Promise.all(wrong.map(async (each) => (await run(each)).code))).toEqual(wrong.map(() => 2));
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('pnpm mfe rollback') });
});

it('flags what is live and was signed by a key that is trusted no longer', async () => {
  await run('activate mfe-news@1.0.0');
  expect((await run('status')).out).toMatch(/^mfe-news +1\.0\.0 +\d/m);
  const keyId = /[0-9a-f]{16}/.exec((await run('keyring show')).out)?.[0];
  await run(`keyring revoke ${keyId}`);
  expect((await run('status')).out).toMatch(/^mfe-news +1\.0\.0, key revoked +\d/m);
});
