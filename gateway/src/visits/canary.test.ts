import { describe, expect, test } from 'vitest';
import { SetsSite } from '../../test/sets-site.ts';

const bucketIn = (cookies: string[]) => Number(/^colonnade-bucket=(\d+); /.exec(cookies[0] ?? '')?.[1] ?? Number.NaN);
const set = ({ headers }: { headers: Headers }) => headers.get('x-release-set');

describe('while a canary runs', () => {
  test('1,000 visitors spread evenly over 100 buckets, and each stays in its own', async () => {
    const site = await new SetsSite().start();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 10 });
    const counts = new Array<number>(100).fill(0);
    let inCanary = 0;
    for (let visitor = 0; visitor < 1000; visitor += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => site.visit('/news')));
      for (const answer of answers) {
        const bucket = bucketIn(answer.cookies);
        counts[bucket] = (counts[bucket] ?? Number.NaN) + 1;
        if (bucket < 10) inCanary++;
        expect(set(answer)).toBe(bucket < 10 ? 'b' : 'a');
      }
    }
    // Chi-square with 99 degrees of freedom: even buckets exceed 182 once in a million runs.
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10) ** 2 / 10, 0);
    expect(chiSquare).toBeLessThan(182);
    expect(inCanary).toBe(counts.slice(0, 10).reduce((sum, count) => sum + count));
    for (let bucket = 0; bucket < 100; bucket++) {
      const answer = await site.visit('/inquiry', { cookie: `other=1; colonnade-bucket=${bucket}` });
      expect([set(answer), answer.cookies]).toEqual([bucket < 10 ? 'b' : 'a', []]);
    }
  });

  test('a larger percentage keeps those who are in', async () => {
    const site = await new SetsSite().start();
    const inCanary = new Set<number>();
    for (const percent of [1, 10, 50, 99]) {
      await site.point({ live: 'a', canary: 'b', canaryPercent: percent });
      for (let bucket = 0; bucket < 100; bucket++) {
        const got = set(await site.visit('/news', { cookie: `colonnade-bucket=${bucket}` }));
        if (inCanary.has(bucket)) expect(got).toBe('b');
        if (got === 'b') inCanary.add(bucket);
      }
      expect(inCanary.size).toBe(percent);
    }
  });

  test.each(['', '100', '-1', '007', '1.5', '5x', 'x'])('a bucket %j that is none is replaced', async (bucket) => {
    const site = await new SetsSite().start();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 50 });
    const { cookies } = await site.visit('/news', { cookie: `colonnade-bucket=${bucket}` });
    expect(bucketIn(cookies)).toBeLessThan(100);
    expect(cookies).toEqual([expect.stringMatching(/^colonnade-bucket=\d+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/)]);
  });

  test('the cookie of an https site travels over https only', async () => {
    const site = await new SetsSite().start({ origin: 'https://site.example' });
    await site.point({ live: 'a', canary: 'b', canaryPercent: 50 });
    expect((await site.visit('/news')).cookies[0]).toMatch(/; Secure$/);
  });

  test('a post goes where its document goes, data where it says', async () => {
    const site = await new SetsSite().start();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 10 });
    const post = { method: 'POST', body: 'name=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    const inside = 'colonnade-bucket=9';
    const outside = 'colonnade-bucket=10';
    const visits = [
      ['/inquiry', post, inside, 'b'],
      ['/inquiry', post, outside, 'a'],
      ['/inquiry?_data=a', post, inside, 'a'],
      ['/inquiry?_data=b', post, outside, 'b'],
      ['/news?_data=a', {}, inside, 'a'],
      ['/news?_data=b', {}, outside, 'b'],
      ['/news?_data=gone', {}, inside, 'a'],
    ] as const;
    for (const [path, init, cookie, from] of visits) {
      const answer = await site.visit(path, { ...init, cookie });
      expect([path, set(answer), answer.status]).toEqual([path, from, path.endsWith('gone') ? 409 : 200]);
      if (path.includes('_data')) expect(answer.cookies).toEqual([]);
    }
    expect(site.asked.filter(({ body }) => body === 'name=x')).toHaveLength(4);
  });

  test('nothing of it is kept, neither here nor in a cache in front; what is live is kept here', async () => {
    const site = await new SetsSite().start();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 10 });
    const paths = ['/news', '/news?_data=b'];
    for (let time = 0; time < 3; time++) {
      for (const path of paths) {
        const { headers } = await site.visit(path, { cookie: 'colonnade-bucket=0' });
        expect([headers.get('cache-status'), headers.get('cache-control')]).toEqual(['colonnade; fwd=bypass', 'private, no-cache']);
      }
    }
    expect(site.asked.map(({ set }) => set)).toEqual(Array(6).fill('b'));
    // Control: the live set's page of the same URL and the same basis, for the same visitors but one.
    for (const status of ['colonnade; fwd=miss; stored; ttl=59', 'colonnade; hit; ttl=59']) {
      const { headers, body } = await site.visit('/news', { cookie: 'colonnade-bucket=10' });
      expect(headers.get('cache-status')?.replace('ttl=60', 'ttl=59')).toBe(status);
      expect([headers.get('cache-control'), body]).toEqual(['private, no-cache', 'GET of a']);
    }
    expect(site.asked).toHaveLength(7);
    const revalidated = await site.visit('/news', {
      headers: { 'If-None-Match': (await site.visit('/news', { cookie: 'colonnade-bucket=10' })).headers.get('etag') ?? '' },
    });
    expect(revalidated.headers.get('cache-control')).toBe('private, no-cache');
    expect(revalidated.cookies).toHaveLength(1);
  });

  test('one that gives no answer leaves its visitors the live page; a post is not sent a second time', async () => {
    const site = await new SetsSite().start();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 100 });
    site.dead.add('b');
    const answer = await site.visit('/news');
    expect([answer.status, answer.body, answer.cookies.length]).toEqual([200, 'GET of a', 1]);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect((await site.visit('/news?_data=b')).status).toBe(503);
    expect((await site.visit('/inquiry', { method: 'POST', body: 'x' })).status).toBe(503);
    expect(site.asked.map(({ line }) => line)).toEqual(['GET /news']);
    // Its release is judged by that, though one of the visitors has seen a page.
    expect(site.unanswered).toEqual(['b', 'b', 'b']);
  });

  test('a request that ended a worker of the canary does not meet one of the live set', async () => {
    const site = await new SetsSite().start();
    await site.point({ live: 'a', canary: 'b', canaryPercent: 100 });
    site.dead.add('b');
    site.tellsCulprit = true;
    expect((await site.visit('/news')).status).toBe(503);
    expect(site.asked).toEqual([]);
    // The supervisor has counted it already.
    expect(site.unanswered).toEqual([]);
    // Control: any other request does.
    site.tellsCulprit = false;
    expect((await site.visit('/news')).status).toBe(200);
    expect(site.asked).toHaveLength(1);
  });
});

test('with no canary there is no cookie, and a shared cache may keep what it may', async () => {
  const site = await new SetsSite().start();
  for (const beside of [{}, { canary: 'b' }, { canary: 'b', canaryPercent: 0 }, { previous: 'b' }]) {
    await site.point({ live: 'a', ...beside });
    for (const cookie of [undefined, 'colonnade-bucket=0']) {
      const answer = await site.visit('/news', { cookie });
      expect([set(answer), answer.cookies, answer.headers.get('cache-control')]).toEqual(['a', [], 'no-cache']);
    }
  }
});

test('page views are counted by kind of set and class of status', async () => {
  const site = await new SetsSite().start();
  await site.point({ live: 'a', previous: 'c', canary: 'b', canaryPercent: 10 });
  for (let time = 0; time < 3; time++) await site.visit('/news', { cookie: 'colonnade-bucket=10' });
  await site.visit('/news', { cookie: 'colonnade-bucket=0' });
  await site.visit('/news?_data=b');
  await site.visit('/news?_data=c');
  await site.visit('/news?_data=gone');
  await site.visit('/api/news');
  expect(await site.views()).toEqual({ 'live 2xx': 3, 'live 4xx': 1, 'canary 2xx': 2, 'previous 2xx': 1 });
});
