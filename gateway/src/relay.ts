import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { publicHeaders } from './forwarded-headers.ts';

/** Taken from the upstream before the visitor has taken it: most answers are whole in it, so a slow visitor holds no upstream. */
const aheadBytes = 256 * 1024;
/** In which a visitor has to take that much: a reader that stalls on purpose is cut. */
const takeMs = 10_000;

/**
 * Hands an upstream's answer to the visitor, at the upstream's pace while it is not too far ahead.
 * @param waiting called when it is the visitor who is waited for
 * @throws where the answer breaks off, or the visitor leaves
 */
export async function relay(answer: IncomingMessage, res: ServerResponse, waiting: () => void): Promise<void> {
  // Most answers are small: taken whole, they are sent with one system call.
  const body = Number(answer.headers['content-length']) <= aheadBytes ? await wholeAnswer(answer) : null;
  setHead(res, answer.statusCode as number, answer.headers);
  if (body) return void res.end(body);
  for await (const chunk of answer) {
    if (res.write(chunk) || res.writableLength < aheadBytes) continue;
    waiting();
    await once(res, 'drain', { signal: AbortSignal.any([AbortSignal.timeout(takeMs), closing(res)]) });
  }
  res.end();
}

/** Status and header fields as the visitor gets them. */
export function setHead(res: ServerResponse, status: number, headers: IncomingHttpHeaders): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(publicHeaders(headers))) if (value !== undefined) res.setHeader(name, value);
}

function closing(res: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (res.destroyed) closed.abort();
  res.once('close', () => closed.abort());
  return closed.signal;
}

/** The body of an answer, taken without an iterator, which costs more than a small body. @throws where it breaks off */
function wholeAnswer(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => void chunks.push(chunk));
    answer.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    answer.on('error', reject);
    answer.on('close', () => answer.complete || reject(new Error('the answer broke off')));
  });
}
