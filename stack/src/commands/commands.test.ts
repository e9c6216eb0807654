/** `pnpm staff` and `pnpm news` as people type them, against a real news service. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'colonnade-commands-'));
const name = 'stack_commands_test';
const uri = new URL(inject('mongodbAdminUri'));
uri.pathname = `/${name}`;
let service: ChildProcess;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  service = fork(fileURLToPath(new URL('../../../services/news/src/main.ts', import.meta.url)), {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', NEWS_PORT: '0', NEWS_MONGODB_URI: uri.href },
  });
  const [message] = await once(service, 'message');
  const url = `http://127.0.0.1:${(message as { port: number }).port}`;
  while (!(await fetch(`${url}/readyz`)).ok);
  env = {
    PATH: process.env.PATH,
    NEWS_URL: url,
    NEWS_MONGODB_URI: uri.href,
    INQUIRY_MONGODB_URI: `${uri.href.replace(name, `${name}_2`)}`,
    REGISTRY_MONGODB_URI: `${uri.href.replace(name, `${name}_3`)}`,
  };
  env.COLONNADE_TOKEN = (await run('staff', 'add', 'Anna Berg', '--role', 'editor')).out.split('\n')[0];
});
afterAll(async () => {
  service.kill('SIGKILL');
  const client = new MongoClient(uri.href);
  for (const each of [name, `${name}_2`]) await client.db(each).dropDatabase();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: 'news' | 'staff', ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const script = fileURLToPath(new URL(`./${command}.ts`, import.meta.url));
  return await new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env, cwd: folder }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

function write(file: string, lines: Record<string, string> = {}, body = 'Text.'): string {
  const front = { title: 'A title', category: 'company', language: 'en', excerpt: 'Short.', ...lines };
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(
    path.join(folder, file),
    `---\n${Object.entries(front)
      .map((entry) => entry.join(': '))
      .join('\n')}\n---\n${body}\n`,
  );
  return file;
}
const visitor = async (newsId: string) => (await fetch(`${env.NEWS_URL}/api/news/${newsId}`, { redirect: 'manual' })).status;

it('publishes a file under its name, changes it, takes it off and renames it', async () => {
  expect(await run('news', 'draft', write('first.md'))).toMatchObject({ code: 0, out: 'first.md: first is draft (r1)\n' });
  expect(await visitor('first')).toBe(404);
  expect((await run('news', 'publish', 'first.md')).out).toBe('first.md: first is published (r2)\n');
  expect((await run('news', 'publish', 'first.md')).out).toBe('first.md: first is published (r2)\n');
  write('first.md', { title: 'Another' });
  expect((await run('news', 'publish', 'first.md')).out).toBe('first.md: first is published (r3)\n');
  expect((await run('news', 'rename', 'first', 'second')).code).toBe(0);
  expect(await visitor('first')).toBe(301);
  expect((await run('news', 'unpublish', 'second')).out).toBe('second is unpublished (r5)\n');
  expect(await visitor('first')).toBe(410);
  expect(await run('news', 'publish', 'first.md')).toMatchObject({ code: 1, err: expect.stringContaining('has the id second now') });
  for (const args of [
    ['unpublish', 'first'],
    ['rename', 'first', 'third'],
  ])
    expect(await run('news', ...args)).toMatchObject({
      code: 1,
      err: 'first: This news item has the id second now. See: pnpm news list\n',
    });
  const none = 'none: There is no news item with this id. See: pnpm news list\n';
  expect(await run('news', 'unpublish', 'none')).toMatchObject({ code: 1, err: none });
});

it('overwrites no change of a colleague, unless told which', async () => {
  const saved = { ...env };
  const [token = ''] = (await run('staff', 'add', 'Olaf Lind', '--role', 'editor')).out.split('\n');
  const asOlaf = { ...env, COLONNADE_TOKEN: token };
  const title = async () => (await fetch(`${env.NEWS_URL}/api/news/desk`).then((res) => res.json())).title;
  await run('news', 'publish', write('desk.md', { title: 'As Anna wrote it' }));
  env = asOlaf;
  // The same file again is no change, and asks for nothing.
  expect((await run('news', 'publish', 'desk.md')).out).toBe('desk.md: desk is published (r2)\n');
  const corrected = write('olaf/desk.md', { title: 'As Olaf corrected it' });
  const refused = await run('news', 'publish', corrected);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(
      /^olaf\/desk\.md: was changed by Anna Berg on \d{4}-\d\d-\d\d \d\d:\d\d UTC, and would be overwritten\. .* pnpm news publish olaf\/desk\.md --over r2\n/,
    ),
  ]);
  expect((await run('news', 'publish', corrected, '--over', 'r2')).out).toBe('olaf/desk.md: desk is published (r3)\n');
  // His own change he may change.
  write('olaf/desk.md', { title: 'As Olaf corrected it again' });
  expect((await run('news', 'publish', corrected)).out).toBe('olaf/desk.md: desk is published (r4)\n');

  env = saved;
  const folder = path.dirname(write('anna/desk.md', { title: 'A typing mistake less' }));
  for (const args of [
    ['unpublish', 'desk'],
    ['publish', 'olaf/desk.md'],
  ])
    expect((await run('news', ...args)).code).toBe(0);
  // What she did since then did not look at the text: it is still his.
  expect(await run('news', 'import', folder)).toMatchObject({ code: 1, err: expect.stringContaining('was changed by Olaf Lind') });
  for (const over of ['r2', 'r5'])
    expect(await run('news', 'publish', 'anna/desk.md', '--over', over)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Somebody else'),
    });
  expect(await title()).toBe('As Olaf corrected it again');
  expect((await run('news', 'publish', 'anna/desk.md', '--over', 'r6')).code).toBe(0);
  expect(await title()).toBe('A typing mistake less');

  // Nor does what she does with his text, as long as she leaves it as it is.
  const his = write('olaf/draft.md', { title: 'His own' });
  const did = [];
  for (const [as, action] of [
    [asOlaf, 'draft'],
    [saved, 'publish'],
    [asOlaf, 'publish'],
  ] as const) {
    env = as;
    did.push((await run('news', action, his)).out);
    write('olaf/draft.md', { title: as === saved ? 'His own, corrected' : 'His own' });
  }
  expect(did).toEqual(['draft (r1)', 'published (r2)', 'published (r3)'].map((state) => `olaf/draft.md: draft is ${state}\n`));
  env = saved;
  for (const args of [
    ['--over', '6'],
    ['desk.md', '--over', 'r6'],
    ['--below', 'r6'],
  ])
    expect((await run('news', 'publish', 'anna/desk.md', ...args)).code).toBe(2);
});

it('says when a list is not all there is', async () => {
  expect((await run('news', 'list')).out).not.toContain('These are');
  const client = new MongoClient(uri.href);
  const count = (drafts: number) =>
    client
      .db(name)
      .collection('counts')
      .updateOne({}, { $inc: { 'states.draft': drafts } });
  await count(2000);
  const { out } = await run('news', 'list');
  const rows = out.split('\n').filter((line) => / r\d+ /.test(line)).length;
  expect(rows).toBeGreaterThan(0);
  expect(out).toMatch(
    new RegExp(`\n\nThese are ${rows} of ${rows + 2000}, those last changed\\. For others add --state draft, for example\\.\n$`),
  );
  await count(-2000);
  await client.close();
});

it('schedules, and tells a table', async () => {
  write('later.md', { publishAt: '2999-01-01T09:00:00+01:00' });
  expect((await run('news', 'schedule', 'later.md')).out).toContain('later is scheduled for 2999-01-01T08:00:00.000Z');
  const { out } = await run('news', 'list', '--state', 'scheduled');
  expect(out).toMatch(/^id +state +date[^\n]*\n[─ ]+\nlater +scheduled +2999-01-01 08:00 +company +r2 +A title\n$/);
  expect(await run('news', 'schedule', write('now.md'))).toMatchObject({
    code: 1,
    err: 'now.md:2: publishAt: is missing\nNothing was sent.\n',
  });
  write('past.md', { publishAt: '2020-01-01T09:00:00Z' });
  expect(await run('news', 'schedule', 'past.md')).toMatchObject({
    code: 1,
    err: expect.stringContaining('past.md: publishAt has passed'),
  });
  // Published by the service at its time, it still is its editor's to correct.
  const client = new MongoClient(uri.href);
  await client
    .db(name)
    .collection('news')
    .updateOne({ newsId: 'later' }, { $set: { publishAt: new Date(0) } });
  await client.close();
  await expect.poll(() => visitor('later')).toBe(200);
  write('later.md', { title: 'Corrected' });
  expect((await run('news', 'publish', 'later.md')).code).toBe(0);
});

it('publishes nothing for a day to come, and says what publish makes of a publishAt', async () => {
  write('dates/date.md', { publishedAt: '2999-06-01T00:00:00Z' });
  const refused = 'dates/date.md:6: publishedAt: is still to come; to have it appear then, write publishAt instead, and use schedule\n';
  for (const args of [
    ['publish', 'dates/date.md'],
    ['import', 'dates'],
  ])
    expect(await run('news', ...args)).toMatchObject({ code: 1, err: `${refused}Nothing was sent.\n` });
  write('dates/date.md', { publishedAt: 'soon' });
  expect((await run('news', 'publish', 'dates/date.md')).err).toMatch(/^dates\/date\.md:6: publishedAt: must be a date and time such as/);
  for (const action of ['draft', 'schedule']) {
    write('dates/date.md', { publishedAt: '2999-06-01T00:00:00Z', publishAt: '2999-06-01T00:00:00Z' });
    expect((await run('news', action, 'dates/date.md')).code).toBe(0);
  }
  write('dates/date.md', { publishAt: '2999-06-01T00:00:00Z' });
  expect((await run('news', 'publish', 'dates/date.md')).out).toBe(
    'dates/date.md: date is published (r3), now; its publishAt 2999-06-01T00:00:00Z was not used\n',
  );
});

it('keeps a text that is to come off the site where its item is published', async () => {
  await run('news', 'publish', write('public/known.md'));
  write('public/known.md', { publishAt: '2999-01-01T09:00:00Z' }, 'Embargoed.');
  for (const args of [
    ['draft', 'public/known.md'],
    ['schedule', 'public/known.md'],
    ['import', 'public'],
  ])
    expect(await run('news', ...args)).toMatchObject({
      code: 1,
      err: 'public/known.md: is published, and nothing was changed. Take it off the site first: pnpm news unpublish known\n1 of 1 failed.\n',
    });
  expect(await fetch(`${env.NEWS_URL}/api/news/known`).then((res) => res.text())).not.toContain('Embargoed');
  await run('news', 'unpublish', 'known');
  expect((await run('news', 'schedule', 'public/known.md')).code).toBe(0);
  expect((await run('news', 'publish', 'public/known.md')).code).toBe(0);
});

it('says which links and pictures a reader will not see as such', async () => {
  const file = write('links.md', {}, 'See [us](/company),\n[them](www.them.example) and ![a gauge](gauge.png).');
  for (const [action, state] of [
    ['draft', 'draft (r1)'],
    ['publish', 'published (r2)'],
  ] as const)
    expect(await run('news', action, file)).toEqual({
      code: 0,
      out: `links.md: links is ${state}\n`,
      err: 'links.md:8: the link to "www.them.example" is shown as plain text\nlinks.md:8: the picture "gauge.png" is not shown as one\n',
    });
});

it('imports a folder: nothing when one file has a mistake, told with its line', async () => {
  write('folder/a.md', { publishedAt: '2015-06-01T00:00:00Z' });
  write('folder/deep/b.md', { publishAt: '2999-01-01T09:00:00Z' });
  write('folder/c.md', { category: 'other', colour: 'red' });
  const refused = await run('news', 'import', 'folder');
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/^folder\/c\.md:3: category: .*\nfolder\/c\.md:6: colour: this key is not known\nNothing was sent\.\n$/);
  expect(await visitor('a')).toBe(404);
  rmSync(path.join(folder, 'folder/c.md'));
  const { code, out } = await run('news', 'import', 'folder');
  expect([code, out]).toEqual([
    0,
    'folder/a.md: a is published (r2)\nfolder/deep/b.md: b is scheduled for 2999-01-01T09:00:00.000Z (r2)\n',
  ]);
  expect((await fetch(`${env.NEWS_URL}/api/news/a`).then((res) => res.json())).publishedAt).toBe('2015-06-01T00:00:00.000Z');
});

it('says in plain words what is wrong, with an exit code', async () => {
  const saved = { ...env };
  env.COLONNADE_TOKEN = undefined;
  expect(await run('news', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('Set COLONNADE_TOKEN') });
  env.COLONNADE_TOKEN = 'cst_wrong';
  expect(await run('news', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('is not known, or was revoked') });
  env = { ...saved, NEWS_URL: 'http://127.0.0.1:9' };
  expect(await run('news', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('does not answer') });
  env = { ...saved };
  expect(await run('news', 'frobnicate')).toMatchObject({ code: 2, err: expect.stringContaining('Not understood: frobnicate') });
  expect(await run('news', 'publish', 'absent.md')).toMatchObject({
    code: 1,
    err: expect.stringContaining('absent.md: there is no such file'),
  });
  for (const [file, why] of [
    ['a15.txt', "a15.txt: the file's name has to end in .md"],
    ['A 15.md', "A 15.md:1: newsId: the file's name cannot be an id"],
  ] as const)
    expect(await run('news', 'publish', write(file))).toMatchObject({ code: 1, err: expect.stringContaining(why) });
  env = { ...saved, NEWS_MONGODB_URI: undefined, INQUIRY_MONGODB_URI: undefined };
  expect(await run('staff', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('Start the site first') });
  env = saved;
});

it('finds the service of this machine by its port', async () => {
  const saved = { ...env };
  env = { ...saved, NEWS_URL: undefined, NEWS_PORT: new URL(saved.NEWS_URL ?? '').port };
  expect((await run('news', 'list')).code).toBe(0);
  env = saved;
});

it('gives a token, lists it and ends it', async () => {
  expect((await run('staff', 'add', 'Olaf', '--role', 'chief')).code).toBe(2);
  const saved = { ...env };
  const { out } = await run('staff', 'add', 'Root', '--role', 'admin');
  const token = out.split('\n')[0] ?? '';
  expect(out).toContain(`COLONNADE_TOKEN=${token} npx --yes pnpm@12 news list\n`);
  env.COLONNADE_TOKEN = token;
  expect((await run('news', 'list')).code).toBe(0);
  const rows = (await run('staff', 'list')).out.split('\n').filter((row) => row.includes('Root'));
  expect(rows).toEqual([expect.stringMatching(/^[0-9a-f]{12} +Root +admin +\d{4}-\d\d-\d\d$/)]);
  expect((await run('staff', 'revoke', 'Root')).out).toMatch(/^revoked: [0-9a-f]{12} Root \(admin\)\n$/);
  expect((await run('news', 'list')).code).toBe(1);
  expect((await run('staff', 'revoke', 'Root')).code).toBe(1);
  env = saved;
});

it('revokes a token where it can, and says where it could not', async () => {
  const saved = { ...env };
  const [token = ''] = (await run('staff', 'add', 'Leaked', '--role', 'admin')).out.split('\n');
  // The first database is that of the news service: what comes after one that is away is reached too.
  env.NEWS_MONGODB_URI = 'mongodb://127.0.0.1:9/none';
  const { code, out, err } = await run('staff', 'revoke', 'Leaked');
  expect([code, out]).toEqual([1, expect.stringMatching(/^revoked: [0-9a-f]{12} Leaked \(admin\)\n$/)]);
  expect(err).toMatch(/^The database of the news service does not answer: .*\nThere it may still be in use: repeat the command\.\n$/);
  env = { ...saved, COLONNADE_TOKEN: token };
  expect((await run('news', 'list')).code).toBe(0);
  expect((await run('staff', 'revoke', 'Leaked')).code).toBe(0);
  expect((await run('news', 'list')).code).toBe(1);
  env = saved;
});
