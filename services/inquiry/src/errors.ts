/** The failures of the inquiry API, with their status and public words. */
import { Problem } from '@colonnade/service/problem';

/** No inquiry has this reference; also for one that cannot be a reference. */
export const inquiryNotFound = () => new Problem(404, 'Not found', { detail: 'There is no inquiry with this reference.' });

export const notJson = () =>
  new Problem(415, 'Unsupported media type', { detail: 'Send the inquiry as application/json in UTF-8, not compressed.' });

export const notAnObject = () => new Problem(400, 'Bad request', { detail: 'The body has to be one JSON object.' });

export const badIdempotencyKey = () =>
  new Problem(400, 'Bad request', { detail: 'Idempotency-Key has to be 1 to 100 visible ASCII characters.' });

/** Well-formed, but not an inquiry: a message for each field. */
export const invalidInquiry = (errors: Record<string, string>) =>
  new Problem(422, 'Unprocessable content', { detail: 'Some fields need another look.', extra: { errors } });
