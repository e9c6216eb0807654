import { createServer } from 'node:net';
import { afterEach } from 'vitest';

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/**
 * A server that takes what no server should: line ends without CR, names with spaces, and only the one way of saying how
 * long a body is that it believes in. What a gateway passes on ambiguously is two requests to one of the two.
 * @returns the request lines it has seen
 */
export async function lenientUpstream(believes: 'content-length' | 'transfer-encoding'): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      for (let end = requestEnd(text, believes); end !== null; end = requestEnd(text, believes)) {
        seen.push((/^.*/.exec(text.trimStart()) ?? [''])[0].trim());
        text = text.slice(end);
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      }
    });
  });
  servers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, seen };
}

/** Where the first request in `text` ends, or null while it has not. */
function requestEnd(text: string, believes: 'content-length' | 'transfer-encoding'): number | null {
  const head = /^[\s\S]*?\S[\s\S]*?\r?\n\r?\n/.exec(text)?.[0];
  if (head === undefined) return null;
  const field = (name: string) => new RegExp(`^\\s*${name}\\s*:(.*)$`, 'im').exec(head)?.[1];
  if (believes === 'transfer-encoding' && field('transfer-encoding')?.includes('chunked')) {
    const body = /^[\s\S]*?(^|\n)0\r?\n\r?\n/.exec(text.slice(head.length))?.[0];
    return body === undefined ? null : head.length + body.length;
  }
  const length = Number.parseInt(field('content-length') ?? '0', 10) || 0;
  return text.length >= head.length + length ? head.length + length : null;
}
