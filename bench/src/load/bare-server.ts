/** The least that Node can do: the same bytes from memory, with the fields of an answer given. Started with `{headers, body}` (base64) by message. */
import { createServer } from 'node:http';

process.once('message', ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const bytes = Buffer.from(body, 'base64');
  const fields = { ...headers, 'Content-Length': String(bytes.length) };
  const server = createServer((_req, res) => void res.writeHead(200, fields).end(bytes));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
});
process.once('disconnect', () => process.exit());
