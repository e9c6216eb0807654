import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { beginShutdown, endAtShutdown } from './shutdown.ts';

test('a stream ends when the process starts to shut down, and one that is asked for later at once', async () => {
  const server = createServer((_req, res) => {
    res.write('begun ');
    endAtShutdown(res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const stream = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const open = await stream();
  beginShutdown();
  expect(await open.text()).toBe('begun ');
  expect(await (await stream()).text()).toBe('begun ');
});
