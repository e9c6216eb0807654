/** Nothing that a visitor sends beside a page's own URL may be in what the next one gets. The shell here repeats all that it is told. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import express, { type RequestHandler } from 'express';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CachedSite, listening, log, visit } from '../../fixtures/page-cache.ts';
import { createUpstream } from '../upstream.ts';
import { upstreamMetrics } from '../upstream-metrics.ts';

const headers = `
  x-forwarded-host x-forwarded-for x-forwarded-proto x-forwarded-scheme x-forwarded-port x-forwarded-prefix x-forwarded-server x-forwarded-path
  x-forwarded-ssl forwarded via x-host x-original-host x-original-url x-rewrite-url x-http-method x-http-method-override x-method-override
  x-real-ip x-client-ip true-client-ip cf-connecting-ip fastly-client-ip x-cluster-client-ip x-originating-ip x-custom-ip-authorization
  origin referer user-agent accept accept-language accept-charset cookie authorization from range if-match if-none-match if-modified-since
  if-unmodified-since if-range cache-control pragma prefer priority early-data dnt save-data viewport-width width dpr device-memory
  downlink ect rtt sec-ch-ua sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site x-requested-with x-csrf-token x-wap-profile
  x-middleware-subrequest x-nextjs-data x-invoke-status x-colonnade-tags x-colonnade-preview x_forwarded_host content-language x-arbitrary
`.match(/\S+/g) as string[];
const queryKeys = `
  utm_source utm_campaign utm_content gclid fbclid mc_cid _ __ callback jsonp lang locale redirect next url ref debug preview version v
  _method __proto__ constructor category[] PAGE Page%20 page%00 _Data data_ amp;page %3Cscript%3E x-forwarded-host host format theme
`.match(/\S+/g) as string[];

const closing: { close(): void }[] = [];
afterAll(() => {
  for (const each of closing) each.close();
});

/** Shows every header and the URL in the page, as a careless page would. */
const reflecting = createServer((req, res) => {
  const { 'x-request-id': _id, connection: _connection, ...told } = req.headers;
  res.writeHead(200, {
    'Content-Type': 'text/html',
    'X-Colonnade-Tags': 'news',
    'X-Release-Set': 'set-1',
    'X-Reflected': JSON.stringify(told),
  });
  res.end(JSON.stringify({ url: req.url, told }));
});
let shellOrigin: string;

beforeAll(async () => {
  shellOrigin = await listening(reflecting);
  closing.push(reflecting);
});

async function cached(): Promise<CachedSite> {
  const upstream = createUpstream({
    name: 'shell',
    target: shellOrigin,
    deadlineMs: 5000,
    maxInFlight: 64,
    maxQueued: 128,
    metrics: upstreamMetrics(new Registry()),
    log,
  });
  const site = await new CachedSite((request) => upstream.fetch(request), upstream.page).start();
  closing.push(site);
  return site;
}

/** What many would write first: keyed by the URL, and the visitor's own request goes on. */
async function naive(): Promise<string> {
  const copies = new Map<string, { headers: IncomingHttpHeaders; body: string }>();
  const handler: RequestHandler = async (req, res) => {
    let copy = copies.get(req.url);
    if (!copy) {
      const answer = await visit(`${shellOrigin}${req.url}`, { headers: req.headers });
      copy = { headers: answer.headers, body: answer.text };
      copies.set(req.url, copy);
    }
    res.set('x-reflected', copy.headers['x-reflected']).send(copy.body);
  };
  const server: Server = createServer(express().use(handler));
  closing.push(server);
  return listening(server);
}

interface Probe {
  name: string;
  dirty(origin: string, path: string): ReturnType<typeof visit>;
}
const canary = (name: string) => `poison-${Buffer.from(name).toString('hex')}`;
const probes: Probe[] = [
  ...headers.map((name) => ({
    name,
    dirty: (origin: string, path: string) => visit(`${origin}${path}`, { headers: { [name]: canary(name) } }),
  })),
  { name: 'host', dirty: (origin, path) => visit(`${origin}${path}`, { headers: { host: `site.example:${0xdead}` } }) },
  { name: 'HEAD', dirty: (origin, path) => visit(`${origin}${path}`, { method: 'HEAD', headers: { 'x-arbitrary': canary('HEAD') } }) },
  ...queryKeys.map((name) => ({
    name: `?${name}`,
    dirty: (origin: string, path: string) => visit(`${origin}${path}?${name}=${canary(name)}`),
  })),
  // The second of two, and a parameter where others split at `;`.
  { name: '?page twice', dirty: (origin, path) => visit(`${origin}${path}?page=1&page=${canary('twice')}`) },
];

/** @returns the probes after which a clean visit shows something else than it did where nobody had poisoned */
async function leaks(origin: string, control: string): Promise<string[]> {
  const leaking: string[] = [];
  for (const [i, { name, dirty }] of probes.entries()) {
    const path = name === '?page twice' ? '/news' : `/news/item-${i}`;
    // Once while the page is not known, and once while it is answered before the application.
    for (let round = 0; round < 2; round++) {
      await dirty(origin, path);
      for (const at of [origin, control]) await visit(`${at}${path}`);
    }
    const query = name === '?page twice' ? '?page=1' : '';
    const [after, before] = await Promise.all([visit(`${origin}${path}${query}`), visit(`${control}${path}${query}`)]);
    const all = JSON.stringify(after.headers) + after.text;
    if (after.text !== before.text || after.headers['x-reflected'] !== before.headers['x-reflected'] || all.includes('poison-'))
      leaking.push(name);
  }
  return leaking;
}

describe('what a visitor sends', () => {
  test(`by ${headers.length} headers and ${queryKeys.length} query keys, is in no copy`, async () => {
    expect(headers.length).toBeGreaterThan(60);
    const [site, control] = await Promise.all([cached(), cached()]);
    expect(await leaks(site.origin, control.origin)).toEqual([]);
    expect(site.first).toBeGreaterThan(headers.length);
  });

  test('would be, in a cache that is keyed by the URL and passes the request on', async () => {
    const [site, control] = await Promise.all([naive(), naive()]);
    const leaking = await leaks(site, control);
    // Query keys stand in that key; the first visitor's headers are everybody's.
    expect(leaking).toEqual(expect.arrayContaining(['x-forwarded-host', 'cookie', 'accept-language', 'host', 'HEAD']));
    expect(leaking.length).toBeGreaterThanOrEqual(headers.length);
  });
});

test('two representations of one address are never taken for each other', async () => {
  const site = await cached();
  const data = await visit(`${site.origin}/news?_data=set-1`);
  const page = await visit(`${site.origin}/news`);
  expect([JSON.parse(data.text).url, JSON.parse(page.text).url]).toEqual(['/news?_data=set-1', '/news']);
});
