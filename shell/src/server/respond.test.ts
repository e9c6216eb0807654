import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { forbidden, invalid, type MfeRoute, notFound, redirect, unauthorized, unavailable } from '@colonnade/mfe';
import type { Release } from '@colonnade/mfe/release';
import { Ending } from '@colonnade/service/ending';
import type { Log } from '@colonnade/service/log';
import { expect, test } from 'vitest';
import { FencedParts } from './containment/fenced-parts.ts';
import { currentWork } from './containment/work.ts';
import type { ServerRoute, ServerSlot } from './remotes.ts';
import { lentRequest } from './request.ts';
import { createResponder } from './respond.ts';

const Component = () => null;
const release = { name: 'mfe-x', version: '1.0.0' } as Release;
const never = new Promise<never>(() => {});

interface Line {
  level: string;
  msg: string;
  [key: string]: unknown;
}

/** A responder of routes and slots as microfrontends write them, and what it logs. */
function site(routes: Partial<MfeRoute>[], slots: Record<string, ServerSlot['slot']['loader']> = {}) {
  const lines: Line[] = [];
  const write = (level: string) => (fields: object, msg: string) => lines.push({ ...fields, level, msg });
  const fenced = new FencedParts();
  const { respond } = createResponder({
    set: 'set-1',
    remotes: {
      mfes: [],
      routes: routes.map((route, i) => {
        const whole = { id: `r${i}`, path: '/', load: async () => ({ default: Component }), ...route };
        return { mfe: 'mfe-x', id: whole.id, Component, slots: {}, route: whole, release } as ServerRoute;
      }),
      slots: new Map(
        Object.entries(slots).map(([name, loader]) => [
          name,
          { slot: { name, load: async () => ({ default: Component }), loader }, release, Component },
        ]),
      ),
    },
    brokenPaths: ['/broken/:id'],
    fenced,
    site: { name: 'Nollvik', origin: 'https://www.nollvik.example', language: 'en' },
    clients: (scope) => ({
      slow: {
        request: () => {
          scope.waiting = 1;
          return never;
        },
      },
    }),
    log: { warn: write('warn'), error: write('error') } as unknown as Log,
    routeDeadlineMs: 300,
    slotDeadlineMs: 50,
  });
  const ask = async (path: string, method = 'GET', gone = new Ending()) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const req = Object.assign(Readable.from(method === 'POST' ? [Buffer.from('a=b')] : []), {
      method,
      headers,
    }) as unknown as IncomingMessage;
    return respond({ request: await lentRequest(req, `https://www.nollvik.example${path}`), requestId: 'request-1', gone });
  };
  return { ask, lines, fenced };
}

test('the most specific route answers, with its decoded parameters', async () => {
  const loader: MfeRoute['loader'] = async ({ params, request, context }) => ({ params, url: request.url, id: context.requestId });
  const { ask } = site([
    { path: '/news/:newsId', loader },
    { path: '/news/archive', loader: async () => 'archive' },
  ]);
  expect((await ask('/news/a%20b?x=1')).view).toMatchObject({
    url: '/news/a%20b?x=1',
    answer: {
      set: 'set-1',
      status: 200,
      loaderData: { params: { newsId: 'a b' }, url: 'https://www.nollvik.example/news/a%20b?x=1', id: 'request-1' },
    },
  });
  expect((await ask('/news/archive')).view.answer.loaderData).toBe('archive');
  expect((await ask('/news/a/b')).view).toMatchObject({ route: null, answer: { status: 404 } });
});

test('what a loader throws is a status, its headers, and no more', async () => {
  for (const [thrown, status, headers] of [
    [() => notFound(), 404, {}],
    [() => unauthorized('Bearer'), 401, { 'WWW-Authenticate': 'Bearer' }],
    [() => forbidden(), 403, {}],
    [() => unavailable(7, new Error('inner')), 503, { 'Retry-After': '7' }],
  ] as const) {
    const { ask, lines } = site([{ loader: async () => thrown() }]);
    const outcome = await ask('/');
    expect(outcome.headers).toEqual(headers);
    expect(outcome.view.answer).toEqual({ set: 'set-1', status });
    expect(lines).toHaveLength(status >= 500 ? 1 : 0);
  }
});

