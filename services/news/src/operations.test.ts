import { expect, it } from 'vitest';
import { newsOpenapi } from './operations.ts';

interface Operation {
  operationId: string;
  security?: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
const document = newsOpenapi('1.2.3') as { openapi: string; info: { version: string }; paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it('describes every address but the stream, each once', () => {
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.2.3']);
  expect(operations.map(({ path, method }) => `${method} ${path}`)).toEqual([
    'get /api/news',
    'get /api/news/{newsId}',
    'get /latest',
    'get /published',
    'get /staff/news',
    'post /staff/news',
    'get /staff/news/{newsId}',
    'put /staff/news/{newsId}',
    'post /staff/news/{newsId}/publish',
    'post /staff/news/{newsId}/schedule',
    'post /staff/news/{newsId}/unpublish',
    'post /staff/news/{newsId}/rename',
    'get /staff/news/{newsId}/versions',
    'get /staff/news/{newsId}/versions/{revision}',
  ]);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(14);
});

it('says which need a token, and that every failure is a problem', () => {
  for (const { path, operation } of operations) {
    expect(operation.security !== undefined, path).toBe(path.startsWith('/staff'));
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) expect(Object.keys(content ?? {}), path).toEqual(['application/problem+json']);
    }
  }
});

it('tells the limits that the schemas check, also where zod has no word for them', () => {
  const list = document.paths['/api/news']?.get?.parameters ?? [];
  expect(list.find(({ name }) => name === 'limit')).toEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 20, default: 20 },
  });
  expect(JSON.stringify(document.paths['/staff/news']?.post)).toContain(
    '"body":{"type":"string","maxLength":100000,"description":"Markdown"}',
  );
  expect(JSON.stringify(document.paths['/api/news/{newsId}'])).toContain(
    '"body":{"type":"array","items":{"$ref":"#/components/schemas/TreeNode"}}',
  );
  expect(JSON.stringify(document)).not.toContain('"openapi":{');
});
