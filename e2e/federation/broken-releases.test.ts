import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeReleaseSet } from '@colonnade/stack/release';
import { expect, test } from 'playwright/test';
import { type Edit, editedRelease } from '../support/edited-release.ts';
import { fixturePorts } from '../support/fixture-site.ts';
import { onlookers } from '../support/onlookers.ts';
import { type SecondShell, startSecondShell } from '../support/second-shell.ts';

const onLoad = (code: string): Edit => ({ server: (file, text) => (file === 'mfe.cjs' ? `${code}\n${text}` : text) });
const otherReact: Edit = { server: (_file, text) => text.replaceAll('^19.3.0', '^18.0.0') };

/** Everything for which a release cannot be used, and what the shell says of it. */
const broken: Record<string, { edit: Edit; from?: string; says: RegExp }> = {
  'broken-throws': { edit: onLoad("throw new Error('thrown on load');"), says: /thrown on load/ },
  'broken-loops': { edit: onLoad('for (;;) Math.random();'), says: /stuck while loading/ },
  'broken-waits': {
    edit: {
      server: (file, text) =>
        file === 'remote.cjs' ? text.replace('"./mfe": () => {', '"./mfe": async () => {\n await new Promise(() => {});') : text,
    },
    says: /not loaded within/,
  },
  'broken-exits': { edit: onLoad('process.exit(1);'), says: /process\.exit called by a release/ },
  'broken-expose': {
    edit: { server: (file, text) => (file === 'remote.cjs' ? text.replace('"./mfe": () => {', '"./other": () => {') : text) },
    says: /\.\/mfe/,
  },
  'broken-contract': { edit: { manifest: (release) => Object.assign(release, { contract: 2 }) }, says: /contract/ },
  'broken-taken': {
    edit: { server: (_file, text) => text.replaceAll("path: '/broken-taken'", "path: '/company'") },
    says: /routes and slots are not those of its release\.json/,
  },
  'broken-react': { edit: otherReact, says: /Unsatisfied version 19/ },
  'broken-react-enhanced': { edit: otherReact, from: 'mfe-probe-enhanced', says: /19\.3\.1/ },
  'broken-torn': {
    edit: { damage: (dir) => appendFileSync(path.join(dir, 'server/probe.cjs'), ' ') },
    says: /server\/probe\.cjs is not the file that was built/,
  },
  'broken-client': {
    edit: { damage: (dir) => appendFileSync(path.join(dir, 'client', readManifest(dir).client.entry.slice(7)), ' ') },
    says: /client\/remote\..*\.js is not the file that was built/,
  },
  'broken-missing': { edit: { damage: (dir) => rmSync(path.join(dir, 'server/probe.cjs')) }, says: /server\/probe\.cjs cannot be read/ },
  'broken-manifest': { edit: { damage: (dir) => writeFileSync(path.join(dir, 'release.json'), '{"torn') }, says: /release\.json/ },
};
const names = Object.keys(broken);

function readManifest(dir: string): { client: { entry: string } } {
  return JSON.parse(readFileSync(path.join(dir, 'release.json'), 'utf8'));
}
function prepare(dataDir: string): void {
  for (const [name, { edit, from }] of Object.entries(broken)) editedRelease(dataDir, name, edit, from);
  editedRelease(dataDir, 'restless', onLoad("setTimeout(() => { throw new Error('thrown behind it'); }, 1500);"));
  // The control: a release that was edited in nothing but its name.
  editedRelease(dataDir, 'whole', {});
}
const logged = (shell: SecondShell, name: string) => shell.log().filter((line) => line.mfe === name && line.level === 'error');

test.describe.configure({ mode: 'default', timeout: 60_000 });

