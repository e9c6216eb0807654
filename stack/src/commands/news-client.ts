/** The news service's staff endpoints, as the command uses them. Failures are plain words. */
import { field, readEnv } from '@colonnade/service/env';
import * as z from 'zod';
import { CommandFailed } from './command.ts';

const deadlineMs = 10_000;

const itemAnswer = z.object({
  newsId: z.string(),
  title: z.string(),
  category: z.string(),
  state: z.enum(['draft', 'scheduled', 'published', 'unpublished']),
  revision: z.number(),
  publishedAt: z.string().nullable(),
  publishAt: z.string().nullable(),
  updatedAt: z.string(),
});
export type Item = z.infer<typeof itemAnswer>;
const listAnswer = z.object({ items: z.array(itemAnswer), pages: z.number(), total: z.number() });

const problem = z.object({ detail: z.string().optional(), errors: z.record(z.string(), z.string()).optional() });

const env = readEnv(
  z.object({
    /** The news service's own port: it is not behind the public door. */
    NEWS_URL: field.url.default('http://127.0.0.1:3201'),
    /** Of `pnpm staff add`. */
    COLONNADE_TOKEN: z.string().optional(),
  }),
);

interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
  /** The revision that a change is made from. */
  from?: number;
}

/** The item, or null where there is none. */
export async function readItem(newsId: string): Promise<Item | null> {
  const { status, body } = await send({ method: 'GET', path: `/${encodeURIComponent(newsId)}` }, [200, 404]);
  return status === 404 ? null : itemAnswer.parse(body);
}

/** One page of all items or of one state. */
export async function listItems(page: number, state?: string): Promise<z.infer<typeof listAnswer>> {
  const query = new URLSearchParams({ page: String(page), ...(state !== undefined && { state }) });
  return listAnswer.parse((await send({ method: 'GET', path: `?${query}` }, [200])).body);
}

/** Creates or changes. @throws CommandFailed that says what the service does not accept */
export async function writeItem(request: Request): Promise<Item> {
  return itemAnswer.parse((await send(request, [200, 201])).body);
}

async function send({ method, path, body, from }: Request, good: readonly number[]): Promise<{ status: number; body: unknown }> {
  if (env.COLONNADE_TOKEN === undefined) {
    throw new CommandFailed('Set COLONNADE_TOKEN to your token. An administrator makes one: pnpm staff add "Your name" --role editor');
  }
  const headers: Record<string, string> = { authorization: `Bearer ${env.COLONNADE_TOKEN}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (from !== undefined) headers['if-match'] = `"r${from}"`;
  let res: Response;
  let answer: unknown;
  try {
    res = await fetch(`${env.NEWS_URL.replace(/\/$/, '')}/staff/news${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(deadlineMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    answer = await res.json();
  } catch {
    throw new CommandFailed(`The news service at ${env.NEWS_URL} does not answer. Does the site run (pnpm start)? Else set NEWS_URL.`);
  }
  if (good.includes(res.status)) return { status: res.status, body: answer };
  throw new CommandFailed(words(res.status, problem.safeParse(answer).data ?? {}, res.headers.get('retry-after')));
}

function words(status: number, { detail = '', errors = {} }: z.infer<typeof problem>, retryAfter: string | null): string {
  const fields = Object.entries(errors).map(([name, message]) => `${name}: ${message}`);
  switch (status) {
    case 401:
      return 'Your token in COLONNADE_TOKEN is not known, or was revoked. An administrator makes a new one: pnpm staff add "Your name" --role editor';
    case 403:
      return 'Your token is not one of an editor: it may not do this.';
    case 409:
      return detail;
    case 412:
      return 'Somebody else has changed this item at the same moment. Look at it again, then repeat the command.';
    case 422:
      return fields.join('; ') || detail;
    case 429:
      return `Too many wrong tokens were sent from this machine. Try again in ${retryAfter ?? '60'} seconds.`;
    case 503:
      return 'The news service cannot reach its database just now. Try again in a moment.';
    default:
      return `The news service answered ${status}. ${[detail, ...fields].join(' ')}`.trim();
  }
}
