import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityFields } from './middleware/security-headers.ts';

const statusByCode: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * What never becomes a request of the app's is answered here, in the same form: what Node cannot parse or has waited too
 * long for, and CONNECT. What Node would answer by itself, without the security headers, goes to the app.
 */
export function answerRaw(server: Server, origin: string): void {
  const fields = Object.entries(securityFields(origin)).map(([name, value]) => `${name}: ${value}\r\n`);
  const refuse = (socket: Duplex, status: number, more = '') => {
    const title = STATUS_CODES[status] as string;
    const body = JSON.stringify({ type: 'about:blank', title, status });
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\n${fields.join('')}${more}Cache-Control: no-store\r\nContent-Type: application/problem+json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  };

  /** The latest answer on each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req, res) => answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const last = answers.get(socket);
    // In the middle of an answer, or after an answer to a request that has not ended, another one would be taken for something else.
    const inOrder = last === undefined || !last.headersSent || (last.writableFinished && last.req.complete);
    if (socket.writable && inOrder) refuse(socket, statusByCode[error.code ?? ''] ?? 400);
    else socket.destroy();
  });
  server.on('connect', (_req, socket) => refuse(socket, 405, 'Allow: GET, HEAD, POST\r\n'));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Node's own answer to a request without Host would have no security headers; `allowedHosts` refuses it.
  Object.assign(server, { requireHostHeader: false });
}
