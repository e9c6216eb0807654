import type { IncomingMessage, RequestListener } from 'node:http';
import type { RecordRequest } from '@colonnade/service/request';
import { hostCount, isKnownHost } from '../middleware/allowed-hosts.ts';
import { refusal } from '../middleware/ordinary-request.ts';
import type { SetKind } from '../shell-sets.ts';
import { rawFields } from './answer.ts';
import { encodingFor } from './encoding.ts';
import type { PageCache } from './page-cache.ts';

export interface CopiesFirstOptions {
  copies: Pick<PageCache, 'fresh'>;
  /** Names that the site answers to, lower case. */
  hosts: ReadonlySet<string>;
  /** What every answer says; a page's own fields replace them. */
  fields: Record<string, string>;
  record: RecordRequest;
  count(kind: SetKind, status: number): void;
  /** Whether some visitors get other pages than the rest. */
  isDivided(): boolean;
}

/**
 * Answers what a fresh copy answers before the application sees it: everything the application does to a request costs
 * several times what such an answer does. A URL comes to be known here by having passed through the application, in the
 * same spelling; what else the application may refuse or divide visitors by is looked at, and anything out of the
 * ordinary is left to it. Not counted by the flood limit: a refusal would cost as much as the page.
 */
export function copiesFirst(
  app: RequestListener,
  { copies, hosts, fields, record, count, isDivided }: CopiesFirstOptions,
): RequestListener {
  const route = () => 'page';
  const isOrdinary = (req: IncomingMessage) =>
    req.method === 'GET' &&
    // Whether the visitor has the page already is the application's to say, as is what a preview's cookie means.
    req.headers['if-none-match'] === undefined &&
    !req.headers.cookie?.includes('colonnade-') &&
    refusal(req) === undefined &&
    hostCount(req) === 1 &&
    isKnownHost(req.headers.host, hosts) &&
    !isDivided();

  return (req, res) => {
    const hit = isOrdinary(req) ? copies.fresh(req.url ?? '', req.headers.host) : null;
    const { body } = hit?.copy.answer ?? {};
    const encoding = body?.packable ? encodingFor(req.headers['accept-encoding'] as string | undefined) : null;
    const bytes = encoding === null ? body?.identity : body?.ready(encoding);
    if (!hit || !bytes) return app(req, res);
    const id = record(req, res, route);
    hit.count();
    count(hit.kind, 200);
    const { cacheStatus, age, shared } = hit.told;
    res.writeHead(200, [
      // Before `Cache-Control`: nginx up to 1.23.0 keeps nothing that says `no-cache` first.
      ...shared.flat(),
      ...rawFields(hit.copy.answer, encoding, fields),
      'X-Request-Id',
      id,
      'Cache-Status',
      cacheStatus,
      'Age',
      age,
      'Content-Length',
      String(bytes.length),
    ]);
    res.end(bytes);
  };
}
