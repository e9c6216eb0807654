/** What a service's refusal means to the person at the command line. */

import { CommandFailed } from '@colonnade/release/command';
import * as z from 'zod';

/** A service's staff endpoints, in the words of those who use them. */
export interface StaffService {
  name: 'news' | 'inquiry';
  /** Which role `pnpm staff add` has to give. */
  role: 'editor' | 'office';
  /** Whose token it has to be: `an editor`. */
  whose: string;
  /** What is changed: `item`. */
  thing: string;
  /** Said where there is no such thing. */
  unknown?: string;
}

/** As much of a problem document as a person is told. */
const problem = z.object({ detail: z.string().default(''), errors: z.record(z.string(), z.string()).default({}) });

export function tokenMissing({ role }: StaffService): CommandFailed {
  return new CommandFailed(`Set COLONNADE_TOKEN to your token. An administrator makes one: pnpm staff add "Your name" --role ${role}`);
}

/** @param said the body of the answer, whatever it was */
export function refusal(service: StaffService, res: Response, said: unknown): CommandFailed {
  return new CommandFailed(words(service, res, problemOf(said)));
}

export const problemOf = (said: unknown) => problem.safeParse(said).data ?? { detail: '', errors: {} };

function words(service: StaffService, { status, headers }: Response, { detail, errors }: z.infer<typeof problem>): string {
  const fields = Object.entries(errors).map(([name, message]) => `${name}: ${message}`);
  const other = `The ${service.name} service answered ${status}. ${[detail, ...fields].join(' ')}`.trim();
  switch (status) {
    case 401:
      return `Your token in COLONNADE_TOKEN is not known, or was revoked. An administrator makes a new one: pnpm staff add "Your name" --role ${service.role}`;
    case 403:
      return `Your token is not one of ${service.whose}: it may not do this.`;
    case 404:
      return service.unknown ?? other;
    case 409:
      return detail;
    case 412:
      return `Somebody else has changed this ${service.thing} at the same moment. Look at it again, then repeat the command.`;
    case 422:
      return fields.join('; ') || detail;
    case 429:
      return `Too many wrong tokens were sent from this machine. Try again in ${headers.get('retry-after') ?? '60'} seconds.`;
    case 503:
      return `The ${service.name} service cannot reach its database just now. Try again in a moment.`;
    default:
      return other;
  }
}
