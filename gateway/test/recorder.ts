import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';

/** An upstream, and what reached it, in order. */
export function recorder(answer: (req: IncomingMessage, body: string) => object = () => ({})) {
  const seen: { line: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const handler: RequestListener = async (req, res) => {
    const body = await text(req);
    seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body });
    const { status = 200, headers = {} } = answer(req, body) as { status?: number; headers?: Record<string, string> };
    res.writeHead(status, headers).end('passed');
  };
  return { seen, handler };
}
