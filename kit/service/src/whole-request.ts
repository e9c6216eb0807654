/** Requests between our own processes, with answers that are small enough to be taken whole. */
import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
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

/**
 * Connections to one of our processes, as many as there are requests. Whoever asks has a deadline of their own; but for
 * connecting there is no other.
 * @param origin scheme, host and port
 * @param kept false: each request has a connection of its own
 */
export function connectionsTo(origin: string, { kept = true }: { kept?: boolean } = {}): Dispatcher {
  return new Pool(origin, { pipelining: kept ? 1 : 0, connectTimeout: 5000, headersTimeout: 0, bodyTimeout: 0 });
}

/** How a connection ends that was lost, by `code`. */
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether the connection was lost before there was any answer. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lostCodes.has(String(error.code));
}

/** Said by whoever carries a request, not by who asks. */
const ofTheConnection = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** A connection that undici refuses a request on is never asked again (`kNeedDrain` in its pool): what it would refuse does not get there. */
function mistakeIn({ path, headers }: WholeRequest): Error | undefined {
  if (!/^\/[\x21-\xff]*$/.test(path)) return new TypeError('the path of a request is not valid');
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) continue;
      if (ofTheConnection.has(name.toLowerCase())) throw new TypeError(`${name} is not for a request to say`);
      validateHeaderName(name);
      for (const one of [value].flat()) validateHeaderValue(name, one);
    }
  } catch (error) {
    return error as Error;
  }
  return undefined;
}

/** The answer has more bytes than are taken. */
export class TooLarge extends Error {
  override name = 'TooLarge';
}

/** @throws where there is no whole answer; TooLarge where it has more than `maxBytes`; the reason of `ending` where that comes first */
export function wholeRequest(
  connections: Dispatcher,
  request: WholeRequest,
  { ending, maxBytes }: { ending: Ending; maxBytes: number },
): Promise<WholeAnswer> {
  const mistake = ending.reason ?? mistakeIn(request);
  if (mistake) return Promise.reject(mistake);
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
    { ...request, body: request.body ?? null },
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
