import { type Agent, type IncomingMessage, request } from 'node:http';
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
        wholeAnswer(answer).then((body) => resolve({ status, headers: answeredHeaders(answer.headers), body }), reject);
      })
      .end();
  });
}

/** The body of an answer, taken without an iterator, which costs more than a small body. @throws where it breaks off */
export function wholeAnswer(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
    answer.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    answer.on('error', reject);
    answer.on('close', () => answer.complete || reject(new Error('the answer broke off')));
  });
}
