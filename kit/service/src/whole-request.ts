/** Requests between our own processes, with answers that are small enough to be taken whole. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import type { Ending } from './ending.ts';

export interface WholeRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body?: Buffer | undefined;
}

export interface WholeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ConnectionsOptions {
  /** At once; more wait. Default: as many as there are requests. */
  max?: number;
  /** False: each request has a connection of its own. */
  kept?: boolean;
}

/** Connections to one of our processes. Whoever asks has a deadline of their own, which is the only one. */
export function connectionsTo(url: string, { max, kept = true }: ConnectionsOptions = {}): Dispatcher {
  return new Pool(url, { connections: max ?? null, pipelining: kept ? 1 : 0, headersTimeout: 0, bodyTimeout: 0 });
}

/** How a connection ends that was lost, by `code`. */
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether the connection was lost before there was any answer. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lostCodes.has(String(error.code));
}

/** The answer has more bytes than are taken. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}

/** @throws where there is no whole answer; TooLarge where it has more than `maxBytes`; the reason of `ending` where that comes first */
export function wholeRequest(
  connections: Dispatcher,
  { method, path, headers, body }: WholeRequest,
  { ending, maxBytes }: { ending: Ending; maxBytes: number },
): Promise<WholeAnswer> {
  if (ending.reason) return Promise.reject(ending.reason);
  const { promise, resolve, reject } = Promise.withResolvers<WholeAnswer>();
  let begun: Dispatcher.DispatchController | undefined;
  let answer: Omit<WholeAnswer, 'body'> | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const forget = ending.onEnd((reason) => {
    begun?.abort(reason);
    reject(reason);
  });
  connections.dispatch(
    { method, path, headers, body: body ?? null },
    {
      onRequestStart(controller) {
        begun = controller;
        if (ending.reason) controller.abort(ending.reason);
      },
      onResponseStart(_controller, status, answered) {
        answer = { status, headers: answered };
      },
      onResponseData(controller, chunk) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) controller.abort(new TooLarge(`answer over ${maxBytes} bytes`));
      },
      onResponseEnd() {
        forget();
        if (answer) resolve({ ...answer, body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        forget();
        reject(answer && isLost(error) ? new Error('the answer broke off', { cause: error }) : error);
      },
    },
  );
  return promise;
}
