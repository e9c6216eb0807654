import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendPacked } from './packed.ts';
import { packPart } from './packed-part.ts';

const page = Buffer.from('a page '.repeat(1000));
/** Packed off the event loop. */
const book = Buffer.from('a page '.repeat(20_000));
let server: Server;
beforeAll(async () => {
  const app = express().disable('etag');
  app.get('/page', (req, res) => sendPacked(req, res, page));
  app.get('/known', (req, res) => sendPacked(req, res, page, packPart(page.subarray(0, 5000))));
  app.get('/book', (req, res) => sendPacked(req, res, book));
  app.get('/word', (req, res) => sendPacked(req, res, Buffer.from('word')));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => server.close());

async function ask(path: string, accepted: string) {
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve) =>
    get({ port, path, agent: false, headers: { 'Accept-Encoding': accepted } }, resolve),
  );
  return { headers: answer.headers, body: await buffer(answer) };
}

test.each([
  ['/page', page],
  ['/known', page],
  ['/book', book],
])('packs %s where the browser takes it packed, and says that it depends on that', async (path, plain) => {
  const { headers, body } = await ask(path, 'gzip, deflate, br, zstd');
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length), vary: 'Accept-Encoding' });
  expect(body.length).toBeLessThan(plain.length / 10);
  expect(gunzipSync(body)).toEqual(plain);
});

test.each([
  ['identity', '/page'],
  ['gzip;q=0, identity', '/page'],
  ['br', '/page'],
  ['gzip', '/word'],
])('sends it plain where %j is accepted for %s', async (accepted, path) => {
  const { headers, body } = await ask(path, accepted);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Accept-Encoding');
  expect(body).toEqual(path === '/page' ? page : Buffer.from('word'));
});
