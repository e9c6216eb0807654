/** Errors as RFC 9457 problem details. Nothing of the inside leaves: an unknown error is logged and answered in general words. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Log } from './log.ts';

export interface ProblemOptions {
  /** A sentence for whoever called, about this one case. */
  detail?: string;
  headers?: Record<string, string>;
  /** Further members of the body, such as `errors` by field. */
  extra?: Record<string, unknown>;
  /** What happened inside: goes to the log only. */
  cause?: unknown;
}

/** An answer that is not a success, thrown or passed to `next`. Everything in it but `cause` is public. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(status: number, title: string, { detail, headers = {}, extra = {}, cause }: ProblemOptions = {}) {
    super(detail ?? title, { cause });
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.headers = headers;
    this.extra = extra;
  }
}

/**
 * Sends a problem as `application/problem+json`, never stored by a cache. Takes Node's own request and response, so that
 * a proxy's error callback can use it too.
 */
export function sendProblem(req: IncomingMessage & { id?: string }, res: ServerResponse, problem: Problem): void {
  const { status, title, detail, headers, extra } = problem;
  const body = JSON.stringify({ ...extra, type: 'about:blank', title, status, detail, requestId: req.id });
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/** The last route: nothing is here. */
export const notFoundHandler: RequestHandler = (_req, _res, next) => next(new Problem(404, 'Not found'));

/** For `app.all(path, …)` after the methods that a path does have. */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  return (_req, _res, next) => next(new Problem(405, 'Method not allowed', { headers: { Allow: allowed.join(', ') } }));
}

/** What the errors of Express's own body parsers mean to a caller, by their status. */
const bodyProblems: Record<number, [title: string, detail: string]> = {
  400: ['Bad request', 'The body could not be read as what its headers say it is.'],
  413: ['Content too large', 'The body is larger than this address accepts.'],
  415: ['Unsupported media type', 'The body has a type, a charset or an encoding that this address does not accept.'],
};

/** The one error handler of a process: turns whatever was thrown into a problem and logs what nobody foresaw. */
export function problemHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const problem = problemOf(error);
    if (problem.status >= 500) {
      const foreseen = error instanceof Problem;
      const err = foreseen ? (error.cause ?? error) : error;
      log[foreseen ? 'warn' : 'error']({ requestId: req.id, status: problem.status, err }, foreseen ? problem.message : 'unexpected error');
    }
    // Half an answer has left: cutting the connection is the only way to say that it is not whole.
    if (res.headersSent) res.destroy();
    else sendProblem(req, res, problem);
  };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof URIError) return new Problem(400, 'Bad request', { detail: 'The path is not valid percent-encoded UTF-8.' });
  // body-parser's errors are the ones with a `type`, such as 'entity.too.large'.
  if (error instanceof Error && 'type' in error && 'status' in error) {
    const known = bodyProblems[Number(error.status)];
    if (known) return new Problem(Number(error.status), known[0], { detail: known[1] });
  }
  return new Problem(500, 'Internal server error');
}
