/** The failures of the news API, with their status and public words. */
import { Problem } from '@colonnade/service/problem';
import type { z } from 'zod';

/** No such item; also for an id that cannot be one. */
export const newsNotFound = () => new Problem(404, 'Not found', { detail: 'There is no news item with this id.' });

/** A query of the list that is not understood, with a message for each of its keys. */
export function invalidQuery(error: z.ZodError): Problem {
  const errors = Object.fromEntries(
    error.issues.flatMap((issue): [string, string][] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [key.slice(0, 50), 'is not known'])
        : [[String(issue.path[0]), issue.code === 'invalid_type' ? 'must be given once' : issue.message]],
    ),
  );
  return new Problem(400, 'Bad request', { detail: 'The query of this address is not understood.', extra: { errors } });
}
