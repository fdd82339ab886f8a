import { z } from 'zod';
import { confirmationPaths } from './confirmations.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import { accountExportPath, exportPaths } from './exports.ts';
import { ticketFilePath, uploadPaths } from './uploads.ts';
import type { Route } from './route.ts';
import { type RouteName, routes } from './routes/index.ts';
import { pageMeta, problem } from './wire.ts';
import { say } from './words.ts';

type Json = { [key: string]: unknown };

/** Problems that any call can meet, those of a body, and those of an Idempotency-Key. */
const COMMON: readonly ProblemCode[] = ['validation', 'method_not_allowed', 'rate_limited', 'unavailable', 'internal'];
const OF_BODY: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type'];
const OF_KEY: readonly ProblemCode[] = ['idempotency_mismatch', 'idempotency_in_flight'];

function problemsOf({ method, who, idempotent, problems }: Route): ReadonlySet<ProblemCode> {
  return new Set([
    ...COMMON,
    ...(method === 'POST' ? OF_BODY : []),
    ...(idempotent ? OF_KEY : []),
    ...(who === 'sandbox' ? [] : (['unknown_client'] as const)),
    ...(who === 'user' || who === 'operator' ? (['unauthorised'] as const) : []),
    ...problems,
  ]);
}

/**
 * The OpenAPI 3.1 document of all routes, made from the very schemas that validate, and of what payment systems send. Takes the product's name and
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
  Object.assign(
    paths,
    confirmationPaths(problemSchema),
    exportPaths(problemSchema, {
      orders: schemaOf(routes.orderExportTicket.input, 'input'),
      transactions: schemaOf(routes.transactionExportTicket.input, 'input'),
    }),
    accountExportPath(problemSchema),
    ticketFilePath(problemSchema),
    uploadPaths(problemSchema, schemaOf(routes.userInfo.output, 'output')),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: options.name,
      version: '1',
      description:
        'Amounts are decimal strings in the currency’s own precision. Answers stand in `data`. A POST takes its fields from its JSON body and refuses those that it does not know. Errors are RFC 9457 problems with a stable `code`, a `message` for people in the language of `Accept-Language` and a `detail` for programmers.',
    },
    servers: [{ url: options.url }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        operator: { type: 'http', scheme: 'bearer', description: 'An operator’s key' },
        user: { type: 'http', scheme: 'bearer', description: 'The `access_token` of a sign-in' },
      },
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
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 255 },
      description:
        'A random text (a UUID, say): the same key with the same body has its effect once and is answered the same again. Where the call names no row of yours, 16 characters at least',
    });
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    parameters,
    ...(route.who === 'operator' || route.who === 'user' ? { security: [{ [route.who]: [] }] } : {}),
    ...(route.method === 'POST' ? { requestBody: requestBody(body, input.required ?? []) } : {}),
    responses: {
      ...(route.empty ? { 204: { description: route.summary } } : { 200: success(route, data, schemaOf) }),
      ...problemResponses(route, problemSchema),
    },
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

const seconds = (description: string): Json => ({ description, schema: { type: 'integer' } });
const LIMIT_HEADERS = {
  'Retry-After': seconds('Seconds after which to try again'),
  'RateLimit-Limit': seconds('How many the window allows'),
  'RateLimit-Remaining': seconds('How many are left in it'),
  'RateLimit-Reset': seconds('Seconds until it ends'),
};

function problemResponses(route: Route, schema: Json): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of problemsOf(route)) {
    const status = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${say('en', `problems.${code}.title`)}`).join(' · '),
        content: { 'application/problem+json': { schema } },
        ...(status === 429 && { headers: LIMIT_HEADERS }),
        ...(status === 503 && { headers: { 'Retry-After': LIMIT_HEADERS['Retry-After'] } }),
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
