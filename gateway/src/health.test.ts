import express from 'express';
import { expect, test } from 'vitest';
import { listening } from '../test/servers.ts';
import { health } from './health.ts';

interface Survey {
  status: string;
  parts: { name: string; version: string | null; state: string; checks: Record<string, string> }[];
}

const ready = (more: object = {}) =>
  express().get('/readyz', (_req, res) => void res.json({ status: 'ok', checks: { mongodb: 'ok' }, ...more }));

const opsPort = (services: Record<string, string>, workers = { ready: 2, wanted: 2 }) =>
  listening(express().use(health({ services, version: '1.2.3', workers: () => workers })));

async function survey(services: Record<string, string>, workers?: { ready: number; wanted: number }) {
  const { url } = await opsPort(services, workers);
  const started = performance.now();
  const response = await fetch(`${url}/health`);
  const body = (await response.json()) as Survey;
  return {
    status: response.status,
    ms: performance.now() - started,
    states: Object.fromEntries(body.parts.map((part) => [part.name, part])),
  };
}

test('says which releases are broken, fenced or of a revoked key, and how many workers there are', async () => {
  const releases = [
    { name: 'mfe-news', version: '1', broken: 'does not load' },
    { name: 'mfe-inquiry', version: '1', fenced: [{ id: 'inquiry', until: '2026-11-21T08:00:00Z' }] },
    { name: 'mfe-pages', version: '1' },
    { name: 'mfe-careers', version: '1', keyRevokedAt: '2026-11-21T08:00:00Z' },
  ];
  const shell = await listening(ready({ set: 'abc', releases }));
  const { status, states } = await survey({ shell: shell.url }, { ready: 1, wanted: 2 });
  expect(status).toBe(207);
  expect(states.gateway).toMatchObject({ version: '1.2.3', state: 'degraded', checks: { workers: '1 of 2' } });
  expect(states['mfe-news']).toMatchObject({ state: 'down', checks: { live: 'does not load' } });
  expect(states['mfe-inquiry']).toMatchObject({ state: 'degraded', checks: { live: 'ok', fenced: 'inquiry' } });
  expect(states['mfe-pages']).toMatchObject({ state: 'ok' });
  expect(states['mfe-careers']).toMatchObject({ state: 'degraded', checks: { live: 'ok', key: 'revoked on 2026-11-21T08:00:00Z' } });
});

test('a shell that does not hear of releases serves on, and that is said', async () => {
  const shell = await listening(ready({ set: 'abc', releases: [], away: 'the registry at http://127.0.0.1:3203 answers 401' }));
  const { status, states } = await survey({ shell: shell.url });
  expect(status).toBe(207);
  expect(states.shell).toMatchObject({ state: 'degraded', checks: { registry: expect.stringContaining('answers 401') } });
});

test('answers soon, whatever does not', async () => {
  const shell = await listening(ready());
  const frozen = await listening(() => {});
  const trickling = await listening((_req, res) => {
    const drip = setInterval(() => res.write(' '), 100);
    res.on('close', () => clearInterval(drip));
  });
  const { status, ms, states } = await survey({ shell: shell.url, news: frozen.url, inquiry: trickling.url });
  expect(status).toBe(207);
  // Otherwise never.
  expect(ms).toBeLessThan(10_000);
  expect([states.news?.state, states.inquiry?.state]).toEqual(['down', 'down']);
});

test('is 503 where no page can be shown', async () => {
  const frozen = await listening(() => {});
  expect((await survey({ shell: frozen.url })).status).toBe(503);
  const shell = await listening(ready());
  expect((await survey({ shell: shell.url }, { ready: 0, wanted: 2 })).status).toBe(503);
});

test('while the shell does not say what is live, no microfrontend is unknown', async () => {
  const gone = await opsPort({ shell: 'http://127.0.0.1:1' });
  const empty = await opsPort({ shell: (await listening(ready({ set: null, releases: [] }))).url });
  const full = await opsPort({ shell: (await listening(ready({ set: 'abc', releases: [] }))).url });
  for (const [{ url }, status] of [
    [gone, 503],
    [empty, 503],
    [full, 404],
  ] as const) {
    const answer = await fetch(`${url}/health/mfe-news`);
    expect(answer.status).toBe(status);
    if (status === 503) expect(await answer.json()).toMatchObject({ status, title: 'Service unavailable' });
    expect((await fetch(`${url}/health/No%20name`)).status).toBe(404);
  }
});

test('MongoDB is down where one that asks it says so, not where none answers', async () => {
  const shell = (await listening(ready({ checks: {} }))).url;
  const without = (await listening(ready({ status: 'down', checks: { mongodb: 'down' } }))).url;
  const well = (await listening(ready())).url;
  const mongodb = async (news: string, inquiry: string) => (await survey({ shell, news, inquiry })).states.mongodb;
  const gone = 'http://127.0.0.1:1';
  expect(await mongodb(gone, gone)).toMatchObject({ state: 'degraded', checks: { services: 'none answers that could say' } });
  expect(await mongodb(gone, without)).toMatchObject({ state: 'down', checks: { inquiry: 'down' } });
  expect(await mongodb(gone, well)).toMatchObject({ state: 'ok', checks: { inquiry: 'ok' } });
});
