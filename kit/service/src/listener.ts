/** One HTTP listener: its limits in time, and how it stops without failing a request. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';

/** How long answers already say `Connection: close` while new connections are still taken: whoever asks `/readyz` can notice. */
const noticeMs = 300;
/** Connections that had no request in this time are unlikely to get one now. Closing them at once reset 33 of 6,351 requests (prototype, pitfall 14). */
const idleCloseMs = 2000;
/** What has not ended by then is cut. Within the 10 s in which a process has to be gone. */
const cutMs = 8000;

export interface Listener {
  server: Server;
  port: number;
  /** Stops without failing a request: resolves when the last connection has ended, after 8 s at most. */
  drain(): Promise<void>;
}

/**
 * Listens, resolving when it does.
 * @throws the system's error (`EADDRINUSE`, `EACCES`) where the address cannot be had
 */
export async function listen(app: RequestListener, { port, host }: { port: number; host: string }): Promise<Listener> {
  const server = createServer({
    // Node's own are 60 s and 300 s, checked every 30 s: 1,000 slow connections would stay for a minute.
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 5000,
    // Longer than the idle time of usual load balancers (60 s), so that it is they who close first.
    keepAliveTimeout: 65_000,
  });
  let draining = false;
  const answers = new Set<ServerResponse>();
  server.on('request', (_req, res) => {
    answers.add(res);
    res.once('close', () => answers.delete(res));
    if (draining) res.setHeader('Connection', 'close');
  });
  server.on('request', app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

  async function stop(): Promise<void> {
    draining = true;
    for (const answer of answers) if (!answer.headersSent) answer.setHeader('Connection', 'close');
    await new Promise((resolve) => setTimeout(resolve, noticeMs));
    const idle = setTimeout(() => server.closeIdleConnections(), idleCloseMs);
    const cut = setTimeout(() => server.closeAllConnections(), cutMs);
    // http.Server's own close() drops idle keep-alive connections at once, into the face of requests on their way.
    await new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    clearTimeout(idle);
    clearTimeout(cut);
    // With net's close(), the interval that enforces the timeouts would go on: this ends it. There is no connection left.
    server.close();
  }
  let stopped: Promise<void> | undefined;
  return {
    server,
    port: (server.address() as AddressInfo).port,
    drain: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
