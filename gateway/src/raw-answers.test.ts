/** What Node cannot parse is answered where an answer is due, and nowhere else. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { door } from '../test/door.ts';
import { sendRaw } from '../test/raw.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: site.example\r\n\r\n`;
const postHead = 'POST /inquiry HTTP/1.1\r\nHost: site.example\r\nTransfer-Encoding: chunked\r\n\r\n';
const tornPost = `${postHead}not a chunk\r\n\r\n`;
const connectLine = 'CONNECT a:80 HTTP/1.1\r\nHost: site.example\r\n\r\n';
const statuses = (all: string) => all.match(/HTTP\/1\.1 \d+/g);

/** All that comes until the connection ends; `then` is sent with its first bytes. */
async function talk(port: number, first: string, then: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  let all = '';
  socket.on('data', (chunk) => {
    if (all === '') socket.write(then);
    all += chunk;
  });
  socket.write(first);
  await once(socket, 'close');
  return all;
}

test('a request that was answered before its end gets no second answer when it turns out torn', async () => {
  const port = await door((_req, res) => res.end('ok'));
  expect(statuses(await talk(port, postHead.replace('/inquiry', '/api/news'), 'not a chunk\r\n\r\n'))).toEqual(['HTTP/1.1 405']);
});

test('nothing is written into another answer, however many requests wait behind it', async () => {
  const port = await door((req, res) => {
    if (req.url === '/api/news') res.write('begun');
  });
  for (const waiting of ['', get('/api/news/a'), get('/api/news/a') + get('/api/news/b')]) {
    for (const last of ['not HTTP\r\n\r\n', connectLine]) {
      const all = await talk(port, get('/api/news') + waiting, last);
      expect([statuses(all), all.endsWith('begun\r\n')], waiting + last).toEqual([['HTTP/1.1 200'], true]);
    }
  }
});

test('a refusal is no answer to a request before it', async () => {
  const port = await door(() => {});
  for (const before of [get('/api/news'), get('/api/news') + get('/api/news/a')])
    for (const torn of ['not HTTP\r\n\r\n', tornPost, connectLine]) expect((await sendRaw(port, before + torn, 500)).all).toBe('');
});

test('a request whose end is torn gets the refusal for its answer', async () => {
  const port = await door(() => {});
  expect(statuses((await sendRaw(port, tornPost)).all)).toEqual(['HTTP/1.1 400']);
});

test('after whole answers the refusal is the next one', async () => {
  const port = await door((_req, res) => res.end('ok'));
  expect(statuses(await talk(port, get('/api/news'), 'not HTTP\r\n\r\n'))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});
