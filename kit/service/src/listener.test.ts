import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './listener.ts';

/** More than the kernel takes off our hands for a client that does not read. */
const large = Buffer.alloc(32_000_000, 'x');
const app: RequestListener = (req, res) => {
  if (req.url === '/large') res.end(large);
  else if (req.url === '/stream') {
    const timer = setInterval(() => res.write('.'), 50);
    res.on('close', () => clearInterval(timer));
  } else req.resume().on('end', () => res.end('fine'));
};
const limits = { headersMs: 300, requestMs: 500, checkMs: 100, answerMs: 300 };
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function limited(own: Parameters<typeof listen>[2] = limits): Promise<number> {
  const { server, port } = await listen(app, { host: '127.0.0.1', port: 0 }, own);
  servers.push(server);
  return port;
}

/** Node's server as it is: what the limits are worth shows in that it lets the same client stay. */
async function bare(): Promise<number> {
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Writes the beginning of a request, then a byte every 50 ms. */
async function trickle(port: number, beginning: string): Promise<Socket> {
  const socket = await open(port);
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write('a'), 50);
  socket.on('close', () => clearInterval(timer));
  return socket.resume();
}

/** Asks for an answer and takes nothing of it. */
async function unread(port: number): Promise<Socket> {
  const socket = await open(port);
  socket.pause().write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  return socket;
}

/** A socket that does not read learns of its end when it writes. */
async function closedWithin(socket: Socket, ms: number): Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  const probe = setInterval(() => socket.isPaused() && socket.writable && socket.write('\r\n'), 100);
  const result = await Promise.race([closed, pause(ms, false)]);
  clearInterval(probe);
  return result;
}

describe.each([
  ['slow headers', (port: number) => trickle(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')],
  ['a slow body', (port: number) => trickle(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n')],
  ['a client that does not read', unread],
])('%s', (_name, attack) => {
  it('is cut', async () => {
    expect(await closedWithin(await attack(await limited()), 3000)).toBe(true);
  });
  it('would stay with Node alone', async () => {
    expect(await closedWithin(await attack(await bare()), 3000)).toBe(false);
  });
});

it('leaves an answer alone that is still being written', async () => {
  const socket = await open(await limited());
  socket.resume().write('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await closedWithin(socket, 1500)).toBe(false);
});

it('leaves a kept connection alone', async () => {
  const socket = await open(await limited());
  const ask = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return String((await once(socket, 'data'))[0]);
  };
  expect(await ask()).toContain('200 OK');
  await pause(1000);
  expect(await ask()).toContain('200 OK');
});

it('closes connections over its number', async () => {
  const port = await limited({ ...limits, maxConnections: 2 });
  await Promise.all([open(port), open(port)]);
  const third = await open(port);
  expect(await closedWithin(third.resume(), 2000)).toBe(true);
});
