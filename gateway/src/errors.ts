import { Problem } from '@colonnade/service/problem';

/** An upstream gave no answer, or was not asked for one. Counted and logged where it happens: answering it costs little more than its bytes. */
export class UpstreamUnavailable extends Problem {
  constructor(what: string, retryAfterS: number, cause?: unknown) {
    super(503, 'Service unavailable', {
      detail: `A part of this site ${what}. Please try again shortly.`,
      headers: { 'Retry-After': String(retryAfterS) },
      cause,
    });
  }
}

/** There is no place for one more request. One object for all of them: under overload there are many. */
export const atItsLimit = new UpstreamUnavailable('is at its limit', 1);
/** The breaker is open. */
export const leftAlone = new UpstreamUnavailable('does not answer', 1);
