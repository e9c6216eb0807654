/** What a visitor does wrong, or on purpose, is the visitor's: it is no failure of the upstream, and nobody is left without an answer by it. */
import { expect, test } from 'vitest';
import { lenientUpstream } from '../test/lenient-upstream.ts';
import { sendRaw } from '../test/raw.ts';
import { gatewayBefore } from '../test/upstream-gateway.ts';

const head = (line: string, ...fields: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`;
const hidden = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

test.each([
  ['a POST with a length', 'POST', [`Content-Length: ${hidden.length}`], hidden],
  ['a chunked POST', 'POST', ['Transfer-Encoding: chunked'], `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
  ['a GET with a body', 'GET', [`Content-Length: ${hidden.length}`], hidden],
])('%s whose body nobody has read goes nowhere: it is a mistake of this gateway', async (_what, method, fields, body) => {
  const { url, seen } = await lenientUpstream('content-length');
  let unanswered = 0;
  const { port, gauge } = await gatewayBefore(url, 'proxy', { unanswered: () => unanswered++ });
  for (let i = 0; i < 6; i++) expect((await sendRaw(port, head(`${method} /unread`, ...fields) + body)).status).toBe(500);
  expect([seen, await gauge('upstream_breaker'), unanswered]).toEqual([[], 0, 0]);
});
