import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createLog } from '@colonnade/service/log';
import { notFoundHandler, problemHandler } from '@colonnade/service/problem';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseFiles } from './files.ts';

/** As the preset lets microfrontends import them. */
const images = [
  ['a.svg', 'image/svg+xml'],
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.jpeg', 'image/jpeg'],
  ['a.JPG', 'image/jpeg'],
  ['a.webp', 'image/webp'],
  ['a.avif', 'image/avif'],
  ['a.gif', 'image/gif'],
  ['a.ico', 'image/x-icon'],
  ['a.woff2', 'font/woff2'],
  ['a.pdf', 'application/pdf'],
] as const;
let dataDir: string;
let server: Server;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-files-'));
  for (const version of ['1.0.0', 'dev']) {
    const release = path.join(dataDir, 'releases/mfe-x', version);
    mkdirSync(path.join(release, 'client/chunks'), { recursive: true });
    mkdirSync(path.join(release, 'server'));
    writeFileSync(path.join(release, 'client/a.js'), 'plain');
    writeFileSync(path.join(release, 'client/a.js.br'), 'brotli');
    writeFileSync(path.join(release, 'client/a.js.gz'), 'gzip');
    writeFileSync(path.join(release, 'client/b.css'), 'b');
    for (const [file] of images) writeFileSync(path.join(release, 'client', file), 'image');
    writeFileSync(path.join(release, 'client/large.js'), Buffer.alloc(4 * 1024 * 1024, 'x'));
    writeFileSync(path.join(release, 'client/.hidden.js'), 'secret');
    writeFileSync(path.join(release, 'client/page.html'), 'secret');
    writeFileSync(path.join(release, 'server/remote.cjs'), 'secret');
    writeFileSync(path.join(release, 'server/remote.js'), 'secret');
    writeFileSync(path.join(release, 'release.json'), 'secret');
  }
  const app = express();
  app.use('/_mfe', releaseFiles(dataDir), notFoundHandler);
  app.use(problemHandler(createLog('test')));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => {
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** With the path as it is given: `fetch` would resolve dots. */
function ask(
  at: string,
  { method = 'GET', accept = '' } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    get({ host: '127.0.0.1', port, path: at, method, agent: false, headers: accept ? { 'Accept-Encoding': accept } : {} }, async (res) =>
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: await text(res) }),
    ).on('error', reject);
  });
}

test('serves the best encoding the visitor takes, and says that it depends on it', async () => {
  for (const [accept, encoding, body] of [
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['', undefined, 'plain'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
  ] as const) {
    const answer = await ask('/_mfe/mfe-x/1.0.0/a.js', { accept });
    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('Accept-Encoding');
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(answer.headers['content-length']).toBe(String(body.length));
  }
  expect(await ask('/_mfe/mfe-x/1.0.0/b.css', { accept: 'br' })).toMatchObject({ status: 200, body: 'b' });
});

test('images, fonts and documents have their types', async () => {
  for (const [file, type] of images) {
    const answer = await ask(`/_mfe/mfe-x/1.0.0/${file}`, { accept: 'br, gzip' });
    expect(answer, file).toMatchObject({ status: 200, body: 'image', headers: { 'content-type': type } });
  }
});

test('a release’s file never changes; in development it does', async () => {
  expect((await ask('/_mfe/mfe-x/1.0.0/b.css')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await ask('/_mfe/mfe-x/dev/b.css')).headers['cache-control']).toBe('no-cache');
});

test('HEAD has the headers only', async () => {
  const head = await ask('/_mfe/mfe-x/1.0.0/a.js', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-length']).toBe('5');
});

test('nothing but the client’s files of known types is reachable', async () => {
  for (const at of [
    '',
    '/',
    '/mfe-x',
    '/mfe-x/1.0.0',
    '/mfe-x/1.0.0/',
    '/mfe-x/1.0.0/chunks',
    '/mfe-x/1.0.0/nothing.js',
    '/mfe-x/1.0.0/page.html',
    '/mfe-x/1.0.0/.hidden.js',
    '/mfe-x/1.0.0/../server/remote.js',
    '/mfe-x/1.0.0/..%2fserver%2fremote.js',
    '/mfe-x/1.0.0/%2e%2e/server/remote.js',
    '/mfe-x/1.0.0/..\\server\\remote.js',
    '/../mfe-x/1.0.0/a.js',
    '/mfe-x/1.0.0//a.js',
    '/mfe-x/1.0.0/a.js%00.css',
    '/mfe-x/1.0.0/release.json',
    '/mfe-x/1.0.0/../release.json',
    // Longer than a file's name can be, and than a path.
    `/mfe-x/1.0.0/${'a'.repeat(300)}.js`,
    `/mfe-x/${'1'.repeat(300)}/a.js`,
    `/${'m'.repeat(300)}/1.0.0/a.js`,
    `/mfe-x/1.0.0/${'a/'.repeat(3000)}a.js`,
  ]) {
    const answer = await ask(`/_mfe${at}`, { accept: 'br, gzip' });
    expect(answer.status, at).toBe(404);
    expect(answer.body, at).not.toContain('secret');
  }
});

test.skipIf(!existsSync('/proc/self/fd'))('a visitor who leaves in the middle leaves no file open', async () => {
  const { port } = server.address() as AddressInfo;
  for (let n = 0; n < 10; n++) {
    const asked = get({ host: '127.0.0.1', port, path: '/_mfe/mfe-x/1.0.0/large.js', agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await once(answer, 'data');
    asked.destroy();
  }
  await expect.poll(() => openFiles().filter((file) => file.endsWith('/large.js'))).toEqual([]);
});

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // Closed since.
      return [];
    }
  });
}
