import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { page } from '../../fixtures/page-cache.ts';
import { siteOf } from '../../test/cached-site.ts';

const long = 'Calibrated at 20 °C. '.repeat(500);

describe('an answer', () => {
  test('goes out packed as the visitor takes it, and is the same when unpacked', async () => {
    const site = await siteOf(async () => page(long));
    for (let round = 0; round < 3; round++) {
      const br = await site.visit('/news', { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
      const gzip = await site.visit('/news', { headers: { 'accept-encoding': 'br;q=0, GZIP;q=0.5' } });
      expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
      expect([brotliDecompressSync(br.body).toString(), gunzipSync(gzip.body).toString()]).toEqual([long, long]);
      expect(br.headers['content-length']).toBe(String(br.body.length));
      for (const taken of ['', 'identity', 'deflate, zstd', '*;q=0'])
        expect((await site.visit('/news', { headers: { 'accept-encoding': taken } })).text).toBe(long);
      expect((await site.visit('/news', { headers: { 'accept-encoding': '*' } })).headers['content-encoding']).toBe('br');
    }
    expect(site.asked).toHaveLength(1);
  });

  test('is not sent to who has it already; HEAD has the same headers as GET', async () => {
    const site = await siteOf(async () => page(long));
    const { headers } = await site.visit('/news', { method: 'HEAD' });
    const etag = headers.etag as string;
    expect(etag).toMatch(/^W\/".{22}"$/);
    const full = await site.visit('/news');
    const head = await site.visit('/news', { method: 'HEAD' });
    expect(head.body).toHaveLength(0);
    expect({ ...head.headers, date: '' }).toEqual({ ...full.headers, date: '' });
    for (const condition of [etag, `"other", ${etag}`, '*', etag.slice(2)]) {
      const { status, body, headers: kept } = await site.visit('/news', { headers: { 'if-none-match': condition } });
      expect([status, body.length], condition).toEqual([304, 0]);
      // A browser puts these in place of those that it has kept.
      expect(kept).toMatchObject({ etag, 'content-security-policy': "default-src 'self'", vary: 'Accept-Encoding' });
      expect(kept).not.toHaveProperty('content-length');
    }
    expect((await site.visit('/news', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect(site.asked).toHaveLength(1);
  });

  test('whose shell names an ETag keeps it', async () => {
    const site = await siteOf(async () => page('x', { etag: 'W/"of-the-shell"' }));
    expect((await site.visit('/news')).headers.etag).toBe('W/"of-the-shell"');
  });

  test.each([404, 410, 301, 500])('of status %i is never 304, whatever ETag the shell names', async (status) => {
    const site = await siteOf(async () => ({ ...page('x', { etag: '"x"' }), status }));
    for (const condition of ['"x"', '*'])
      expect((await site.visit('/news', { headers: { host: 'site.example', 'if-none-match': condition } })).status).toBe(status);
  });
});
