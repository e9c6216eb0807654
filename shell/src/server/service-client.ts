import { Agent, request as httpRequest } from 'node:http';
import type { ServiceAnswer, ServiceClient } from '@colonnade/mfe';
import { StatusError } from '@colonnade/mfe/host';
import { type Ending, withDeadline } from './deadline.ts';

const maxBodyBytes = 4 * 1024 * 1024;

/** What one page request lends to its calls. */
export interface CallScope {
  requestId: string;
  /** The visitor's address, as the gateway named it: a service that limits visitors has to know whom. */
  forwardedFor?: string;
  /** When the visitor leaves or the page's deadline passes. */
  ending?: Ending;
}

/** Makes clients for the services by name. Connections are kept, in a pool of each service's own. */
export function serviceClients(services: Record<string, string>, deadlineMs: number) {
  const upstreams = Object.entries(services).map(([name, url]) => ({
    name,
    url: new URL(url),
    agent: new Agent({ keepAlive: true, maxSockets: 64, scheduling: 'lifo' }),
  }));
  return (scope: CallScope): Record<string, ServiceClient> =>
    Object.fromEntries(
      upstreams.map(({ name, url, agent }) => [
        name,
        { request: (path, init) => call({ name, url, agent, deadlineMs, path, init, scope }) },
      ]),
    );
}

interface Call {
  name: string;
  url: URL;
  agent: Agent;
  deadlineMs: number;
  path: string;
  init: Parameters<ServiceClient['request']>[1];
  scope: CallScope;
}

/** One call with a total deadline. A connection that was kept too long is tried anew once: nothing was answered on it. */
async function call(options: Call): Promise<ServiceAnswer> {
  const idempotent = (options.init?.method ?? 'GET') === 'GET' || !!options.init?.headers?.['Idempotency-Key'];
  const attempts = (ending: Ending) =>
    send(options, ending).catch((error: NodeJS.ErrnoException & { reused?: boolean }) => {
      if (error.reused && idempotent && error.code === 'ECONNRESET') return send(options, ending);
      throw error;
    });
  try {
    const answer = (await withDeadline(options.deadlineMs, attempts, options.scope.ending)) as ServiceAnswer;
    if (answer.status < 500) return answer;
    throw new Error(`answered ${answer.status}`);
  } catch (error) {
    throw new StatusError(
      503,
      { 'Retry-After': '30' },
      { cause: new Error(`${options.name} service: ${(error as Error).message}`, { cause: error }) },
    );
  }
}

function send({ url, agent, path, init, scope }: Call, ending: Ending): Promise<ServiceAnswer> {
  if (!path.startsWith('/')) throw new TypeError(`a service path starts with /, got ${path}`);
  const body = init?.body === undefined ? undefined : Buffer.from(JSON.stringify(init.body));
  const { promise, resolve, reject } = Promise.withResolvers<ServiceAnswer>();
  const request = httpRequest({
    host: url.hostname,
    port: url.port || 80,
    path,
    method: init?.method ?? 'GET',
    agent,
    headers: {
      ...init?.headers,
      Accept: 'application/json',
      'X-Request-Id': scope.requestId,
      ...(scope.forwardedFor ? { 'X-Forwarded-For': scope.forwardedFor } : {}),
      ...(body ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {}),
    },
  });
  request.on(
    'close',
    ending.onEnd((reason) => request.destroy(reason)),
  );
  request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) request.destroy(new Error(`answer over ${maxBodyBytes} bytes`));
    });
    response.on('aborted', () => reject(new Error('answer cut off')));
    response.on('error', reject);
    response.on('end', () => {
      try {
        resolve({
          status: response.statusCode ?? 500,
          location: response.headers.location,
          body: bytes > 0 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : null,
        });
      } catch (error) {
        reject(error as Error);
      }
    });
  });
  request.end(body);
  return promise;
}
