/** What the OpenAPI document says of each address: the schemas that check it, and its answers. */
import { type Operation, openapiDocument } from '@colonnade/service/openapi';
import { z } from 'zod';
import {
  deskItemSchema,
  deskListSchema,
  latestSchema,
  movedSchema,
  newsDetailSchema,
  newsListSchema,
  publishedSchema,
  treeNodeSchema,
  versionListSchema,
  versionSchema,
} from './answers.ts';
import {
  changeSchema,
  deskQuerySchema,
  draftSchema,
  ifMatchPattern,
  latestQuerySchema,
  listQuerySchema,
  newsParams,
  publishedQuerySchema,
  renameSchema,
  scheduleSchema,
  versionParams,
  versionsQuerySchema,
} from './schema.ts';

const description = `The company's news: what visitors read (\`/api\`), and what editors do (\`/staff\`).

Every change of an item needs \`If-Match\` with the ETag that came with it. Each leaves a version.
\`GET /changes\` on the same port, not described here because it does not end, sends server-sent events: \`change\` with
\`{kind, newsId, previousId?, tags}\` and \`reset\`, after which a keeper of copies has to forget them all.`;

const badQuery = { 400: 'The query is not understood.' };
const unchanged = { 304: { description: 'Not changed since If-None-Match or If-Modified-Since.' } };

const publicOperations: Operation[] = [
  {
    method: 'get',
    path: '/api/news',
    id: 'listNews',
    summary: 'Published news, newest first: by category, year and words',
    query: listQuerySchema,
    answers: { 200: { description: 'One page.', schema: newsListSchema, headers: ['ETag'] }, ...unchanged },
    problems: badQuery,
  },
  {
    method: 'get',
    path: '/api/news/{newsId}',
    id: 'readNews',
    summary: 'One published item',
    params: newsParams,
    answers: {
      200: { description: 'The item.', schema: newsDetailSchema, headers: ['ETag'] },
      301: { description: 'It has another id now.', schema: movedSchema, headers: ['Location'] },
      ...unchanged,
    },
    problems: { 400: 'The path is not valid UTF-8.', 404: 'No such item.', 410: 'No longer published.' },
  },
  {
    method: 'get',
    path: '/latest',
    id: 'latestNews',
    summary: 'The newest published items, without the counts of a list',
    query: latestQuerySchema,
    answers: { 200: { description: 'Newest first.', schema: latestSchema, headers: ['ETag'] }, ...unchanged },
    problems: badQuery,
  },
  {
    method: 'get',
    path: '/published',
    id: 'listPublished',
    summary: 'The ids of all published items, for a sitemap',
    query: publishedQuerySchema,
    answers: { 200: { description: 'Up to 5,000.', schema: publishedSchema }, ...unchanged },
    problems: badQuery,
  },
];

const ifMatch = z.object({
  'If-Match': z.string().meta({ openapi: { type: 'string', pattern: ifMatchPattern.source, description: 'The ETag of the item.' } }),
});
const item = (text: string, ...headers: string[]) => ({ description: text, schema: deskItemSchema, headers: ['ETag', ...headers] });
const notFound = { 400: 'The path is not valid UTF-8.', 404: 'No such item.' };
const badBody: Record<number, string> = { 413: 'The body is too large.', 415: 'The body is not JSON.', 422: 'Some fields do not fit.' };

/** A change of an item. */
const change = (
  method: 'post' | 'put',
  action: string,
  rest: { id: string; summary: string; body?: z.ZodType; problems?: Record<number, string>; location?: boolean },
): Operation => ({
  method,
  path: `/staff/news/{newsId}${action}`,
  id: rest.id,
  summary: rest.summary,
  params: newsParams,
  headers: ifMatch,
  body: rest.body,
  staff: true,
  answers: { 200: item('The item after the change.', ...(rest.location ? ['Location'] : [])) },
  problems: {
    404: 'No such item.',
    400: 'If-Match, the path or the JSON cannot be read.',
    412: 'The item has changed meanwhile.',
    428: 'If-Match is missing.',
    ...rest.problems,
    ...(rest.body && badBody),
  },
});

const staffOperations: Operation[] = [
  {
    method: 'get',
    path: '/staff/news',
    id: 'listDesk',
    summary: 'Items of every state, last changed first',
    query: deskQuerySchema,
    staff: true,
    answers: { 200: { description: 'One page.', schema: deskListSchema }, ...unchanged },
    problems: badQuery,
  },
  {
    method: 'post',
    path: '/staff/news',
    id: 'createDraft',
    summary: 'A new draft',
    body: draftSchema,
    staff: true,
    answers: { 201: item('The draft.', 'Location') },
    problems: { 400: 'The JSON cannot be read.', 409: 'An item has, or had, this id.', ...badBody },
  },
  {
    method: 'get',
    path: '/staff/news/{newsId}',
    id: 'readItem',
    summary: 'One item of any state, with its Markdown',
    params: newsParams,
    staff: true,
    answers: { 200: item('The item.'), ...unchanged },
    problems: notFound,
  },
  change('put', '', { id: 'changeItem', summary: 'Change the content, in any state', body: changeSchema }),
  change('post', '/publish', { id: 'publishItem', summary: 'Publish now', problems: { 409: 'It is published already.' } }),
  change('post', '/schedule', {
    id: 'scheduleItem',
    summary: 'Publish later',
    body: scheduleSchema,
    problems: { 409: 'It is published already, or the moment has passed.' },
  }),
  change('post', '/unpublish', {
    id: 'unpublishItem',
    summary: 'Take off the site, or off the schedule',
    problems: { 409: 'It is neither published nor scheduled.' },
  }),
  change('post', '/rename', {
    id: 'renameItem',
    summary: 'Another id; the old one leads to it',
    body: renameSchema,
    problems: { 409: 'Another item has, or had, this id.' },
    location: true,
  }),
  {
    method: 'get',
    path: '/staff/news/{newsId}/versions',
    id: 'listVersions',
    summary: 'Who changed what and when, newest first',
    params: newsParams,
    query: versionsQuerySchema,
    staff: true,
    answers: { 200: { description: 'One page.', schema: versionListSchema }, ...unchanged },
    problems: { ...notFound, 400: 'The query is not understood, or the path is not valid UTF-8.' },
  },
  {
    method: 'get',
    path: '/staff/news/{newsId}/versions/{revision}',
    id: 'readVersion',
    summary: 'One version with its content',
    params: versionParams,
    staff: true,
    answers: { 200: { description: 'The version.', schema: versionSchema }, ...unchanged },
    problems: { ...notFound, 404: 'No such item or version.' },
  },
];

/** The service's OpenAPI 3.1 document. */
export function newsOpenapi(version: string): object {
  return openapiDocument({
    title: 'Colonnade news',
    version,
    description,
    operations: [...publicOperations, ...staffOperations],
    schemas: { TreeNode: treeNodeSchema },
  });
}
