/** The failures of the news API, with their status and public words. */
import { Problem } from '@colonnade/service/problem';
import type { z } from 'zod';

/** No such item; also for an id that cannot be one. */
export const newsNotFound = () => new Problem(404, 'Not found', { detail: 'There is no news item with this id.' });

/** It was published, and is no more. */
export const newsGone = () => new Problem(410, 'Gone', { detail: 'This news item is no longer published.' });

/** At the desk; `movedTo` where the item has another id now. */
export const itemNotFound = (movedTo?: string) =>
  new Problem(404, 'Not found', {
    detail: movedTo === undefined ? 'There is no news item with this id.' : `This news item has the id ${movedTo} now.`,
  });

export const versionNotFound = () => new Problem(404, 'Not found', { detail: 'This news item has no such version.' });

/** `leadsTo` where the id is an old one of an item. */
export const idTaken = (leadsTo?: string) =>
  new Problem(409, 'Conflict', {
    detail:
      leadsTo === undefined
        ? 'A news item has, or had, this id. Choose another.'
        : `A news item had this id, and has the id ${leadsTo} now. Change that one, or choose another id.`,
  });

export const notInThisState = (detail: string) => new Problem(409, 'Conflict', { detail });

export const stale = () =>
  new Problem(412, 'Precondition failed', {
    detail: 'Somebody has changed this news item meanwhile. Read it again and repeat the change.',
  });

export const needsIfMatch = () =>
  new Problem(428, 'Precondition required', { detail: 'Send If-Match with the ETag of the news item as you have read it.' });

export const badIfMatch = () =>
  new Problem(400, 'Bad request', { detail: 'If-Match has to be one ETag as this service gives them: "r1".' });

export const streamFull = () =>
  new Problem(503, 'Service unavailable', { detail: 'Too many listen already.', headers: { 'Retry-After': '10' } });

/** A query that is not understood, with a message for each of its keys. */
export const invalidQuery = (error: z.ZodError) =>
  new Problem(400, 'Bad request', {
    detail: 'The query of this address is not understood.',
    extra: { errors: messages(error, 'must be given once') },
  });

/** Well-formed JSON, but not what this address takes, with a message for each field. */
export const invalidBody = (error: z.ZodError) =>
  new Problem(422, 'Unprocessable content', { detail: 'Some fields need another look.', extra: { errors: messages(error) } });

/** Scheduled for a moment that has passed: well-formed, but it no longer fits. */
export const notInFuture = () =>
  new Problem(409, 'Conflict', {
    detail: 'publishAt has passed. To publish now, use publish.',
    extra: { errors: { publishAt: 'must be in the future' } },
  });

/** Of keys that nobody knows so many are named: an answer is never as large as what it refuses. */
const namedKeys = 20;

function messages(error: z.ZodError, wrongType?: string): Record<string, string> {
  return Object.fromEntries(
    error.issues.flatMap((issue): [string, string][] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, namedKeys).map((key) => [key.slice(0, 50).toWellFormed(), 'is not known'])
        : [[String(issue.path[0] ?? 'body'), (issue.code === 'invalid_type' ? wrongType : undefined) ?? issue.message]],
    ),
  );
}
