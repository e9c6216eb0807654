import type { IncomingMessage } from 'node:http';
import type { Ending } from '@colonnade/service/ending';
import { Problem } from '@colonnade/service/problem';

/** Enough for the longest form; a larger body is refused while it arrives. */
const bodyLimitBytes = 64 * 1024;
/** The only headers of a visitor's request that loaders and actions see. */
const passed = ['accept-language', 'authorization', 'content-type'];
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** A page request, of which each handler gets a web `Request` of its own. */
export interface LentRequest {
  /** The page's own, absolute, on the site's origin. */
  url: string;
  method: 'GET' | 'POST';
  /** @param ending the handler's, which the signal tells of: made when somebody asks, for a Request that follows a signal costs more than all else of it */
  lend(ending: Ending): Request;
}

/**
 * Reads what loaders and actions get of a request.
 * @param url absolute, on the site's origin
 * @throws Problem 400, 413 or 415 for a body that no form of ours sends
 */
export async function lentRequest(req: IncomingMessage, url: string): Promise<LentRequest> {
  const headers = new Headers();
  for (const name of passed) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const lend = (ending: Ending, init?: RequestInit) =>
    Object.defineProperty(new Request(url, { ...init, headers }), 'signal', { get: () => ending.signal });
  if (req.method !== 'POST') return { url, method: 'GET', lend: (ending) => lend(ending) };
  if (!formTypes.test(req.headers['content-type'] ?? '')) {
    throw new Problem(415, 'Unsupported media type', { detail: 'Send a form: application/x-www-form-urlencoded or multipart/form-data.' });
  }
  const init = { method: 'POST', body: new Uint8Array(await readBody(req)) };
  // Parsed here, so that a torn body is the visitor's 400 and not the action's 500.
  const form = await new Request(url, { ...init, headers }).formData().catch((cause) => {
    throw new Problem(400, 'Bad request', { detail: 'The form could not be read.', cause });
  });
  return { url, method: 'POST', lend: (ending) => Object.assign(lend(ending, init), { formData: async () => form }) };
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const tooLarge = () =>
    new Problem(413, 'Content too large', { detail: `A form may have at most ${bodyLimitBytes} bytes.`, headers: { Connection: 'close' } });
  if (Number(req.headers['content-length']) > bodyLimitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
