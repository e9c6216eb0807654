import type { ServiceAnswer, ServiceClient } from '@colonnade/mfe';
import { StatusError } from '@colonnade/mfe/host';
import type { Ending } from '@colonnade/service/ending';
import { traceparent } from '@colonnade/service/trace';
import { connectionsTo, isLost, wholeRequest } from '@colonnade/service/whole-request';
import { withDeadline } from './deadline.ts';

const maxBodyBytes = 4 * 1024 * 1024;

/** What one page request lends to its calls. */
export interface CallScope {
  requestId: string;
  /** The visitor's address, as the gateway named it: a service that limits visitors has to know whom. */
  forwardedFor?: string;
  /** When the visitor leaves or the page's deadline passes. */
  ending?: Ending;
  /** How many of its calls are under way. */
  waiting?: number;
}

/** Makes clients for the services by name. Connections are kept, in a pool of each service's own. */
export function serviceClients(services: Record<string, string>, deadlineMs: number) {
  const upstreams = Object.entries(services).map(([name, url]) => ({ name, connections: connectionsTo(url) }));
  return (scope: CallScope): Record<string, ServiceClient> =>
    Object.fromEntries(
      upstreams.map(({ name, connections }) => [
        name,
        { request: (path, init) => call({ name, connections, deadlineMs, path, init, scope }) },
      ]),
    );
}

interface Call {
  name: string;
  connections: ReturnType<typeof connectionsTo>;
  deadlineMs: number;
  path: string;
  init: Parameters<ServiceClient['request']>[1];
  scope: CallScope;
}

/** One call with a total deadline. One that lost its connection, which may have been kept too long, is tried anew once. */
async function call(options: Call): Promise<ServiceAnswer> {
  const { scope } = options;
  scope.waiting = (scope.waiting ?? 0) + 1;
  const idempotent = (options.init?.method ?? 'GET') === 'GET' || !!options.init?.headers?.['Idempotency-Key'];
  const attempts = (ending: Ending) =>
    send(options, ending).catch((error: unknown) => {
      if (idempotent && isLost(error)) return send(options, ending);
      throw error;
    });
  try {
    const answer = (await withDeadline(options.deadlineMs, attempts, scope.ending)) as ServiceAnswer;
    if (answer.status < 500) return answer;
    throw new Error(`answered ${answer.status}`);
  } catch (error) {
    throw new StatusError(
      503,
      { 'Retry-After': '30' },
      { cause: new Error(`${options.name} service: ${(error as Error).message}`, { cause: error }) },
    );
  } finally {
    scope.waiting--;
  }
}

async function send({ connections, path, init, scope }: Call, ending: Ending): Promise<ServiceAnswer> {
  const json = init?.body === undefined ? undefined : Buffer.from(JSON.stringify(init.body));
  const headers = {
    ...init?.headers,
    Accept: 'application/json',
    'X-Request-Id': scope.requestId,
    ...traceparent(),
    ...(scope.forwardedFor ? { 'X-Forwarded-For': scope.forwardedFor } : {}),
    ...(json ? { 'Content-Type': 'application/json' } : {}),
  };
  const request = { method: init?.method ?? 'GET', path, headers, body: json };
  const { status, headers: answered, body } = await wholeRequest(connections, request, { ending, maxBytes: maxBodyBytes });
  return { status, location: answered.location, body: body.length > 0 ? JSON.parse(body.toString('utf8')) : null };
}
