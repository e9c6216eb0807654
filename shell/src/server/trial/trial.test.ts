import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { trial } from './trial.ts';
import type { TrialPaths } from './trial-paths.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Answer {
  /** None: the connection ends without an answer, as when the worker dies. */
  status?: number;
  missing?: string[];
  failure?: string;
  spoiled?: boolean;
}
type TriedSet = Parameters<typeof trial>[0];

const ok: Answer = { status: 200 };

/** A set of `mfe-b` with these pages by pattern, which answers as told by path. */
async function setOf(
  digest: string,
  answers: Record<string, Answer>,
  named: TrialPaths = {},
  host = '127.0.0.1',
): Promise<TriedSet & { asked: string[] }> {
  const { '/feed.xml': feed = ok, '/sitemap.xml': sitemap = ok, ...pages } = answers;
  const lists: Record<string, Answer> = { '/feed.xml': feed, '/sitemap.xml': sitemap };
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    expect.soft(req.headers).toHaveProperty('x-colonnade-trial');
    const pattern = Object.keys(named).find((each) => {
      const one = named[each];
      return one && 'path' in one && one.path === req.url;
    });
    const answer = lists[req.url ?? ''] ?? pages[pattern ?? req.url ?? ''];
    if (answer && answer.status === undefined) return res.destroy();
    res.statusCode = answer?.status ?? 404;
    if (answer?.failure) res.setHeader('X-Colonnade-Failure', encodeURIComponent(answer.failure));
    if (answer?.spoiled) res.setHeader('X-Colonnade-Spoiled', '1');
    if (answer?.missing) res.setHeader('X-Colonnade-Missing', answer.missing.join(' '));
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  stops.push(() => server.close());
  const routes = Object.keys(pages).map((path) => ({ path, slots: [] }));
  return {
    asked,
    host,
    port: (server.address() as AddressInfo).port,
    routes: routes as unknown as TriedSet['routes'],
    set: { releases: [{ digest, release: { name: 'mfe-b', routes, slots: [] } }] } as unknown as TriedSet['set'],
    trialPaths: async () => named,
  };
}

test('a page fails only where the live set passes: an outage is no fault of a release', async () => {
  const fresh = await setOf('new', {
    '/a': { status: 500 },
    '/b': { status: 503 },
    '/c': { status: 503 },
    '/d': { status: 404 },
    '/e': ok,
  });
  const live = await setOf('old', { '/a': ok, '/b': { status: 503 }, '/c': ok, '/d': ok, '/e': ok });
  const reason = await trial(fresh, live);
  expect(reason?.split('; ').sort()).toEqual([
    '/a answers 500, and 200 from the live set',
    '/c answers 503, and 200 from the live set',
    '/d answers 404, and 200 from the live set',
  ]);
  expect(await trial(await setOf('new', { '/a': ok }), live)).toBeNull();
});

test('what failed is told in the words of its error', async () => {
  const fresh = await setOf('new', { '/a': { status: 500, failure: 'no “b” of undefined' } });
  expect(await trial(fresh, undefined)).toBe('/a answers 500 (no “b” of undefined)');
  expect(await trial(fresh, await setOf('old', { '/a': ok }))).toBe('/a answers 500 (no “b” of undefined), and 200 from the live set');
});

test('of a page that the live set does not have, only its own failure counts', async () => {
  const live = await setOf('old', {});
  expect(await trial(await setOf('new', { '/new': { status: 500 } }), live)).toBe('/new answers 500');
  expect(await trial(await setOf('new', { '/new': { status: 503 } }), live)).toBeNull();
  expect(await trial(await setOf('new', { '/new': { status: 503, spoiled: true } }), live)).toBe('/new answers 503');
  expect(await trial(await setOf('new', { '/new': { status: 500 } }), undefined)).toBe('/new answers 500');
});

test('what ends a worker is refused where it is new, and not asked of the live set', async () => {
  const live = await setOf('old', { '/a': {} });
  expect(await trial(await setOf('new', { '/a': {} }), live)).toBe('/a does not answer, or not within 4 s');
  expect(await trial(await setOf('old', { '/a': {} }), live)).toBeNull();
  expect(live.asked).toEqual([]);
});

test('a slot that fails where the live one passes fails the trial', async () => {
  const page = (...missing: string[]) => ({ '/a': { status: 200, missing } });
  const live = await setOf('old', page('mfe-b/y'));
  expect(await trial(await setOf('new', page('mfe-b/x', 'mfe-b/y')), live)).toMatch(/^\/a: mfe-b\/x fails/);
  expect(await trial(await setOf('new', page('mfe-b/y')), live)).toBeNull();
});

test('a slot of a release that is not in the set any more is meant to be missing', async () => {
  const live = await setOf('old', { '/a': ok });
  expect(await trial(await setOf('new', { '/a': { status: 200, missing: ['mfe-c/z'] } }), live)).toBeNull();
});

test.for(['/feed.xml', '/sitemap.xml'])('where %s fails, or lacks what the live one has, the trial fails', async (path) => {
  const list = (answer: Answer) => ({ [path]: answer });
  const live = await setOf('old', {});
  expect(await trial(await setOf('new', list({ status: 503 })), live)).toBe(`${path} answers 503, and 200 from the live set`);
  expect(await trial(await setOf('new', list({})), live)).toBe(`${path} does not answer, or not within 4 s`);
  const lacking = list({ status: 200, missing: ['mfe-b'] });
  expect(await trial(await setOf('new', lacking), live)).toBe(`${path}: mfe-b fails, and does not in the live set`);
  // What fails in both is no fault of the release.
  for (const answer of [{ status: 503 }, { status: 200, missing: ['mfe-b'] }, {}])
    expect(await trial(await setOf('new', list(answer)), await setOf('old', list(answer)))).toBeNull();
});

test('a page with parameters is tried at the address that its trial names; naming none is a failure where the live one can', async () => {
  const pages = { '/news/:id': ok };
  const named = { '/news/:id': { path: '/news/1' } };
  const fails = { '/news/:id': { error: 'no item', away: false } };
  const live = await setOf('old', pages, named);
  const fresh = await setOf('new', pages, named);
  expect(await trial(fresh, live)).toBeNull();
  expect(fresh.asked).toEqual(['/feed.xml', '/sitemap.xml', '/news/1']);
  expect(await trial(await setOf('new', { '/news/:id': { status: 500 } }, named), live)).toBe(
    '/news/1 answers 500, and 200 from the live set',
  );
  expect(await trial(await setOf('new', pages, fails), live)).toBe('/news/:id: no item');
  expect(await trial(await setOf('new', pages, fails), await setOf('old', pages, fails))).toBeNull();
  // A new page whose service is away cannot be tried.
  expect(await trial(await setOf('new', pages, { '/news/:id': { error: 'away', away: true } }), undefined)).toBeNull();
});

test('asks at the address on which the workers listen', async () => {
  const fresh = await setOf('new', { '/a': ok }, {}, '127.0.0.2');
  expect(await trial(fresh, undefined)).toBeNull();
  expect(fresh.asked).toEqual(['/feed.xml', '/sitemap.xml', '/a']);
});
