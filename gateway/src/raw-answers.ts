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
  /** The latest answer on each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const refuse = (socket: Duplex, status: number, more = '') => {
    if (!socket.writable || !isDue(answers.get(socket), socket)) return void socket.destroy();
    const title = STATUS_CODES[status] as string;
    const body = JSON.stringify({ type: 'about:blank', title, status });
    socket.write(
      `HTTP/1.1 ${status} ${title}\r\n${fields.join('')}${more}Cache-Control: no-store\r\nContent-Type: application/problem+json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      () => socket.destroy(),
    );
  };

  server.on('request', (req, res) => answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, statusByCode[error.code ?? ''] ?? 400));
  server.on('connect', (_req, socket) => refuse(socket, 405, 'Allow: GET, HEAD, POST\r\n'));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Node's own answer to a request without Host would have no security headers; `allowedHosts` refuses it.
  Object.assign(server, { requireHostHeader: false });
}

/**
 * Whether what is written to the connection now is the answer to what could not be read: to a request after whole answers,
 * or to the latest one itself, whose end is torn. Before or in the middle of another answer it would be taken for that.
 */
function isDue(last: ServerResponse | undefined, socket: Duplex): boolean {
  if (last === undefined) return true;
  if (last.writableFinished) return last.req.complete;
  // An answer has the connection when all before it are out.
  return last.socket === socket && !last.headersSent && !last.req.complete;
}
