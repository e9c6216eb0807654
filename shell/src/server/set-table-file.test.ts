import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLog } from '@colonnade/service/log';
import { problemHandler } from '@colonnade/service/problem';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import type { SetTable } from '../set-table.ts';
import { setTableFile } from './set-table-file.ts';

const table: SetTable = { set: '0123456789ab', entries: { 'mfe-ä': '/_mfe/a.js' }, routes: [], slots: {}, errorCss: [], integrity: {} };
const texts = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/_mfe/${i}.js`, 'sha384-…']));

async function serve(dev: boolean) {
  const { integrity, send } = setTableFile({ ...table, integrity: texts }, dev);
  const server = express()
    .get('/_mfe/sets/:file', send)
    .use(problemHandler(createLog('test')))
    .listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const ask = (accept: string, file = `${table.set}.json`) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/_mfe/sets/${file}`, { headers: { 'Accept-Encoding': accept } });
  return { integrity, ask };
}

test('the table comes packed, and its text is what documents say it is', async () => {
  const { integrity, ask } = await serve(false);
  for (const [accept, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await ask(accept);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({ ...table, integrity: texts });
    expect(`sha256-${createHash('sha256').update(text).digest('base64')}`).toBe(integrity);
    expect(Number(answer.headers.get('content-length')) < text.length / 2).toBe(encoding !== null);
  }
  expect((await ask('br', 'ffffffffffff.json')).status).toBe(404);
});

test('in development it may change in place, so that no document says what it is', async () => {
  const { integrity, ask } = await serve(true);
  expect(integrity).toBeUndefined();
  expect((await ask('br')).headers.get('cache-control')).toBe('no-cache');
});
