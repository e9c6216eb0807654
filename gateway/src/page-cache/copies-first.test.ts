import { expect, test } from 'vitest';
import { visit as plain } from '../../fixtures/page-cache.ts';
import { SetsSite } from '../../test/sets-site.ts';

const cacheStatus = (answer: { headers: Headers }) => answer.headers.get('cache-status') ?? '';
/** Said of one request, or counted on from the first. */
const own = new Set(['x-request-id', 'cache-status', 'date', 'connection', 'keep-alive', 'content-length']);
const fieldsOf = ({ headers }: { headers: Headers }) => Object.fromEntries([...headers].filter(([name]) => !own.has(name)));

async function site() {
  const site = await new SetsSite().start();
  await site.point({ live: 'one' });
  return site;
}

test('what is answered before the application has the same fields and the same body', async () => {
  const { visit, views } = bound(await site());
  const miss = await visit('/news?page=2');
  // The first hit goes through the application, and the URL is known.
  const through = await visit('/news?page=2');
  const before = await visit('/news?page=2');
  expect(miss.headers.get('cache-status')).toContain('fwd=miss');
  expect(cacheStatus(through)).toContain('hit');
  expect(cacheStatus(before)).toContain('hit');
  expect(fieldsOf(before)).toEqual(fieldsOf(through));
  expect(before.headers.get('content-security-policy')).toBeTruthy();
  expect(before.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(before.headers.get('x-colonnade-tags')).toBeNull();
  expect([before.status, before.body]).toEqual([through.status, through.body]);
  expect(await views()).toEqual({ 'live 2xx': 3 });
});

test('what is out of the ordinary goes through the application, as if no copy had ever been known', async () => {
  const { visit, origin } = bound(await site());
  const { headers } = await visit('/');
  const etag = headers.get('etag') as string;
  for (let i = 0; i < 2; i++) await visit('/');
  expect((await visit('/', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const head = await visit('/', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
  expect((await visit('/', { method: 'DELETE' })).status).toBe(405);
  const raw = (headers: Record<string, string>) => plain(`${origin}/`, { headers: { host: 'localhost', ...headers } });
  expect((await raw({})).status).toBe(200);
  expect((await raw({ connection: 'upgrade', upgrade: 'h2c' })).status).toBe(400);
  expect((await raw({ expect: 'a miracle' })).status).toBe(417);
  expect((await raw({ host: 'other.example' })).status).toBe(421);
  // Another spelling is another URL.
  expect((await visit('/%6eews')).status).toBe(308);
});

test('a pointer that moves, a canary and a preview end it at once', async () => {
  const one = await site();
  const { visit } = bound(one);
  for (let i = 0; i < 3; i++) expect((await visit('/')).body).toBe('GET of one');
  await one.point({ live: 'one', canary: 'two', canaryPercent: 100 });
  expect((await visit('/')).body).toBe('GET of two');
  await one.point({ live: 'one' });
  for (let i = 0; i < 3; i++) expect((await visit('/')).body).toBe('GET of one');
  // A cookie of ours means something only the application knows, even a broken one.
  const asked = await visit('/', { cookie: 'colonnade-preview=broken' });
  expect(asked.cookies.join()).toContain('colonnade-preview=;');
});

function bound(site: SetsSite) {
  return { visit: site.visit.bind(site), views: site.views.bind(site), origin: site.gateway };
}
