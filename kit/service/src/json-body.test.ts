import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonBody } from './json-body.ts';
import { type Listener, listen } from './listener.ts';
import { createLog } from './log.ts';
import { problemHandler } from './problem.ts';

let listener: Listener;
beforeAll(async () => {
  const app = express();
  app.post('/', jsonBody('1kb'), (req, res) => void res.json({ was: req.body }));
  app.use(problemHandler(createLog('test')));
  listener = await listen(app, { port: 0, host: '127.0.0.1' });
});
afterAll(() => listener.drain());

async function post(type: string, body: BodyInit = '{"a":1}', headers: Record<string, string> = {}) {
  const res = await fetch(`http://127.0.0.1:${listener.port}/`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
  return { status: res.status, body: await res.json() };
}

it.each(['application/json', 'Application/JSON ; charset="UTF-8"', 'application/json;charset=utf-8'])('reads %s', async (type) => {
  expect(await post(type)).toEqual({ status: 200, body: { was: { a: 1 } } });
});

it.each(['text/plain', 'application/json; charset=utf-7', 'application/json; charset=utf-16', 'application/jsonx', 'application/ld+json'])(
  'refuses %s',
  async (type) => {
    expect(await post(type)).toMatchObject({ status: 415, body: { detail: expect.stringContaining('application/json in UTF-8') } });
  },
);

it('refuses what is compressed, is no JSON or too large', async () => {
  const packed = new Uint8Array(gzipSync('{"a":1}'));
  expect((await post('application/json', packed, { 'content-encoding': 'gzip' })).status).toBe(415);
  expect((await post('application/json', '{"a":')).status).toBe(400);
  expect((await post('application/json', JSON.stringify('a'.repeat(1100)))).status).toBe(413);
});
