/** The registry, as the release tool asks it. Failures are plain words. */
import * as z from 'zod';
import { CommandFailed } from './command.ts';
import { readEnvironment } from './env.ts';

const deadlineMs = 30_000;

/** As much of a problem document as a person is told. */
const problem = z.object({
  code: z.string().default(''),
  detail: z.string().default(''),
  errors: z.record(z.string(), z.string()).default({}),
  missing: z.array(z.string()).default([]),
});

/** The registry said no. `code` is of its own list, empty where it gave none. */
export class RegistryRefused extends CommandFailed {
  readonly status: number;
  readonly code: string;
  /** Files that it still needs. */
  readonly missing: string[];

  constructor(message: string, { status, code, missing }: { status: number; code: string; missing: string[] }) {
    super(message);
    this.status = status;
    this.code = code;
    this.missing = missing;
  }
}

/** Nobody answered, or the answer was cut: asking once more may help. */
export class RegistryAway extends CommandFailed {}

export interface Asking {
  method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON. */
  body?: object;
  /** Sent as they are. */
  bytes?: Uint8Array;
  /** Whether this is the operator's to ask. */
  operator?: boolean;
}

/**
 * Asks the registry.
 * @throws RegistryRefused where it says no, RegistryAway where it does not answer in 30 s, answers 5xx, or not as a registry would
 */
export async function ask<T extends z.ZodType>(
  path: string,
  schema: T,
  { method = 'GET', body, bytes, operator }: Asking = {},
): Promise<z.infer<T>> {
  const { REGISTRY_URL, COLONNADE_TOKEN } = readEnvironment();
  const headers: Record<string, string> = {};
  if (operator) {
    if (COLONNADE_TOKEN === undefined)
      throw new CommandFailed(
        'Set COLONNADE_TOKEN to an operator’s token. An administrator makes one: pnpm staff add "Your name" --role operator',
      );
    headers.authorization = `Bearer ${COLONNADE_TOKEN}`;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (bytes !== undefined) headers['content-type'] = 'application/octet-stream';
  const sent = bytes === undefined ? body && JSON.stringify(body) : new Uint8Array(bytes);
  const signal = AbortSignal.timeout(deadlineMs);
  let res: Response;
  let text: string;
  try {
    res = await fetch(REGISTRY_URL + path, { method, headers, body: sent ?? null, signal, redirect: 'error' });
    text = await res.text();
  } catch {
    throw new RegistryAway(`The registry at ${REGISTRY_URL} does not answer. Does the site run (pnpm start)? Else set REGISTRY_URL.`);
  }
  const said = parse(text);
  if (!res.ok) throw refusal(res, problem.safeParse(said).data ?? problem.parse({}));
  const result = schema.safeParse(said);
  if (result.success) return result.data;
  throw new RegistryAway(`What answers at ${REGISTRY_URL} is no registry, or another version of it. Check REGISTRY_URL.`);
}

/** Asks for something that need not be there. @returns null where it is not */
export async function askFor<T extends z.ZodType>(path: string, schema: T, absent: string): Promise<z.infer<T> | null> {
  try {
    return await ask(path, schema);
  } catch (error) {
    if (error instanceof RegistryRefused && error.code === absent) return null;
    throw error;
  }
}

function refusal({ status, headers }: Response, { code, detail, errors, missing }: z.infer<typeof problem>): CommandFailed {
  const fields = Object.entries(errors).map(([field, message]) => `${field}: ${message}`);
  if (status >= 500) return new RegistryAway(`The registry answered ${status}. ${detail || 'Try again in a moment.'}`);
  return new RegistryRefused(words(), { status, code, missing });

  function words(): string {
    if (code !== '') return detail;
    switch (status) {
      case 401:
        return 'Your token in COLONNADE_TOKEN is not known, or was revoked. An administrator makes a new one: pnpm staff add "Your name" --role operator';
      case 403:
        return `Your token in COLONNADE_TOKEN is not an operator’s: it may not do this. ${detail}`.trim();
      case 429:
        return `Too many wrong tokens were sent from this machine. Try again in ${headers.get('retry-after') ?? '60'} seconds.`;
      default:
        return `The registry answered ${status}. ${[detail, ...fields].join(' ')}`.trim();
    }
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
