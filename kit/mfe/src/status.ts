/**
 * How loaders and actions say a status. Each helper throws; the shell turns what was thrown into a page or a data
 * answer by the status contract (ARCHITECTURE.md).
 */
export class StatusError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, headers: Record<string, string> = {}, options?: ErrorOptions) {
    super(`status ${status}`, options);
    this.name = 'StatusError';
    this.status = status;
    this.headers = headers;
  }
}

/** Thrown by `redirect` (303: the browser follows with a GET) and `moved` (301). */
export class Redirect extends Error {
  readonly to: string;
  readonly status: 301 | 303;
  constructor(to: string, status: 301 | 303) {
    // A path of this site: neither another host nor what a browser would take for one, which leaves out tabs and line ends.
    if (!/^\/(?![/\\])\P{Cc}*$/u.test(to)) throw new TypeError(`a redirect needs a path of this site, got ${JSON.stringify(to)}`);
    super(`redirect to ${to}`);
    this.name = 'Redirect';
    this.to = to;
    this.status = status;
  }
}

/** Why a form is shown again: it does not validate, too many came, or it cannot be taken now. */
export type RefusalStatus = 422 | 429 | 503;

/** Thrown by `invalid`: the form is shown again. */
export class Invalid extends Error {
  readonly errors: Record<string, string>;
  readonly values: Record<string, string>;
  readonly status: RefusalStatus;
  constructor(errors: Record<string, string>, values: Record<string, string>, status: RefusalStatus, options?: ErrorOptions) {
    super('invalid form', options);
    this.name = 'Invalid';
    this.errors = errors;
    this.values = values;
    this.status = status;
  }
}

/** There is no such page: 404. */
export function notFound(): never {
  throw new StatusError(404);
}

/** Credentials are missing: 401. @param scheme value of `WWW-Authenticate`, for example `Bearer` */
export function unauthorized(scheme: string): never {
  throw new StatusError(401, { 'WWW-Authenticate': scheme });
}

/** The credentials do not suffice: 403. */
export function forbidden(): never {
  throw new StatusError(403);
}

/** Something this page needs is down or over its limit: 503 with `Retry-After`. */
export function unavailable(retryAfterS = 30, cause?: unknown): never {
  throw new StatusError(503, { 'Retry-After': String(retryAfterS) }, { cause });
}

/** There was such a page, and there is none now: 410. */
export function gone(): never {
  throw new StatusError(410);
}

/**
 * Sends the visitor to another page of this site (303).
 * @param to path and query; must start with one `/`
 */
export function redirect(to: string): never {
  throw new Redirect(to, 303);
}

/**
 * This page has another address for good (301).
 * @param to path and query; must start with one `/`
 */
export function moved(to: string): never {
  throw new Redirect(to, 301);
}

/**
 * The form was not taken: shows the page again, with what the visitor wrote.
 * @param errors message by field name; a name that is no field's is about the form as a whole
 * @param values what the visitor wrote, by field name; reaches the page as `useFormState().values`
 * @param status 422: it does not validate; 429, 503: it may be sent again later as it is
 * @param cause of a 503: goes to the log only
 */
export function invalid(
  errors: Record<string, string>,
  values: Record<string, string>,
  status: RefusalStatus = 422,
  cause?: unknown,
): never {
  throw new Invalid(errors, values, status, { cause });
}
