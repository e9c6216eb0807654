/** Bodies that are meant to hurt whoever reads them: each is answered with a 4xx, soon, and stores nothing. */
import { gzipSync } from 'node:zlib';
import { listen } from '@colonnade/service/listener';
import express from 'express';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { busyLimitMs, busySince } from '../../fixtures/busy.ts';
import { startTestService, type TestService, valid } from '../../fixtures/inquiry-service.ts';

/** What a body may keep the processor busy, with all that is around it in this process. */
const limitMs = busyLimitMs(50_000);
const { name: _, ...others } = valid;
/** All but the name, which a body begins with. */
const rest = JSON.stringify(others).slice(1);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const keys = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":0`).join()}}`;
const json = 'application/json';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_json_test' });
});
afterAll(() => service.close());

it.each<[string, number, BodyInit, Record<string, string>?]>([
  ['8,000 levels', 422, `{"name":${nested(8000)},${rest}`],
  ['8,000 levels beside', 422, `{"x":${nested(8000)},${rest}`],
  ['8,000 levels of objects', 413, `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`],
  ['levels without an end', 400, '['.repeat(30_000)],
  ['100,000 keys', 413, keys(100_000)],
  ['as many keys as fit', 422, keys(3000)],
  ['a key of 30 kB', 422, `{"${'k'.repeat(30_000)}":1}`],
  ['a number beyond all numbers', 422, `{"name":1e999,${rest}`],
  ['a number of 30,000 digits', 422, `{"name":${'9'.repeat(30_000)}}`],
  ['__proto__ twice', 422, `{"__proto__":{},"__proto__":{"a":1},${rest}`],
  ['a comment', 400, `{/**/${rest}`],
  ['NaN', 400, `{"name":NaN,${rest}`],
  ['NUL', 400, '\0'],
  ['UTF-16', 415, Buffer.from(`{${rest}`, 'utf16le'), { 'content-type': `${json}; charset=utf-16le` }],
  ['UTF-16 that says it is UTF-8', 400, Buffer.from(`{${rest}`, 'utf16le')],
  ['UTF-7', 415, `{${rest}`, { 'content-type': `${json}; charset=utf-7` }],
  ['two charsets', 415, `{${rest}`, { 'content-type': `${json}; charset=utf-8; charset=utf-7` }],
  ['bytes that are not UTF-8', 422, Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0x80, 0xff]), Buffer.from('"}')])],
  ['a bomb', 415, new Uint8Array(gzipSync(Buffer.alloc(50_000_000, 0x20))), { 'content-encoding': 'gzip' }],
  ['a bomb in a bomb', 415, 'x', { 'content-encoding': 'gzip, gzip' }],
])('refuses %s', async (_what, expected, body, headers = {}) => {
  const before = process.threadCpuUsage();
  const { status, text } = await service.send('POST', '/api/inquiries', { body, headers });
  expect(status).toBe(expected);
  expect(text.length).toBeLessThan(1000);
  expect(busySince(before)).toBeLessThan(limitMs);
  expect(await service.inquiries.countDocuments()).toBe(0);
});

it('takes the last of two values, a mark of the byte order and half of a surrogate pair without falling over', async () => {
  for (const [body, name] of [
    [`{"name":{"$gt":""},${JSON.stringify({ ...valid, name: 'Last' }).slice(1)}`, 'Last'],
    [`\ufeff${JSON.stringify({ ...valid, name: 'Marked' })}`, 'Marked'],
    // A half has no place in UTF-8: it becomes the character that stands for what is missing.
    [JSON.stringify({ ...valid, name: 'Half \ud83d' }), 'Half \ufffd'],
    [JSON.stringify({ ...valid, name: '\udc00\ud800' }), '\ufffd\ufffd'],
  ] as const) {
    const answer = await service.send('POST', '/api/inquiries', { body });
    expect(answer.status, name).toBe(201);
    expect((await service.inquiries.findOne({ reference: answer.body.reference }))?.name).toBe(name);
  }
});

it('is not what Express does by itself: 8,000 levels, UTF-7', async () => {
  const bare = express().use(express.json());
  bare.post('/', (req, res) => void res.json(req.body));
  // Its own handler would write the stack to the console.
  bare.use(((_error, _req, res, _next) => void res.status(500).end()) as express.ErrorRequestHandler);
  const listener = await listen(bare, { port: 0, host: '127.0.0.1' });
  const ask = async (body: string, type = json) =>
    (await fetch(`http://127.0.0.1:${listener.port}`, { method: 'POST', body, headers: { 'content-type': type, connection: 'close' } }))
      .status;
  expect(await ask(nested(8000))).toBe(500);
  expect(await ask('{}', `${json}; charset=utf-7`)).toBe(200);
  await listener.drain();
});
