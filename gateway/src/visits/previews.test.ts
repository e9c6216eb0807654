import type { ServerResponse } from 'node:http';
import { signPreviewToken } from '@colonnade/release/preview-token';
import { describe, expect, test } from 'vitest';
import { elsewhere } from '../../test/elsewhere.ts';
import { type Answered, previewKey, SetsSite } from '../../test/sets-site.ts';

const release = 'mfe-news@1.5.0-rc.1';
const inAnHour = () => new Date(Date.now() + 3_600_000);
const token = (expiresAt = inAnHour(), of = release, key = previewKey) => signPreviewToken({ release: of, expiresAt }, key);
const link = (query: Record<string, string>) => `/_preview/${release}?${new URLSearchParams(query)}`;
const cookie = (value = token()) => `colonnade-preview=${value}`;
const set = ({ headers }: Answered) => headers.get('x-release-set');
const deletion = 'colonnade-preview=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax';

/** A site whose supervisor makes the release that is asked for resident as set `p-{version}`. */
async function previewing(options: Parameters<SetsSite['start']>[0] = {}): Promise<SetsSite> {
  const site = await new SetsSite().start(options);
  await site.point({ live: 'a', previous: 'c' });
  site.preview = async ({ name, version }, res) => {
    const set = `p-${version}`;
    res.writeHead(200).end(JSON.stringify({ set, port: 1 }));
    await site.point({ live: 'a', previous: 'c', preview: { set, release: `${name}@${version}` } });
  };
  return site;
}

const problem = (status: number, detail: string) => (_asked: unknown, res: ServerResponse) =>
  void res.writeHead(status, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify({ status, detail }));

describe('a link to a preview', () => {
  const wrong = {
    'without a token': {},
    'with an empty token': { token: '' },
    'with a malformed token': { token: 'x.y' },
    'with an expired token': { token: token(new Date(Date.now() - 1000)) },
    'signed with another key': { token: token(inAnHour(), release, `${previewKey}!`) },
    'with a changed token': { token: `${token().slice(0, -2)}xx` },
  };
  test.each(Object.entries(wrong))('%s is refused with a challenge, and nobody is asked', async (_what, query) => {
    const site = await previewing();
    const answer = await site.visit(link(query));
    expect([answer.status, answer.headers.get('www-authenticate'), answer.headers.get('cache-control')]).toEqual([
      401,
      'Preview',
      'no-store',
    ]);
    expect([answer.cookies, site.previews]).toEqual([[], []]);
    expect(answer.body).not.toContain(previewKey);
  });

  test('with the token of another release is forbidden', async () => {
    const site = await previewing();
    expect((await site.visit(link({ token: token(inAnHour(), 'mfe-news@1.5.0-rc.2') }))).status).toBe(403);
    expect((await site.visit(`/_preview/x?token=${token()}`)).status).toBe(403);
    expect(site.previews).toEqual([]);
  });

  test('begins the preview once its set is there', async () => {
    const site = await previewing();
    const value = token();
    const answer = await site.visit(link({ token: value, to: '/news?page=2#top' }));
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      303,
      '/news?page=2#top',
      'private, no-store',
    ]);
    expect(answer.cookies).toEqual([
      expect.stringMatching(new RegExp(`^colonnade-preview=${value}; Path=/; Max-Age=3(600|59\\d); HttpOnly; SameSite=Lax$`)),
    ]);
    expect(site.previews).toEqual([{ name: 'mfe-news', version: '1.5.0-rc.1' }]);
    for (const name of ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'])
      expect(answer.headers.get(name), name).toBeTruthy();
    const page = await site.visit('/news', { cookie: cookie(value) });
    expect([page.body, set(page)]).toEqual(['GET of p-1.5.0-rc.1', 'p-1.5.0-rc.1']);
    expect((await site.visit(link({ token: value }))).headers.get('location')).toBe('/');
    expect(site.previews).toHaveLength(1);
  });

  test.each(elsewhere)('leads nowhere but to this site: not to %j', async (to) => {
    const site = await previewing();
    const answer = await site.visit(link({ token: token(), to }));
    expect([answer.status, answer.headers.get('location'), answer.cookies]).toEqual([400, null, []]);
  });

  test('says why where the release cannot be shown', async () => {
    const site = await previewing();
    for (const [answered, status] of [
      [404, 404],
      [409, 409],
      [503, 503],
      [500, 503],
    ] as const) {
      site.preview = problem(answered, 'It failed its trial.');
      const answer = await site.visit(link({ token: token() }));
      expect([answer.status, answer.cookies]).toEqual([status, []]);
      expect(JSON.parse(answer.body).detail).toContain('It failed its trial.');
    }
  });

  test('is not waited for where the release is said to be there but never seen, or there is no answer at all', async () => {
    const site = await previewing({ previewMs: 200 });
    for (const preview of [(_: unknown, res: ServerResponse) => void res.end('{}'), () => {}]) {
      site.preview = preview;
      expect((await site.visit(link({ token: token() }))).status).toBe(503);
    }
  });

  test('is not there without a key, and a cookie is worth nothing then', async () => {
    const site = await previewing({ key: null });
    for (const path of [link({ token: token() }), '/_preview/end']) expect((await site.visit(path)).status).toBe(404);
    const page = await site.visit('/news', { cookie: cookie() });
    expect([set(page), page.cookies]).toEqual(['a', [deletion]]);
  });
});

