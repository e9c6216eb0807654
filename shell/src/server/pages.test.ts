import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalid, redirect } from '@colonnade/mfe';
import type { Ending } from '@colonnade/service/ending';
import express from 'express';
import { Fragment } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FencedParts } from './containment/fenced-parts.ts';
import { type PagesOptions, pages } from './pages.ts';
import { setTable } from './release-set.ts';
import { createResponder } from './respond.ts';

const site = { name: 'Nollvik', language: 'en', origin: 'https://www.nollvik.example' };

test('nothing is rendered for a visitor who has left', async () => {
  const asked = Promise.withResolvers<Ending>();
  const answered = Promise.withResolvers<object>();
  const respond = ({ gone }: { gone: Ending }) => {
    asked.resolve(gone);
    return answered.promise;
  };
  const responder = { respond, during: vi.fn() };
  const options = { set: { id: 'set-1' }, table: { routes: [] }, chrome: { site }, responder };
  const handler = pages(options as unknown as PagesOptions);
  const handled = Promise.withResolvers<void>();
  const app = express().use(async (req, res, next) => {
    await handler(req, res, next);
    handled.resolve();
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const visitor = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  visitor.on('error', () => {});
  const gone = await asked.promise;
  visitor.destroy();
  await expect.poll(() => gone.reason).toBeDefined();
  answered.resolve({ view: { answer: { status: 503 } }, matched: null, headers: {} });
  await handled.promise;
  expect(responder.during).not.toHaveBeenCalled();
});

/** A site with two microfrontends that have a page each. @returns asks for the first one's */
async function siteOf(responder: (set: PagesOptions['set']) => object, later: { later?: string[] } = {}) {
  const releases = ['mfe-x', 'mfe-y'].map((name) => ({
    release: {
      ...{ name, version: '1.0.0', client: { entry: 'client/remote.js', expose: { js: [], css: [] } }, slots: [] },
      routes: [
        { id: 'page', path: `/${name}`, slots: [], cache: 'none', hydrate: true, files: { js: ['client/page.js'], css: [], ...later } },
      ],
      files: Object.fromEntries(['remote', 'page', 'later'].map((file) => [`client/${file}.js`, `sha384-${file}`])),
    },
  }));
  const shell = { entry: 'main.js', js: ['main.js'], css: [], errorCss: [], fonts: [], files: { 'main.js': 'sha384-main' } };
  const set = { id: 'set-1', shell, releases } as unknown as PagesOptions['set'];
  const chrome = { site, nav: [], contact: { phone: '' }, footer: { address: [], links: [], note: '' } };
  const table = setTable(set, true);
  const server = express()
    .use(pages({ set, table, chrome, responder: responder(set), dev: false } as unknown as PagesOptions))
    .listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const ask = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mfe-x`);
  return { ask, files: table.routes[0]?.files };
}

/** What the head of a page names, and what the set table says of the page's files. */
async function documentOf(later: { later?: string[] }) {
  const view = { url: '/mfe-x', params: {}, answer: { set: 'set-1', status: 200 }, route: { Component: Fragment, slots: {} } };
  const outcome = { view, matched: { mfe: 'mfe-x', id: 'page', route: {} }, headers: {} };
  const responder = { respond: async () => outcome, during: (_outcome: object, _id: string, work: () => unknown) => work() };
  const { ask, files } = await siteOf(() => responder, later);
  const html = await (await ask()).text();
  const preloads = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, url]) => url);
  const [, map = '{"integrity":{}}'] = /<script type="importmap">(.*?)<\/script>/.exec(html) ?? [];
  return { preloads, integrity: JSON.parse(map).integrity as object, files };
}

test('what any page’s code imports later is in the import map of each document, and nothing fetches it ahead', async () => {
  const own = ['/_mfe/mfe-x/1.0.0/remote.js', '/_mfe/mfe-x/1.0.0/page.js'];
  const without = await documentOf({});
  expect(Object.keys(without.integrity)).toEqual(['/_mfe/shell/main.js', ...own]);
  const { preloads, integrity, files } = await documentOf({ later: ['client/later.js'] });
  const later = { '/_mfe/mfe-x/1.0.0/later.js': 'sha384-later', '/_mfe/mfe-y/1.0.0/later.js': 'sha384-later' };
  expect(integrity).toEqual({ ...without.integrity, ...later });
  expect(preloads).toEqual(own);
  expect(files).toEqual({ js: own.slice(1), css: [] });
});

for (const [what, throws] of [
  ['a redirect', () => redirect('/mfe-x')],
  ['a form that is not taken', () => invalid({ name: 'missing' }, {})],
] as const) {
  test(`${what} thrown while rendering is a failure of the page`, async () => {
    // A page that goes on throwing would be rendered for ever.
    const Component = vi.fn(() => (Component.mock.calls.length < 10 ? throws() : null));
    const error = vi.fn();
    const { ask } = await siteOf(({ releases }) => {
      const whole = { id: 'page', path: '/mfe-x', load: async () => ({ default: Component }) };
      const [release] = releases.map(({ release }) => release);
      const route = { mfe: 'mfe-x', id: 'page', Component, slots: {}, route: whole, release };
      const limits = { routeDeadlineMs: 300, slotDeadlineMs: 50 };
      const remotes = { mfes: [], routes: [route], slots: new Map() };
      return createResponder({
        ...{ set: 'set-1', remotes, brokenPaths: [], fenced: new FencedParts(), site, clients: () => ({}), log: { error }, ...limits },
      } as unknown as Parameters<typeof createResponder>[0]);
    });
    const answer = await ask();
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('data-status="500"');
    expect(error.mock.calls).toMatchObject([[{ route: '/mfe-x', digest: expect.any(String) }, 'page failed']]);
  });
}
