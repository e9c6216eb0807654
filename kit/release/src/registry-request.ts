/** One request to a registry: within a deadline, with a bounded answer, and two ways in which it can fail. */
import * as z from 'zod';

const answerLimitBytes = 2_000_000;

/** As much of a problem document as is told. */
const problemSchema = z.object({
  code: z.string().default(''),
  detail: z.string().default(''),
  errors: z.record(z.string(), z.string()).default({}),
  missing: z.array(z.string()).default([]),
});

/** The registry said no. */
export class RegistryRefused extends Error {
  override readonly name = 'RegistryRefused';
  readonly status: number;
  /** From its own list: `already-live`, `trial-running` …; empty where it gave none. */
  readonly code: string;
  /** Files that an upload still needs. */
  readonly missing: readonly string[];

  constructor(status: number, { code, detail, errors, missing }: z.infer<typeof problemSchema>) {
    const fields = Object.entries(errors).map(([field, message]) => `${field}: ${message}`);
    super(code === '' ? [`The registry answered ${status}.`, detail, ...fields].join(' ').trim() : detail);
    this.status = status;
    this.code = code;
    this.missing = missing;
  }
}

/** Nobody answered, it answered 5xx, or not as a registry would: asking once more may help. */
export class RegistryAway extends Error {
  override readonly name = 'RegistryAway';
}

/** What is sent. */
export interface Asking {
  method?: 'GET' | 'POST' | 'PUT';
  json?: object;
  bytes?: Uint8Array;
  limitBytes?: number;
}

/** @throws RegistryRefused, RegistryAway */
export async function answerOf(
  url: string,
  path: string,
  {
    method = 'GET',
    json,
    bytes,
    limitBytes = answerLimitBytes,
    token,
    deadlineMs,
  }: Asking & { token: string | undefined; deadlineMs: number },
): Promise<Buffer> {
  // A connection that is kept would hold up the end of the registry's process.
  const headers: Record<string, string> = { Connection: 'close' };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  if (bytes !== undefined) headers['Content-Type'] = 'application/octet-stream';
  const body = bytes === undefined ? json && JSON.stringify(json) : new Uint8Array(bytes);
  const signal = AbortSignal.timeout(deadlineMs);
  let response: Response;
  let answer: Buffer;
  try {
    response = await fetch(url + path, { method, headers, body: body ?? null, signal, redirect: 'error' });
    answer = await whole(response, limitBytes);
  } catch (cause) {
    throw new RegistryAway(`The registry at ${url} does not answer.`, { cause });
  }
  if (response.ok) return answer;
  const said = problemSchema.safeParse(parsed(answer)).data ?? problemSchema.parse({});
  if (response.status < 500) throw new RegistryRefused(response.status, said);
  throw new RegistryAway(`The registry answered ${response.status}. ${said.detail || 'Try again in a moment.'}`);
}

async function whole(response: Response, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new Error(`${response.url} sends more than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** An answer as JSON; undefined where it is none. */
export function parsed(answer: Buffer): unknown {
  try {
    return JSON.parse(answer.toString('utf8'));
  } catch {
    return undefined;
  }
}