test('any other error is 500 with a digest that stands in exactly one log line', async () => {
  const { ask, lines } = site([
    {
      loader: async () => {
        throw new Error('secret');
      },
    },
  ]);
  const [first, second] = [await ask('/'), await ask('/')];
  expect(first.view.answer).toEqual({ set: 'set-1', status: 500, digest: expect.stringMatching(/^[0-9a-f]{10}$/) });
  expect(first.view.answer.digest).not.toBe(second.view.answer.digest);
  expect(lines.filter(({ digest }) => digest === first.view.answer.digest)).toMatchObject([
    { level: 'error', msg: 'page failed', requestId: 'request-1', mfe: 'mfe-x', version: '1.0.0', err: { message: 'secret' } },
  ]);
});

test('a loader that throws before its first await is an error like any other', async () => {
  const { ask } = site(
    [
      {
        slots: ['mfe-x/s'],
        loader: () => {
          throw new Error('at once');
        },
      },
    ],
    { 'mfe-x/s': async () => 'slot' },
  );
  expect((await ask('/')).view.answer).toMatchObject({ status: 500, digest: expect.any(String) });
});

test('a loader that never answers is 503 at its deadline: its own doing, unless it waits for a service', async () => {
  const started = performance.now();
  expect(await site([{ loader: () => never }]).ask('/')).toMatchObject({
    spoiled: true,
    failure: 'does not end within 300 ms, and waits for no service',
    view: { answer: { status: 503 } },
  });
  const waiting = site([{ loader: ({ context }) => context.services.slow?.request('/') ?? never }]);
  expect(await waiting.ask('/')).toMatchObject({ spoiled: false, failure: 'no answer within 300 ms', view: { answer: { status: 503 } } });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('the signal of a handler’s request tells it when its own time is over, and when the visitor leaves', async () => {
  const told: Record<string, unknown> = {};
  const waits =
    (who: string): MfeRoute['loader'] =>
    ({ request }) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => {
          told[who] = { ...told, reason: (request.signal.reason as Error).message };
          reject(request.signal.reason);
        });
      });
  const { ask } = site([{ path: '/', loader: waits('page'), slots: ['mfe-x/s'] }], { 'mfe-x/s': waits('slot') });
  expect((await ask('/')).view.answer).toMatchObject({ status: 503 });
  // A slot has less time than its page.
  const late = { reason: 'status 503' };
  expect(told).toEqual({ slot: late, page: { ...late, slot: late } });
  const gone = new Ending();
  const leaving = ask('/', 'GET', gone);
  setTimeout(() => gone.end(new Error('left')), 10);
  await leaving;
  expect(told).toMatchObject({ slot: { reason: 'left' }, page: { reason: 'left' } });
});

test('an action and the loader after it can both read what was posted', async () => {
  const read: MfeRoute['loader'] = async ({ request }) => [await request.text(), (await request.formData()).get('a')];
  const { ask } = site([{ action: read, loader: read }]);
  expect((await ask('/', 'POST')).view.answer).toMatchObject({ actionData: ['a=b', 'b'], loaderData: ['a=b', 'b'] });
});

test('a slot that rejects, throws, is silent or unknown is null, and the page is 200 in the slot’s time', async () => {
  const slots = ['mfe-x/fine', 'mfe-x/empty', 'mfe-x/rejects', 'mfe-x/throws', 'mfe-x/silent', 'mfe-y/absent'];
  const { ask, lines } = site([{ slots, loader: async () => 'page' }], {
    'mfe-x/fine': async () => 'well',
    'mfe-x/empty': undefined,
    'mfe-x/rejects': async () => notFound(),
    'mfe-x/throws': () => {
      throw new Error('at once');
    },
    'mfe-x/silent': () => never,
  });
  const { view } = await ask('/');
  expect(view.answer).toMatchObject({ status: 200, loaderData: 'page' });
  expect(view.answer.slots).toEqual({
    'mfe-x/fine': { data: 'well' },
    'mfe-x/empty': { data: null },
    'mfe-x/rejects': null,
    'mfe-x/throws': null,
    'mfe-x/silent': null,
    'mfe-y/absent': null,
  });
  expect(lines.map(({ slot }) => slot).sort()).toEqual(['mfe-x/rejects', 'mfe-x/silent', 'mfe-x/throws']);
});

