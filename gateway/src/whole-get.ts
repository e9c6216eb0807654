import { type Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { answeredHeaders } from './forwarded-headers.ts';
import type { UpstreamAnswer, WholeGet } from './upstream.ts';

/** One GET, with its answer whole. @throws where that breaks off */
export function wholeGet(
  target: string,
  { path, headers }: WholeGet,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(target);
    request({ hostname, port, path, headers, agent, signal })
      .on('error', reject)
      .on('response', (answer) => {
        const { statusCode: status = 502 } = answer;
        buffer(answer).then((body) => resolve({ status, headers: answeredHeaders(answer.headers), body }), reject);
      })
      .end();
  });
}
