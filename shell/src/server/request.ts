import type { IncomingMessage } from 'node:http';
import type { Ending } from '@colonnade/service/ending';
import { Problem } from '@colonnade/service/problem';

/** Enough for the longest form; a larger body is refused while it arrives. */
const bodyLimitBytes = 64 * 1024;
/** The only headers of a visitor's request that loaders and actions see. */
const passed = ['accept-language', 'authorization', 'content-type'];
const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/**
 * Makes the web `Request` that loaders and actions get.
 * @param url absolute, on the site's origin
 * @param gone what the request's own signal tells, which is made when somebody asks for it: a Request that follows another signal costs
 * more than all the rest of it
 * @throws Problem 413 or 415 for a body that no form of ours sends
 */
export async function webRequest(req: IncomingMessage, url: string, gone: Ending): Promise<Request> {
  const headers = new Headers();
  for (const name of passed) {
    const value = req.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const lend = (request: Request): Request => Object.defineProperty(request, 'signal', { get: () => gone.signal });
  if (req.method !== 'POST') return lend(new Request(url, { headers }));
  if (!formTypes.test(req.headers['content-type'] ?? '')) {
    throw new Problem(415, 'Unsupported media type', { detail: 'Send a form: application/x-www-form-urlencoded or multipart/form-data.' });
  }
  const request = lend(new Request(url, { method: 'POST', headers, body: new Uint8Array(await readBody(req)) }));
  // Parsed here, so that a torn body is the visitor's 400 and not the action's 500.
  const form = await request.formData().catch((cause) => {
    throw new Problem(400, 'Bad request', { detail: 'The form could not be read.', cause });
  });
  request.formData = async () => form;
  return request;
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