test.describe('with a live set', () => {
  let shell: SecondShell;
  let mfes: Record<string, string>;
  test.beforeAll(async () => {
    test.setTimeout(90_000);
    shell = await startSecondShell({ name: 'broken-live', base: fixturePorts.PORT + 360, mfes: {}, prepare, env: { SHELL_WORKERS: '1' } });
    mfes = JSON.parse(readFileSync(path.join(shell.dataDir, 'release-set.json'), 'utf8')).mfes;
  });
  test.afterAll(() => shell?.stop());

  for (const name of names) {
    test(`${name} is refused, and the live set serves on`, async () => {
      const { set } = await shell.state();
      writeReleaseSet(shell.dataDir, { ...mfes, [name]: '1.0.0' });
      const refusals = () => shell.log().filter(({ msg, mfe }) => msg === 'release set refused' && mfe === name);
      await expect.poll(() => refusals().length, { timeout: 15_000 }).toBe(1);
      expect(refusals()).toMatchObject([{ version: '1.0.0', err: { message: expect.stringMatching(broken[name]?.says ?? /never/) } }]);
      expect((await shell.state()).refused?.reason).toMatch(broken[name]?.says ?? /never/);
      expect((await shell.state()).set).toBe(set);
      expect((await fetch(`${shell.origin}/company`)).status).toBe(200);
      expect((await fetch(`${shell.origin}/${name}`)).status).toBe(404);
    });
  }

  test('a release that throws by itself time and again is left out of the live set, and no request fails', async () => {
    const others = onlookers(shell.origin, ['/company', '/privacy']);
    writeReleaseSet(shell.dataDir, { ...mfes, restless: '1.0.0' });
    const state = async () => (await shell.state()).releases.find((release) => release.name === 'restless')?.broken;
    await expect.poll(state, { timeout: 30_000 }).toMatch(/exception/);
    await expect.poll(async () => (await fetch(`${shell.origin}/restless`)).status).toBe(503);
    expect(shell.log().filter(({ msg, mfe }) => msg === 'release is broken, left out' && mfe === 'restless')).toHaveLength(1);
    for (const [page, statuses] of Object.entries(await others.end())) expect(Object.keys(statuses), page).toEqual(['200']);
  });

  test('the control: the same release without a fault goes live', async () => {
    writeReleaseSet(shell.dataDir, { ...mfes, whole: '1.0.0' });
    await expect.poll(async () => (await fetch(`${shell.origin}/whole`)).status, { timeout: 15_000 }).toBe(200);
    expect((await shell.state()).refused).toBeNull();
  });
});

test('at a start, with nothing live, all of them are left out and everything else works', async () => {
  test.setTimeout(120_000);
  const shell = await startSecondShell({
    name: 'broken-start',
    base: fixturePorts.PORT + 360,
    mfes: { ...Object.fromEntries(names.map((name) => [name, '1.0.0'])), whole: '1.0.0' },
    prepare,
    env: { SHELL_WORKERS: '1' },
  });
  try {
    const { releases, status } = await shell.state();
    expect(status).toBe('ok');
    for (const name of names) {
      expect(releases.find((release) => release.name === name)?.broken, name).toMatch(broken[name]?.says ?? /never/);
      expect(logged(shell, name), name).toMatchObject([{ msg: 'release is broken, left out', version: '1.0.0' }]);
      const response = await fetch(`${shell.origin}/${name}`);
      const html = await response.text();
      expect(html, name).toMatch(/<nav[^>]* aria-label="Main"/);
      // Whose manifest cannot be read has no paths that anybody knows of.
      expect(response.status, name).toBe(name === 'broken-manifest' ? 404 : 503);
      if (response.status === 503) expect(response.headers.get('retry-after'), name).toBe('60');
    }
    for (const path of ['/', '/company', '/news', '/inquiry', '/privacy', '/whole'])
      expect((await fetch(shell.origin + path)).status, path).toBe(200);
    expect(releases.filter((release) => release.broken === undefined).map(({ name }) => name)).toContain('whole');
  } finally {
    await shell.stop();
  }
});
