import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  status: number;
  headers: Headers;
  body: string;
  /** Everything that came, for what is more than one answer. */
  all: string;
}

/** Sends bytes as they are given, and reads until the other side closes; where it is to stay open, for so long. */
export function sendRaw(port: number, bytes: string, atMostMs = 20_000): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let all = '';
    const end = () => {
      clearTimeout(late);
      socket.destroy();
      resolve(parse(all));
    };
    const late = setTimeout(end, atMostMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => (all += chunk));
    socket.on('error', end);
    socket.on('close', end);
    socket.write(bytes, 'latin1');
  });
}

/** A request line and headers, for a connection that ends with the answer. */
export function ask(port: number, line: string, headers: string[] = ['Host: site.example'], body = ''): Promise<RawAnswer> {
  return sendRaw(port, `${[`${line} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
}

function parse(all: string): RawAnswer {
  const [head = '', body = ''] = all.split(/\r\n\r\n(.*)/s, 2);
  const [status = '', ...fields] = head.split('\r\n');
  return {
    status: Number(status.split(' ')[1] ?? 0),
    headers: new Headers(fields.map((field) => field.split(/: ?(.*)/, 2) as [string, string])),
    body,
    all,
  };
}
