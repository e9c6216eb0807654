/** An OpenAPI 3.1 document from the zod schemas that also check what comes and goes, so that it cannot say anything else. */
import { z } from 'zod';

/** What JSON Schema calls a schema. A zod schema gives its own with `.meta({ openapi: … })` where zod's would say less than it checks. */
export type JsonSchema = Record<string, unknown>;

export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  /** As OpenAPI writes it: `/api/news/{newsId}`. */
  path: string;
  id: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** Answers other than problems, by status. */
  answers: Record<number, { description: string; schema?: z.ZodType; type?: string; headers?: readonly string[] }>;
  /** Statuses that are answered with problem+json, by status; 500 and 503 come by themselves. */
  problems: Record<number, string>;
  /** Needs a staff token. */
  staff?: boolean;
}

export interface OpenapiOptions {
  title: string;
  version: string;
  description: string;
  operations: readonly Operation[];
  /** Schemas that others refer to as `#/components/schemas/{name}`. */
  schemas?: Record<string, JsonSchema>;
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status'],
  properties: {
    type: { const: 'about:blank' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    requestId: { type: 'string' },
    errors: { type: 'object', description: 'What is wrong, by field.', additionalProperties: { type: 'string' } },
  },
};

const staffProblems = {
  401: 'No token, or one that is not known or was revoked.',
  403: 'The token’s role may not do this.',
  429: 'Too many wrong tokens from this address.',
};
const serverProblems = { 500: 'A mistake on our side.', 503: 'The database is away. Try again.' };

/** The document, ready to be sent as JSON. */
export function openapiDocument({ title, version, description, operations, schemas = {} }: OpenapiOptions): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, { [operation.method]: describe(operation) });
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    paths,
    components: {
      schemas: { Problem: problemSchema, ...schemas },
      securitySchemes: { staffToken: { type: 'http', scheme: 'bearer', description: 'A token of `pnpm staff add`.' } },
    },
  };
}

function describe({ id, summary, params, query, headers, body, answers, problems, staff }: Operation): object {
  const all = { ...problems, ...(staff && staffProblems), ...serverProblems };
  return {
    operationId: id,
    summary,
    ...(staff && { security: [{ staffToken: [] }] }),
    parameters: [...parameters('path', params), ...parameters('query', query), ...parameters('header', headers)],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
      ...Object.fromEntries(
        Object.entries(all).map(([status, text]) => [
          status,
          { description: text, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
        ]),
      ),
    },
  };
}

function parameters(place: 'path' | 'query' | 'header', shape: z.ZodObject | undefined): object[] {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(shape, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: place, required: required.includes(name), schema }));
}

function answerOf({ description, schema, type = 'application/json', headers = [] }: Operation['answers'][number]): object {
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, { required: true, schema: { type: 'string' } }])),
    }),
    ...(schema && { content: { [type]: { schema: schemaOf(schema, 'output') } } }),
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { openapi } = jsonSchema as { openapi?: JsonSchema };
      if (openapi === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as JsonSchema)[key];
      Object.assign(jsonSchema, openapi);
    },
  });
  return rest;
}
