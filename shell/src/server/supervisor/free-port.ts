import { createServer } from 'node:net';

/**
 * The first of some ports on which one can listen now. Tried, not remembered: a supervisor that this one replaces may
 * still hold some.
 * @param taken by sets of this supervisor, whether they listen by now or not
 * @throws Error when none is free
 */
export async function freePort(host: string, first: number, count: number, taken: ReadonlySet<number>): Promise<number> {
  for (let port = first; port < first + count; port++) if (!taken.has(port) && (await canListen(host, port))) return port;
  throw new Error(`no free port among the ${count} from ${first} on`);
}

function canListen(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}
