/** Bodies that are meant to hurt whoever reads them: each is answered with a 4xx, soon, and stores nothing. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { draft, type Service, startService } from '../../fixtures/service.ts';

/** What the largest body that an editor can send may keep the processor busy, with all that is around it in this process. */
const busyMs = 1500;
const busy = (since: NodeJS.CpuUsage) => process.cpuUsage(since).user / 1000;
const { title: _, ...others } = draft(1);
/** All but the title, which a body begins with. */
const rest = JSON.stringify(others).slice(1);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const keys = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":0`).join()}}`;

let service: Service;
let editor: Awaited<ReturnType<Service['staff']>>;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'news_json_test');
  editor = await service.staff();
});
afterAll(() => service.close());

it.each<[string, number, BodyInit, Record<string, string>?]>([
  ['8,000 levels', 422, `{"title":${nested(8000)},${rest}`],
  ['8,000 levels of objects', 422, `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`],
  ['200,000 levels', 422, `{"title":${nested(200_000)},${rest}`],
  ['levels without an end', 400, '['.repeat(500_000)],
  ['100,000 keys', 413, keys(100_000)],
  ['as many keys as fit', 422, keys(45_000)],
  ['a number beyond all numbers', 422, `{"title":1e999,${rest}`],
  ['a number of 500,000 digits', 422, `{"title":${'9'.repeat(500_000)}}`],
  ['UTF-7', 415, `{"title":"a",${rest}`, { 'content-type': 'application/json; charset=utf-7' }],
  ['UTF-16 that says it is UTF-8', 400, Buffer.from(`{"title":"a",${rest}`, 'utf16le')],
  ['a bomb', 415, new Uint8Array(gzipSync(Buffer.alloc(50_000_000, 0x20))), { 'content-encoding': 'gzip' }],
  ['a title of 500 kB', 422, JSON.stringify({ ...draft(1), title: 'a'.repeat(500_000) })],
  ['a title of 500 kB that ends in NUL', 422, JSON.stringify({ ...draft(1), title: `${' a'.repeat(250_000)}\0` })],
  ['an id of 500 kB', 422, JSON.stringify({ ...draft(1), newsId: `${'a-'.repeat(250_000)}!` })],
  ['a date of 500 kB', 422, JSON.stringify({ ...draft(1), publishedAt: `2026-01-01T00:00:00.${'0'.repeat(500_000)}` })],
])('refuses %s', async (_what, expected, text, headers) => {
  const before = process.cpuUsage();
  const answer = await editor('POST', '', { text, headers });
  expect(answer.status).toBe(expected);
  expect(JSON.stringify(answer.body).length).toBeLessThan(10_000);
  expect(busy(before)).toBeLessThan(busyMs);
  expect(await service.collections.news.countDocuments()).toBe(0);
});

it('would find a body that keeps the process busy', () => {
  const before = process.cpuUsage();
  // An expression that goes back from each place of a text takes four times as long for twice the text.
  for (let length = 20_000; busy(before) < busyMs; length *= 2) expect(/\s+$/.test(`${' '.repeat(length)}x`)).toBe(false);
  expect(busy(before)).toBeGreaterThan(busyMs);
}, 60_000);

it('takes half of a surrogate pair and a mark of the byte order without falling over', async () => {
  const half = await editor('POST', '', { text: JSON.stringify(draft(1, { title: 'Half \ud83d', body: '\udc00' })) });
  expect(half.status).toBe(201);
  expect((await service.collections.news.findOne({ newsId: 'item-001' }))?.title).toBe('Half \ufffd');
  expect((await editor('POST', '', { text: `\ufeff${JSON.stringify(draft(2))}` })).status).toBe(201);
});
