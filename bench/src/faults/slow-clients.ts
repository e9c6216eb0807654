import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Site } from '@colonnade/stack/site';
import { openLoop, percentile, statuses } from './open-loop.ts';

const closedWithinMs = 15_000;
const perSecond = 50;

/** What a slow client says at first, and then, a byte or a line at a time. `file`: the path of a large one. */
const kinds: Record<string, { connections: number; first(host: string, file: string): string; more: string | null }> = {
  'slow headers': { connections: 1000, first: (host) => `GET /company HTTP/1.1\r\nHost: ${host}\r\n`, more: 'X-Slow: 1\r\n' },
  'slow bodies': {
    connections: 1000,
    first: (host) =>
      `POST /inquiry HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n`,
    more: 'a',
  },
  // Many answers asked for, none taken. The kernel holds some megabytes for each connection: with more of them, or with pages, which
  // have to be rendered, it would be the filling of these that is measured.
  'slow reads': { connections: 100, first: (host, file) => `GET ${file} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20), more: null },
};

/**
 * A thousand connections of slow clients at once (100 that do not read): when is the last of them closed, and what do the others notice.
 * @returns whether all were closed within 15 s
 */
export async function slowClients(site: Site): Promise<boolean> {
  const { origin } = site;
  const { port, host } = new URL(origin);
  const load = (durationMs: number) => openLoop({ origin, path: () => '/company', perSecond, durationMs });
  const p99 = (outcomes: Awaited<ReturnType<typeof load>>) =>
    percentile(
      outcomes.map(({ ms }) => ms),
      0.99,
    );
  const file = /\/_mfe\/shell\/[^"]+\/react\.js/.exec(await (await fetch(`${origin}/company`)).text())?.[0];
  if (file === undefined) throw new Error('the page names no large file');
  let ok = true;
  for (const [kind, { connections, first, more }] of Object.entries(kinds)) {
    const before = await load(5000);
    const started = performance.now();
    const sockets = Array.from({ length: connections }, () => slowSocket(Number(port), first(host, file), more));
    const loaded = load(closedWithinMs);
    let open = connections;
    while (open > 0 && performance.now() - started < closedWithinMs + 5000) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      open = heldBy(Number(port), new Set(sockets.map((socket) => socket.localPort)));
    }
    const lastMs = performance.now() - started;
    const during = await loaded;
    for (const socket of sockets) socket.destroy();
    console.log(
      `  ${kind}: ${connections - open} of ${connections} closed, the last after ${(lastMs / 1000).toFixed(1)} s; others: ${statuses(during)}, p99 ${p99(during).toFixed(0)} ms, before ${p99(before).toFixed(0)} ms`,
    );
    ok &&= open === 0 && lastMs <= closedWithinMs && during.every(({ status }) => status === 200);
  }
  return ok;
}

function slowSocket(port: number, first: string, more: string | null): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.on('connect', () => socket.write(first));
  if (more === null) socket.pause();
  else {
    socket.resume();
    const timer = setInterval(() => socket.write(more), 1000);
    socket.once('close', () => clearInterval(timer));
  }
  return socket;
}

/** How many of the clients' connections the server still holds, as the kernel sees it: a client that does not read does not notice its end. */
function heldBy(serverPort: number, clientPorts: Set<number | undefined>): number {
  const established = '01';
  const port = (address: string | undefined) => Number.parseInt(address?.split(':')[1] ?? '', 16);
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote, state]) => state === established && port(local) === serverPort && clientPorts.has(port(remote))).length;
}
