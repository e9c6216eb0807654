import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on a port of its own until the test ends. */
export async function listening(
  handler: RequestListener,
  options: { port?: number } = {},
): Promise<{ server: Server; port: number; url: string }> {
  const server = createServer(handler);
  servers.push(server);
  // Node's own 511 connections on their way are fewer than a flood brings: the rest would come a second later.
  server.listen({ port: options.port ?? 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}