test('the loaders of a page and its slots run side by side', async () => {
  const both = Promise.withResolvers<string>();
  const { ask } = site([{ slots: ['mfe-x/s'], loader: () => both.promise }], {
    'mfe-x/s': async () => {
      both.resolve('released by the slot');
      return null;
    },
  });
  expect((await ask('/')).view.answer.loaderData).toBe('released by the slot');
});

test('an action comes first; a redirect after it runs no loader', async () => {
  const calls: string[] = [];
  const { ask } = site([
    {
      path: '/form',
      action: async () => {
        calls.push('action');
        return redirect('/done?x=1');
      },
      loader: async () => calls.push('loader'),
    },
  ]);
  expect((await ask('/form', 'POST')).view.answer).toMatchObject({ status: 303, redirect: '/done?x=1' });
  expect(calls).toEqual(['action']);
  await ask('/form');
  expect(calls).toEqual(['action', 'loader']);
});

test('a form that does not validate is 422 with the page’s data, its messages and what was written', async () => {
  const { ask } = site([{ action: async () => invalid({ name: 'missing' }, { email: 'a@b' }), loader: async () => 'data' }]);
  expect((await ask('/', 'POST')).view.answer).toMatchObject({
    status: 422,
    errors: { name: 'missing' },
    values: { email: 'a@b' },
    loaderData: 'data',
  });
});

test('a POST to a page without an action is 405', async () => {
  const outcome = await site([{ loader: async () => 'data' }]).ask('/', 'POST');
  expect(outcome).toMatchObject({ headers: { Allow: 'GET, HEAD' }, view: { answer: { status: 405 } } });
  expect(outcome.view.answer.loaderData).toBeUndefined();
});

test('a redirect never leaves the site', async () => {
  for (const to of ['//evil.example', '/\\evil.example', '/\t/evil.example', '/\n\\evil.example', 'https://evil.example/', '']) {
    const { ask } = site([{ loader: async () => redirect(to) }]);
    expect((await ask('/')).view.answer, to).toMatchObject({ status: 500 });
  }
});

test('a path of a release that could not be used is unavailable for now, and others are not', async () => {
  const { ask, lines } = site([{ path: '/' }]);
  expect(await ask('/broken/1')).toMatchObject({
    matched: null,
    spoiled: true,
    headers: { 'Retry-After': '60' },
    view: { answer: { status: 503 } },
  });
  expect((await ask('/broken')).view.answer.status).toBe(404);
  expect(lines).toEqual([]);
});

test('a fenced route runs nothing and is 503 until its fence ends, to a GET and to a POST; another release’s is free', async () => {
  const ran: string[] = [];
  const { ask, fenced, lines } = site([{ path: '/loop', loader: async () => ran.push('loader'), action: async () => ran.push('action') }]);
  const fence = { mfe: 'mfe-x', version: '1.0.0', part: '/loop', leftMs: 20_000 };
  fenced.set([fence]);
  for (const method of ['GET', 'POST']) {
    const outcome = await ask('/loop', method);
    expect([outcome.view.answer.status, outcome.spoiled]).toEqual([503, true]);
    expect(Number(outcome.headers['Retry-After'])).toBeGreaterThan(18);
  }
  expect(ran).toEqual([]);
  expect(lines).toEqual([]);
  for (const free of [[{ ...fence, leftMs: 0 }], [{ ...fence, version: '1.0.1' }], []]) {
    fenced.set(free);
    expect(await ask('/loop')).toMatchObject({ spoiled: false, view: { answer: { status: 200 } } });
  }
  expect(ran).toHaveLength(3);
});

test('a fenced slot is null, and the page is one that no cache keeps', async () => {
  const { ask, fenced } = site([{ slots: ['mfe-x/s', 'mfe-x/t'] }], { 'mfe-x/s': async () => 'slot', 'mfe-x/t': async () => 'other' });
  expect((await ask('/')).incomplete).toBe(false);
  fenced.set([{ mfe: 'mfe-x', version: '1.0.0', part: 'mfe-x/s', leftMs: 20_000 }]);
  expect(await ask('/')).toMatchObject({
    incomplete: true,
    spoiled: true,
    view: { answer: { slots: { 'mfe-x/s': null, 'mfe-x/t': { data: 'other' } } } },
  });
});

