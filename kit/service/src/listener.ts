/** One HTTP listener: its limits, and how it stops without failing a request. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { cutSlowReaders } from './slow-readers.ts';

/** How long answers already say `Connection: close` while new connections are still taken: whoever asks `/readyz` can notice. */
const noticeMs = 300;
/** Connections that had no request in this time are unlikely to get one now. Closing them at once reset 33 of 6,351 requests. */
const idleCloseMs = 2000;
/** What has not ended by then is cut. Within the 10 s in which a process has to be gone. */
const cutMs = 8000;

export interface Limits {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to the end of its body. */
  requestMs: number;
  /** How often these two are looked after: a slow request lives this much longer at most. */
  checkMs: number;
  /** From the moment an answer is written as a whole until the client has taken it. */
  answerMs: number;
  /** Connections at once; one more is closed. */
  maxConnections: number;
}

/** Slow headers, bodies and readers are gone within 15 s. Node's own limits are 60 s, 300 s, checked every 30 s, and none for the last two. */
const defaults: Limits = { headersMs: 8000, requestMs: 10_000, checkMs: 2000, answerMs: 10_000, maxConnections: 10_000 };

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
export async function listen(
  app: RequestListener,
  at: { port: number; host: string } | { fd: number },
  limits: Partial<Limits> = {},
): Promise<Listener> {
  const { headersMs, requestMs, checkMs, answerMs, maxConnections } = { ...defaults, ...limits };
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // Longer than the idle time of usual load balancers (60 s), so that it is they who close first.
    keepAliveTimeout: 65_000,
  });
  // Without the second, which Node's types leave out, a cluster's worker hands the connection to the next one, as full as it is.
  Object.assign(server, { maxConnections, dropMaxConnection: true });
  cutSlowReaders(server, answerMs);
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
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });

  async function stop(): Promise<void> {
    draining = true;
    for (const answer of answers) {
      if (!answer.headersSent) answer.setHeader('Connection', 'close');
      // Whoever follows a stream comes back at once, and on the kept connection to us instead of our successor.
      else if (String(answer.getHeader('Content-Type')).startsWith('text/event-stream')) {
        const { socket } = answer;
        answer.once('finish', () => socket?.end());
      }
    }
    // A socket that the parent holds stays open for the next process: nobody has to notice, and that one shall have what comes.
    if (!('fd' in at)) await new Promise((resolve) => setTimeout(resolve, noticeMs));
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
