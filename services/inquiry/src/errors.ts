/** The failures of the inquiry API, with their status and public words. */
import { Problem } from '@colonnade/service/problem';

/** No inquiry has this reference; also for one that cannot be a reference. */
export const inquiryNotFound = () => new Problem(404, 'Not found', { detail: 'There is no inquiry with this reference.' });

export const notAnObject = () => new Problem(400, 'Bad request', { detail: 'The body has to be one JSON object.' });

export const badIdempotencyKey = () =>
  new Problem(400, 'Bad request', { detail: 'Idempotency-Key has to be 1 to 100 visible ASCII characters.' });

/** Well-formed, but not what was asked for: a message for each field. */
export const invalidFields = (errors: Record<string, string>) =>
  new Problem(422, 'Unprocessable content', { detail: 'Some fields need another look.', extra: { errors } });

/** The visitor has sent as many inquiries as one may in this time. */
export const tooManyInquiries = (waitS: number) =>
  new Problem(429, 'Too many requests', {
    detail: 'Several inquiries have come from your network in a short time. Please try again later, or call us.',
    headers: { 'Retry-After': String(waitS) },
  });

export const noPrecondition = () =>
  new Problem(428, 'Precondition required', { detail: 'Read the inquiry first and send its ETag as If-Match, so that no change is lost.' });

export const badPrecondition = () =>
  new Problem(400, 'Bad request', { detail: 'If-Match has to be the ETag of the inquiry, such as "3".' });

export const changedMeanwhile = () =>
  new Problem(412, 'Precondition failed', { detail: 'Somebody has changed the inquiry meanwhile. Read it again.' });

/** The inquiry is not in a state in which this can be done. */
export const conflict = (detail: string) => new Problem(409, 'Conflict', { detail });
