import { createServer, type RequestListener } from 'node:http';
import { eventStream, type StreamEvent } from '@colonnade/release/event-stream';
import { afterEach, expect, test } from 'vitest';
import { listening } from '../fixtures/page-cache.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}
async function read(url: string, silenceMs = 10_000): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of eventStream(url, { signal: new AbortController().signal, silenceMs })) events.push(event);
  return events;
}

test('reads events however the network cuts them', async () => {
  const text = ':\n\nevent: change\ndata: {"title":\ndata: "測定"}\nid: a1\n\n: still here\nid: a2\n\ndata:x\n\ndata: not ended';
  const url = await serving(async (_req, res) => {
    for (const byte of Buffer.from(text)) {
      res.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    res.end();
  });
  expect(await read(url)).toEqual([
    { name: 'message', data: '', id: undefined },
    { name: 'change', data: '{"title":\n"測定"}', id: 'a1' },
    { name: 'message', data: '', id: 'a2' },
    { name: 'message', data: 'x', id: undefined },
  ]);
});

test('takes a stream that has fallen silent for dead, and says what was answered instead of a stream', async () => {
  const silent = await serving((_req, res) => void res.writeHead(200).write('data: 1\n\n'));
  await expect(read(silent, 100)).rejects.toThrow('has fallen silent');
  const refusing = await serving((_req, res) => void res.writeHead(503).end());
  await expect(read(refusing)).rejects.toThrow('answers 503');
});

test('follows nobody to another address', async () => {
  const asked: string[] = [];
  const url = await serving((req, res) => {
    asked.push(req.url ?? '');
    res.writeHead(302, { Location: '/elsewhere' }).end();
  });
  await expect(read(`${url}/changes`)).rejects.toThrow();
  expect(asked).toEqual(['/changes']);
});
