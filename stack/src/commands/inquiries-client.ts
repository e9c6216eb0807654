/** The inquiry service's staff endpoints, as the command uses them. Failures are plain words. */

import { CommandFailed } from '@colonnade/release/command';
import { field, readEnv } from '@colonnade/service/env';
import * as z from 'zod';
import { refusal, type StaffService, tokenMissing } from './refusal.ts';

const deadlineMs = 10_000;

const summaryShape = {
  reference: z.string(),
  receivedAt: z.string(),
  category: z.string(),
  status: z.string(),
  assignee: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  company: z.string().nullable(),
  closedAt: z.string().nullable(),
  erased: z.boolean(),
};
const summary = z.object({ ...summaryShape, mails: z.object({ office: z.string().nullable(), visitor: z.string().nullable() }) });
const list = z.object({ items: z.array(summary), next: z.string().nullable() });
const by = z.object({ name: z.string() });
const detail = z.object({
  ...summaryShape,
  message: z.string().nullable(),
  closingReason: z.string().nullable(),
  notes: z.array(z.object({ at: z.string(), by, text: z.string().nullable() })),
  mails: z.array(
    z.object({
      kind: z.string(),
      state: z.string(),
      attempts: z.number(),
      sentAt: z.string().nullable(),
      failure: z.string().nullable(),
    }),
  ),
  history: z.array(z.object({ at: z.string(), by, action: z.string(), to: z.string().nullable() })),
});
export type InquiryDetail = z.infer<typeof detail>;
/** Which inquiries; the names are those of the options and of the API. */
export type InquiryFilter = Partial<Record<'status' | 'category' | 'assignee' | 'from' | 'to', string>>;

const service: StaffService = {
  name: 'inquiry',
  role: 'office',
  whose: 'the office',
  thing: 'inquiry',
  unknown: 'There is no inquiry with this reference. It looks like NV-7K2M-Q0XD.',
};

const env = readEnv(
  z.object({
    /** The inquiry service's own port: it is not behind the public door. */
    INQUIRY_URL: field.url.optional(),
    /** As the site on this machine was given it. */
    INQUIRY_PORT: field.port.default(3202),
    /** Of `pnpm staff add`. */
    COLONNADE_TOKEN: z.string().optional(),
  }),
);
const serviceUrl = env.INQUIRY_URL ?? `http://127.0.0.1:${env.INQUIRY_PORT}`;

/** One page, newest first. */
export async function listInquiries(filter: InquiryFilter, page: { limit: number; cursor?: string }): Promise<z.infer<typeof list>> {
  const query = new URLSearchParams({ ...filter, limit: String(page.limit), ...(page.cursor !== undefined && { cursor: page.cursor }) });
  return list.parse(await (await send('GET', `?${query}`)).json());
}

/** @throws CommandFailed where there is none */
export async function readInquiry(reference: string): Promise<InquiryDetail> {
  return detail.parse(await (await send('GET', at(reference))).json());
}

/** Changes an inquiry from the version that is there now. @throws CommandFailed that says why it cannot be done */
export async function changeInquiry(
  reference: string,
  change: { method: 'PUT' | 'POST'; what: string; body?: object },
): Promise<InquiryDetail> {
  const etag = (await send('GET', at(reference))).headers.get('etag') ?? '';
  const answer = await send(change.method, `${at(reference)}/${change.what}`, { etag, body: change.body });
  return detail.parse(await answer.json());
}

/** The table of all that the filter lets through, as it comes. */
export async function exportInquiries(filter: InquiryFilter, bom: boolean): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await send('GET', `.csv?${new URLSearchParams({ ...filter, bom: String(bom) })}`, { deadlineMs: 600_000 });
  return body ?? (async function* () {})();
}

const at = (reference: string) => `/${encodeURIComponent(reference.trim().toUpperCase())}`;

interface Sending {
  etag?: string;
  body?: object | undefined;
  deadlineMs?: number;
}

async function send(method: string, path: string, { etag, body, deadlineMs: ms = deadlineMs }: Sending = {}): Promise<Response> {
  if (env.COLONNADE_TOKEN === undefined) {
    throw tokenMissing(service);
  }
  const headers: Record<string, string> = { authorization: `Bearer ${env.COLONNADE_TOKEN}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (etag !== undefined) headers['if-match'] = etag;
  const res = await fetch(`${serviceUrl.replace(/\/$/, '')}/staff/inquiries${path}`, {
    method,
    headers,
    signal: AbortSignal.timeout(ms),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CommandFailed(`The inquiry service at ${serviceUrl} does not answer. Does the site run (pnpm start)? Else set INQUIRY_URL.`);
  });
  if (res.ok) return res;
  throw refusal(service, res, await res.json().catch(() => ({})));
}
