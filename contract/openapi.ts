import { z } from 'zod';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import type { Route } from './route.ts';
import { type RouteName, routes } from './routes/index.ts';
import { pageMeta, problem } from './wire.ts';
import { say } from './words.ts';

type Json = { [key: string]: unknown };

/** Problems that any call can meet. */
const COMMON: readonly ProblemCode[] = ['validation', 'rate_limited', 'unavailable', 'internal'];

/**
 * The OpenAPI 3.1 document of all routes, made from the very schemas that validate. Takes the product's name and
 * base URL and whether the sandbox's calls are served.
 */
export function openapi(options: { readonly name: string; readonly url: string; readonly sandbox: boolean }): Json {
  const components: Json = {};
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json =>
    lift(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json, components);
  const problemSchema = schemaOf(problem, 'output');
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    if (route.who === 'sandbox' && !options.sandbox) continue;
    const path = `/api/v1${route.path.replace(/:([a-z_]+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(name, route, schemaOf, problemSchema);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.name,
      version: '1',
      description:
        'Amounts are decimal strings in the currency’s own precision. Answers stand in `data`. Errors are RFC 9457 problems with a stable `code` and a `message` in the language of `Accept-Language`.',
    },
    servers: [{ url: options.url }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { operator: { type: 'http', scheme: 'bearer', description: 'An operator’s key' } },
    },
  };
}

function operation(
  name: string,
  route: Route,
  schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json,
  problemSchema: Json,
): Json {
  const input = schemaOf(route.input, 'input') as { properties?: Record<string, Json>; required?: string[] };
  const inPath = new Set([...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1]));
  const data = schemaOf(route.output, 'output');
  const parameters: Json[] = [
    { name: 'client-id', in: 'header', required: false, schema: { type: 'string' }, description: 'Names the front end' },
  ];
  const body: Record<string, Json> = {};
  for (const [field, schema] of Object.entries(input.properties ?? {})) {
    const required = input.required?.includes(field) ?? false;
    if (inPath.has(field)) parameters.push({ name: field, in: 'path', required: true, schema });
    else if (route.method === 'GET')
      parameters.push({ name: schema['type'] === 'array' ? `${field}[]` : field, in: 'query', required, schema });
    else body[field] = schema;
  }
  if (route.idempotent)
    parameters.push({ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } });
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    parameters,
    ...(route.who === 'operator' ? { security: [{ operator: [] }] } : {}),
    ...(route.method === 'POST' ? { requestBody: requestBody(body, input.required ?? []) } : {}),
    responses: { 200: success(route, data, schemaOf), ...problemResponses(route, problemSchema) },
  };
}

function requestBody(properties: Record<string, Json>, required: readonly string[]): Json {
  const schema = {
    type: 'object',
    properties,
    required: required.filter((field) => field in properties),
    additionalProperties: false,
  };
  return { required: true, content: { 'application/json': { schema } } };
}

function success(route: Route, data: Json, schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json): Json {
  const properties: Json = route.list ? { data, meta: schemaOf(pageMeta, 'output') } : { data };
  const content: Json = { 'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } } };
  if (route.streams) content['text/event-stream'] = { schema: { type: 'string' } };
  return { description: route.summary, content };
}

function problemResponses(route: Route, schema: Json): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of [...COMMON, ...route.problems]) {
    const status = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${say('en', `problems.${code}.title`)}`).join(' · '),
        content: { 'application/problem+json': { schema } },
      },
    ]),
  );
}

/** Moves named definitions of one JSON schema into the document’s components. */
function lift(schema: Json, components: Json): Json {
  const { $defs, $schema: _, ...rest } = schema;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) components[name] = rewrite(definition);
  const named = rest['id'] as string | undefined;
  if (named === undefined) return rewrite(rest) as Json;
  components[named] = rewrite(rest);
  return { $ref: `#/components/schemas/${named}` };
}

function rewrite(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewrite);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'id' && typeof value === 'string'))
      .map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, value.replace('#/$defs/', '#/components/schemas/')]
          : [key, rewrite(value)],
      ),
  );
}