describe('who previews', () => {
  test('gets documents, data and posts of that set, and nothing of it is kept', async () => {
    const site = await previewing();
    const post = { method: 'POST', body: 'name=x' };
    const visits = [['/news'], ['/news?_data=p-1.5.0-rc.1'], ['/inquiry', post], ['/inquiry?_data=p-1.5.0-rc.1', post]] as const;
    for (const [path, init] of [...visits, ...visits]) {
      const answer = await site.visit(path, { ...init, cookie: cookie() });
      expect([path, answer.status, set(answer), answer.headers.get('cache-control')]).toEqual([
        path,
        200,
        'p-1.5.0-rc.1',
        'private, no-store',
      ]);
      expect(answer.headers.get('cache-status')).toBe(init ? null : 'colonnade; fwd=bypass');
    }
    // Each of them was asked for anew.
    expect(site.asked).toHaveLength(8);
    expect(await site.views()).toEqual({ 'preview 2xx': 8 });
    // Control: the live page is kept.
    for (let time = 0; time < 2; time++) await site.visit('/news');
    expect(site.asked).toHaveLength(9);
  });

  test('keeps to the sets that tabs were opened with', async () => {
    const site = await previewing();
    await site.visit('/news', { cookie: cookie() });
    expect(set(await site.visit('/news?_data=a', { cookie: cookie() }))).toBe('a');
    expect(set(await site.visit('/news?_data=c', { cookie: cookie() }))).toBe('c');
    expect((await site.visit('/news?_data=gone', { cookie: cookie() })).status).toBe(409);
  });

  test('gets the set again when it is no longer resident; many at once ask once', async () => {
    const site = await previewing();
    await site.visit('/news', { cookie: cookie() });
    await site.point({ live: 'a' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => site.visit('/news', { cookie: cookie() })));
    expect(answers.map(set)).toEqual(Array(10).fill('p-1.5.0-rc.1'));
    expect(site.previews).toHaveLength(2);
    await site.visit('/news', { cookie: cookie(token(inAnHour(), 'mfe-news@2.0.0')) });
    expect(set(await site.visit('/news', { cookie: cookie() }))).toBe('p-1.5.0-rc.1');
    expect(site.previews).toHaveLength(4);
  });

  test('is told how to leave where the set cannot be had again', async () => {
    const site = await previewing();
    site.preview = problem(503, 'No worker came up.');
    const answer = await site.visit('/news', { cookie: cookie(), headers: { Accept: 'text/html' } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(JSON.parse(answer.body).detail).toMatch(/No worker came up\. Open \/_preview\/end to leave it/);
    const end = await site.visit('/_preview/end', { cookie: cookie() });
    expect([end.status, end.headers.get('location'), end.cookies]).toEqual([303, '/', [deletion]]);
  });

  test('is no other than who has a good cookie; a bad one is taken back', async () => {
    const site = await previewing();
    await site.visit('/news', { cookie: cookie() });
    for (const value of ['', 'x', token(new Date(Date.now() - 1000)), token(inAnHour(), release, `${previewKey}!`)]) {
      const page = await site.visit('/news', { cookie: cookie(value) });
      expect([set(page), page.cookies, page.headers.get('cache-control')]).toEqual(['a', [deletion], 'private, no-cache']);
      const data = await site.visit('/news?_data=p-1.5.0-rc.1', { cookie: cookie(value) });
      expect([data.status, data.body]).toEqual([409, 'GET of a']);
    }
    // Control: the same data with a good cookie.
    expect((await site.visit('/news?_data=p-1.5.0-rc.1', { cookie: cookie() })).status).toBe(200);
    // A token of another release does not open this one's data.
    expect((await site.visit('/news?_data=p-1.5.0-rc.1', { cookie: cookie(token(inAnHour(), 'mfe-news@2.0.0')) })).status).toBe(409);
  });

  test('touches nobody else: their answers are the same to the byte', async () => {
    const seen = async (site: SetsSite) => {
      const answers: unknown[] = [];
      for (const path of ['/', '/news', '/news?page=2', '/inquiry', '/news?_data=a', '/news?_data=c']) {
        const { status, headers, body } = await site.visit(path);
        const fields = [...headers].filter(([name]) => !['date', 'x-request-id', 'age', 'cache-status', 'server-timing'].includes(name));
        answers.push([path, status, fields, body]);
      }
      return answers;
    };
    const site = await previewing();
    const before = await seen(site);
    for (const path of ['/', '/news', '/news?page=2', '/inquiry']) await site.visit(path, { cookie: cookie() });
    expect(site.previews).toHaveLength(1);
    expect(await seen(site)).toEqual(before);
  });

  test('gets no bucket, and no canary', async () => {
    const site = await previewing();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 100, preview: { set: 'p', release } });
    const page = await site.visit('/news', { cookie: cookie() });
    expect([set(page), page.cookies]).toEqual(['p', []]);
    expect(set(await site.visit('/news'))).toBe('b');
  });

  test('posts from this site only, as everybody', async () => {
    const site = await previewing();
    const answer = await site.visit('/inquiry', {
      method: 'POST',
      body: 'x',
      cookie: cookie(),
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(answer.status).toBe(403);
    expect(site.asked).toEqual([]);
  });
});

test('a release that is live already is previewed in the live set', async () => {
  const site = await previewing();
  await site.point({ live: 'a', preview: { set: 'a', release } });
  const page = await site.visit('/news', { cookie: cookie() });
  expect([set(page), page.headers.get('cache-control')]).toEqual(['a', 'private, no-store']);
  expect((await site.visit('/news?_data=a')).headers.get('cache-control')).toBe('no-cache');
});