test('a page that lacks a slot is spoiled by what its release did, and not by a service that is away or slow', async () => {
  const slots: Record<string, [loader: NonNullable<MfeRoute['loader']>, spoiled: boolean]> = {
    'mfe-x/broken': [() => Promise.reject(new TypeError('a mistake')), true],
    'mfe-x/circular': [async () => 1n, true],
    'mfe-x/away': [async () => unavailable(), false],
    'mfe-x/slow': [({ context }) => context.services.slow?.request('/') ?? never, false],
    'mfe-x/silent': [() => never, true],
    'mfe-y/absent': [async () => 'unknown', false],
  };
  for (const [name, [loader, spoiled]] of Object.entries(slots)) {
    const { ask } = site([{ slots: [name] }], name.startsWith('mfe-x') ? { [name]: loader } : {});
    expect(await ask('/'), name).toMatchObject({ spoiled, view: { answer: { status: 200, slots: { [name]: null } } } });
  }
});

test('a visitor who leaves is no failure: nothing is logged or spoiled, and nothing more is run', async () => {
  const ran: string[] = [];
  for (const [path, method] of [
    ['/', 'GET'],
    ['/form', 'POST'],
  ] as const) {
    const gone = new Ending();
    const leave = async () => {
      gone.end(new Error('the visitor has left'));
      return unavailable();
    };
    const { ask, lines } = site(
      [
        { path: '/', loader: leave, slots: ['mfe-x/s'] },
        { path: '/form', action: leave, loader: async () => ran.push('loader') },
      ],
      { 'mfe-x/s': () => Promise.reject(new TypeError('aborted')) },
    );
    expect(await ask(path, method, gone)).toMatchObject({ spoiled: false, headers: {} });
    expect(lines).toEqual([]);
  }
  expect(ran).toEqual([]);
});

test('what a loader, an action or a form’s texts hold that is no JSON is 500 with a digest; in a slot it is the slot’s', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  let deep: unknown = 'deep';
  for (let i = 0; i < 100_000; i++) deep = [deep];
  for (const garbage of [circular, 1n, () => 'function', Symbol('symbol'), deep]) {
    const { ask } = site(
      [
        { path: '/loader', loader: async () => garbage },
        { path: '/action', action: async () => garbage },
        { path: '/form', action: async () => invalid({ field: garbage as string }, {}) },
        { path: '/slot', slots: ['mfe-x/s', 'mfe-x/fine'] },
      ],
      { 'mfe-x/s': async () => garbage, 'mfe-x/fine': async () => 'well' },
    );
    const failed = { status: 500, digest: expect.any(String) };
    expect((await ask('/loader')).view.answer).toMatchObject(failed);
    expect((await ask('/action', 'POST')).view.answer).toMatchObject(failed);
    // Inside of an object, a function or symbol is left out by JSON.
    if (!['function', 'symbol'].includes(typeof garbage)) expect((await ask('/form', 'POST')).view.answer).toMatchObject(failed);
    expect((await ask('/slot')).view.answer).toMatchObject({ status: 200, slots: { 'mfe-x/s': null, 'mfe-x/fine': { data: 'well' } } });
  }
});

test('a page gets what a browser gets: JSON that shares nothing with the release', async () => {
  const kept = { at: new Date(0), absent: undefined };
  const { ask } = site([{ loader: async () => kept }]);
  const { loaderData } = (await ask('/')).view.answer;
  expect(loaderData).toStrictEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test('a status or header that no answer can have is 500', async () => {
  const { ask } = site([{ loader: async () => unauthorized('Bearer\r\nX-Evil: 1') }]);
  expect(await ask('/')).toMatchObject({ headers: {}, view: { answer: { status: 500 } } });
});

test('every handler runs as the work of its release, its route or slot, and its request, across awaits', async () => {
  const seen: unknown[] = [];
  const look = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push(currentWork());
    return null;
  };
  const { ask } = site([{ path: '/x', action: look, loader: look, slots: ['mfe-x/s'] }], { 'mfe-x/s': look });
  await ask('/x', 'POST');
  const work = { mfe: 'mfe-x', version: '1.0.0', requestId: 'request-1' };
  expect(seen).toHaveLength(3);
  expect(seen).toEqual(
    expect.arrayContaining([
      { ...work, part: '/x' },
      { ...work, part: 'mfe-x/s' },
    ]),
  );
  expect(currentWork()).toBeUndefined();
});
