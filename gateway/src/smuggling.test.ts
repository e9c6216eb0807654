/** What two servers could read as different requests. */
import { describe, expect, test } from 'vitest';
import { bareProxy } from '../test/bare-proxy.ts';
import { door } from '../test/door.ts';
import { lenientUpstream } from '../test/lenient-upstream.ts';
import { sendRaw } from '../test/raw.ts';

const hidden = 'GET /smuggled HTTP/1.1\r\nHost: site.example\r\nX: y\r\n\r\n';
const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const to = (line: string, fields: string[], body = '', connection = 'close') =>
  `${[line, 'Host: site.example', `Connection: ${connection}`, ...fields].join('\r\n')}\r\n\r\n${body}`;
const post = (fields: string[], body: string) => to('POST /inquiry HTTP/1.1', fields, body);

const corpus: Record<string, string> = {
  'CL.TE': post([`Content-Length: ${5 + hidden.length}`, 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
  'TE.CL': post(['Content-Length: 4', 'Transfer-Encoding: chunked'], chunked),
  'TE.CL, the other order': post(['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked),
  'TE of an unknown kind': post(['Transfer-Encoding: xchunked', 'Content-Length: 4'], chunked),
  'TE, then another': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: cow'], chunked),
  'TE that does not end in chunked': post(['Transfer-Encoding: chunked, identity'], chunked),
  'TE with a space before the colon': post(['Transfer-Encoding : chunked', 'Content-Length: 4'], chunked),
  'TE after a tab': post(['Transfer-Encoding:\tchunked', 'Content-Length: 4'], chunked),
  'TE with a vertical tab': post(['Transfer-Encoding:\x0bchunked', 'Content-Length: 4'], chunked),
  'TE in quotes': post(['Transfer-Encoding: "chunked"', 'Content-Length: 4'], chunked),
  'TE in a folded line': post(['Transfer-Encoding:\r\n chunked', 'Content-Length: 4'], chunked),
  'TE in HTTP/1.0': to('POST /inquiry HTTP/1.0', ['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked),
  'TE in the name of another': post(['X: y\nTransfer-Encoding: chunked', 'Content-Length: 4'], chunked),
  'two lengths': post(['Content-Length: 0', `Content-Length: ${hidden.length}`], hidden),
  'two lengths in one field': post([`Content-Length: 0, ${hidden.length}`], hidden),
  'a length with a sign': post([`Content-Length: +${hidden.length}`], hidden),
  'a length in hex': post([`Content-Length: 0x${hidden.length.toString(16)}`], hidden),
  'a length with a space': post(['Content-Length: 0 1'], hidden),
  'an empty length': post(['Content-Length: '], hidden),
  'a length with a space before the colon': post([`Content-Length : ${hidden.length}`], hidden),
  'a negative length': post(['Content-Length: -1'], hidden),
  'bare line feeds': `POST /inquiry HTTP/1.1\nHost: site.example\nConnection: close\nContent-Length: ${hidden.length}\n\n${hidden}`,
  'a bare carriage return': post([`X: y\rContent-Length: ${hidden.length}`], hidden),
  'a folded field': post(['X: y\r\n z', 'Content-Length: 0'], ''),
  'a line feed in a chunk extension': post(['Transfer-Encoding: chunked'], `1;\nx\r\na\r\n0\r\n\r\n${hidden}`),
  'a chunk size that overflows': post(['Transfer-Encoding: chunked'], `10000000000000001\r\na\r\n0\r\n\r\n${hidden}`),
  'a chunk longer than it says': post(['Transfer-Encoding: chunked'], `1\r\nabc\r\n0\r\n\r\n${hidden}`),
  'a NUL in a field': post(['X: a\0b', `Content-Length: ${hidden.length}`], hidden),
  'a request in a chunked body': post(['Transfer-Encoding: chunked'], chunked),
  'a request in a body': post([`Content-Length: ${hidden.length}`], hidden),
  ...Object.fromEntries(
    ['/', '/?x=1'].flatMap((path) => [
      [`a request in a chunked body to ${path}`, to(`POST ${path} HTTP/1.1`, ['Transfer-Encoding: chunked'], chunked)],
      [`a request in a body to ${path}`, to(`POST ${path} HTTP/1.1`, [`Content-Length: ${hidden.length}`], hidden)],
    ]),
  ),
  'a length named by Connection': post([`Content-Length: ${hidden.length}`, 'Connection: Content-Length'], hidden),
  'a request in a trailer': post(['Transfer-Encoding: chunked'], `0\r\nX: y\r\nContent-Length: 44\r\n\r\n`),
  ...Object.fromEntries(
    ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PUT'].flatMap((method) => [
      [`a chunked ${method}`, to(`${method} /news HTTP/1.1`, ['Transfer-Encoding: chunked'], chunked)],
      [`a ${method} with a length`, to(`${method} /news HTTP/1.1`, [`Content-Length: ${hidden.length}`], hidden)],
    ]),
  ),
};

/** As many requests at the upstream as answers came from it, and none that was inside another. */
function nothingSmuggled(seen: string[], all: string): void {
  expect(seen.filter((line) => line.includes('/smuggled'))).toEqual([]);
  expect(seen).toHaveLength(all.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0);
}

describe.each(['content-length', 'transfer-encoding'] as const)('before an upstream that believes %s alone', (believes) => {
  test.each(Object.entries(corpus))('%s smuggles nothing', async (_name, bytes) => {
    const { url, seen } = await lenientUpstream(believes);
    nothingSmuggled(seen, (await sendRaw(await door(url), bytes)).all);
  });

  test('a pair of requests in one go is two', async () => {
    const { url, seen } = await lenientUpstream(believes);
    const pair = to('GET /a HTTP/1.1', [], '', 'keep-alive') + to('POST /inquiry HTTP/1.1', ['Content-Length: 2'], 'ab', 'keep-alive');
    const { all } = await sendRaw(await door(url), pair + to('GET /b HTTP/1.1', []));
    // They are asked for side by side.
    expect(seen.sort()).toEqual(['GET /a HTTP/1.1', 'GET /b HTTP/1.1', 'POST /inquiry HTTP/1.1']);
    nothingSmuggled(seen, all);
  });
});

test('control: the bare library passes on a request inside another', async () => {
  const { url, seen } = await lenientUpstream('content-length');
  void sendRaw(await bareProxy(url), corpus['a request in a chunked body'] as string);
  await expect.poll(() => seen.length).toBeGreaterThan(1);
});
