/** The news service's staff endpoints, as the command uses them. Failures are plain words. */

import { CommandFailed } from '@colonnade/release/command';
import { field, readEnv } from '@colonnade/service/env';
import * as z from 'zod';
import { problemOf, refusal, type StaffService, tokenMissing } from './refusal.ts';

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
/** One item, with its content. */
const wholeAnswer = itemAnswer.extend({ language: z.string(), excerpt: z.string(), body: z.string() });
export type WholeItem = z.infer<typeof wholeAnswer>;
const versionsAnswer = z.object({
  items: z.array(z.object({ what: z.string(), who: z.object({ id: z.string(), name: z.string() }), at: z.string() })),
});
export type Version = z.infer<typeof versionsAnswer>['items'][number];
const listAnswer = z.object({ items: z.array(itemAnswer), pages: z.number(), total: z.number() });

const service: StaffService = { name: 'news', role: 'editor', whose: 'an editor', thing: 'item' };

const env = readEnv(
  z.object({
    /** The news service's own port: it is not behind the public door. */
    NEWS_URL: field.url.optional(),
    /** As the site on this machine was given it. */
    NEWS_PORT: field.port.default(3201),
    /** Of `pnpm staff add`. */
    COLONNADE_TOKEN: z.string().optional(),
  }),
);
const serviceUrl = env.NEWS_URL ?? `http://127.0.0.1:${env.NEWS_PORT}`;

interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
  /** The revision that a change is made from. */
  from?: number;
}

/** The item, or null where there is none. */
export async function readItem(newsId: string): Promise<WholeItem | null> {
  const { status, body } = await send({ method: 'GET', path: `/${encodeURIComponent(newsId)}` }, [200, 404]);
  return status === 404 ? null : wholeAnswer.parse(body);
}

/** @throws CommandFailed where there is none; the service says which id a renamed item has now */
export async function existingItem(newsId: string): Promise<Item> {
  const { status, body } = await send({ method: 'GET', path: `/${encodeURIComponent(newsId)}` }, [200, 404]);
  if (status === 404) throw new CommandFailed(`${newsId}: ${problemOf(body).detail} See: pnpm news list`);
  return itemAnswer.parse(body);
}

/** The newest change of an item's content that somebody else made since the caller's own; undefined where there is none. */
export async function changedByAnother(newsId: string): Promise<Version | undefined> {
  const { body } = await send({ method: 'GET', path: `/${encodeURIComponent(newsId)}/versions` }, [200]);
  const caller = /^cst_([0-9a-f]{12})_/.exec(env.COLONNADE_TOKEN ?? '')?.[1];
  const newest = versionsAnswer.parse(body).items.find(({ what }) => what === 'created' || what === 'changed');
  return newest?.who.id === caller ? undefined : newest;
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
    throw tokenMissing(service);
  }
  const headers: Record<string, string> = { authorization: `Bearer ${env.COLONNADE_TOKEN}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (from !== undefined) headers['if-match'] = `"r${from}"`;
  let res: Response;
  let answer: unknown;
  try {
    res = await fetch(`${serviceUrl.replace(/\/$/, '')}/staff/news${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(deadlineMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    answer = await res.json();
  } catch {
    throw new CommandFailed(`The news service at ${serviceUrl} does not answer. Does the site run (pnpm start)? Else set NEWS_URL.`);
  }
  if (good.includes(res.status)) return { status: res.status, body: answer };
  throw refusal(service, res, answer);
}
