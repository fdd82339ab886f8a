import { z } from 'zod';
import { type PaymentWebhooks, confirmationPaths } from './confirmations.ts';
import { OF_ALL, OF_BODY, problemResponses } from './problem-responses.ts';
import { allowedBy, isFor, isOfDesk } from '../permissions.ts';
import type { ProblemCode } from '../problems.ts';
import { accountExportPath, exportPaths } from './exports.ts';
import { ticketFilePath, uploadPaths } from './uploads.ts';
import { type Route, takesBody } from '../route.ts';
import { type RouteName, routes } from '../routes/index.ts';
import { pageMeta, problem } from '../wire.ts';

export type { PaymentWebhook, PaymentWebhooks } from './confirmations.ts';

type Json = { [key: string]: unknown };

/** Problems of every call. */
const COMMON: readonly ProblemCode[] = ['validation', ...OF_ALL, 'rate_limited'];
/** Problems of calls with an Idempotency-Key. */
const OF_KEY: readonly ProblemCode[] = ['idempotency_mismatch', 'idempotency_in_flight'];

/** True for a route of account holders who have a grant, such as members of a store. */
const needsGrant = (route: Route): boolean => allowedBy(route).some((one) => one.startsWith('user: '));

function problemsOf(route: Route): ReadonlySet<ProblemCode> {
  const { method, mayKnowUser, isIdempotent, problems } = route;
  const isKnown = isFor(route, 'user') || isFor(route, 'operator') || isFor(route, 'key') || mayKnowUser;
  return new Set([
    ...COMMON,
    ...(takesBody({ method }) ? OF_BODY : []),
    ...(isIdempotent ? OF_KEY : []),
    ...(isFor(route, 'sandbox') ? [] : (['unknown_client'] as const)),
    ...(isKnown ? (['unauthorised'] as const) : []),
    ...(isFor(route, 'key') || needsGrant(route) ? (['forbidden'] as const) : []),
    ...problems,
  ]);
}

/** The product's name and the base URL of its calls, the known values of `client-id`, and whether the sandbox's calls are served. */
interface Described {
  readonly name: string;
  readonly url: string;
  readonly clients: readonly string[];
  readonly isSandbox: boolean;
}

const ABOUT_CALLS =
  'Amounts are decimal strings in the currency’s own precision. Answers stand in `data`. A POST, PUT or PATCH takes its fields from its JSON body, a GET or DELETE from its query; what changes something refuses fields that it does not know. Errors are RFC 9457 problems with a stable `code`, a `message` for people in the language of `Accept-Language` and a `detail` for programmers.';
const ABOUT_WEBHOOKS =
  'Webhooks of a store post the events of `/store/{store}/events` to its address. Verify `webhook-signature` by Standard Webhooks with the webhook’s secret, answer 2xx within 15 seconds, ignore a `webhook-id` that you know, and let a higher `version` of an invoice win.';

const SCHEMES = {
  operator: { type: 'http', scheme: 'bearer', description: 'An operator’s key' },
  user: { type: 'http', scheme: 'bearer', description: 'The `access_token` of a sign-in' },
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of an account holder, `kurs_live_…` or `kurs_test_…`, with the scope that the call names; made in the account or by `/user/api-keys/make`. Its calls are counted per key',
  },
} as const;

/**
 * Returns the OpenAPI 3.1 document of all routes of the site and of payment systems' webhooks, generated from the schemas that
 * validate calls.
 */
export function openapi(options: Described & { readonly webhooks: PaymentWebhooks }): Json {
  const parts = partsOf(options);
  const { schemaOf, problemSchema, client } = parts;
  const paths = pathsOf(parts, options, (route) => !isOfDesk(route));
  Object.assign(
    paths,
    confirmationPaths(options.webhooks, problemSchema),
    exportPaths(problemSchema, {
      orders: schemaOf(routes.orderExportTicket.input, 'input'),
      transactions: schemaOf(routes.transactionExportTicket.input, 'input'),
      statistics: schemaOf(routes.affiliateExportTicket.input, 'input'),
      storeEntries: schemaOf(routes.storeEntryExportTicket.input, 'input'),
      storeInvoices: schemaOf(routes.storeInvoiceExportTicket.input, 'input'),
      storePayments: schemaOf(routes.storePaymentExportTicket.input, 'input'),
      storeRefunds: schemaOf(routes.storeRefundExportTicket.input, 'input'),
    }),
    accountExportPath(problemSchema),
    ticketFilePath(problemSchema, client),
    uploadPaths(problemSchema, client, {
      user: schemaOf(routes.userInfo.output, 'output'),
      store: schemaOf(routes.storeChange.output, 'output'),
      link: schemaOf(routes.storeLinkChange.output, 'output'),
    }),
  );
  const { user, key } = SCHEMES;
  return document(options, parts, { paths, securitySchemes: { user, key }, about: `${ABOUT_CALLS} ${ABOUT_WEBHOOKS}` });
}

/** Returns the OpenAPI 3.1 document of the desk's routes, which the operator's console serves. */
export function openapiOfDesk(options: Described): Json {
  const parts = partsOf(options);
  const { operator } = SCHEMES;
  return document(options, parts, {
    paths: pathsOf(parts, options, isOfDesk),
    ...{ securitySchemes: { operator }, about: ABOUT_CALLS },
  });
}

function partsOf({ clients }: Described): Parts {
  const components: Json = {};
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json =>
    lift(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json, components);
  return { components, schemaOf, problemSchema: schemaOf(problem, 'output'), client: clientHeader(clients) };
}

function pathsOf(parts: Parts, { isSandbox }: Described, isWanted: (route: Route) => boolean): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    if ((isFor(route, 'sandbox') && !isSandbox) || !isWanted(route)) continue;
    const path = `/api/v1${route.path.replace(/:([a-z_]+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(name, route, parts);
  }
  return paths;
}

interface Contents {
  readonly paths: Record<string, Json>;
  readonly securitySchemes: Json;
  readonly about: string;
}

const document = ({ name, url }: Described, { components }: Parts, { paths, securitySchemes, about }: Contents): Json => ({
  openapi: '3.1.0',
  info: { title: name, version: '1', license: { name: 'MIT', identifier: 'MIT' }, description: about },
  servers: [{ url }],
  paths,
  components: { schemas: components, securitySchemes },
});

/** Functions that describe schemas; the named ones are collected in `components`. */
interface Parts {
  readonly components: Json;
  readonly schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json;
  readonly problemSchema: Json;
  readonly client: Json;
}

/** Returns the header by which a front end names itself, with its known values and their effect. */
const clientHeader = (clients: readonly string[]): Json => ({
  name: 'client-id',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['public', ...clients], default: 'public' },
  description:
    'Names the front end. `public`, or no header, may make as many calls of those that need no session in a minute as the desk sets aside for callers without a name (half of the others’, unless it says otherwise); any other value that stands here the whole. What stands here not is `unknown_client`. It changes nothing else',
});

/** Returns a route's security requirements: none, or an optional session. */
function securityOf(route: Route): Json[] {
  const shown = (['operator', 'user', 'key'] as const).filter((kind) => isFor(route, kind)).map((kind) => ({ [kind]: [] }));
  if (shown.length > 0) return shown;
  return route.mayKnowUser ? [{}, { user: [] }] : [];
}

function operation(name: string, route: Route, { schemaOf, problemSchema, client }: Parts): Json {
  const input = schemaOf(route.input, 'input') as { properties?: Record<string, Json>; required?: string[] };
  const inPath = new Set([...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1]));
  const data = answerOf(route, (schema) => schemaOf(schema, 'output'));
  const parameters: Json[] = isFor(route, 'sandbox') ? [] : [client];
  const body: Record<string, Json> = {};
  for (const [field, schema] of Object.entries(input.properties ?? {})) {
    const required = input.required?.includes(field) ?? false;
    if (inPath.has(field)) parameters.push({ name: field, in: 'path', required: true, schema });
    else if (!takesBody(route))
      parameters.push({ name: schema['type'] === 'array' ? `${field}[]` : field, in: 'query', required, schema });
    else body[field] = schema;
  }
  if (route.isIdempotent)
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 255 },
      description:
        'A random text such as a UUID. A repeated call with the same key and body has its effect once and gets the same answer. At least 16 characters if the call names no row of yours',
    });
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    parameters,
    security: securityOf(route),
    ...(takesBody(route) ? { requestBody: requestBody(body, input.required ?? []) } : {}),
    responses: {
      ...(route.isEmpty ? { 204: { description: route.summary } } : { 200: success(route, data, schemaOf) }),
      ...problemResponses(problemsOf(route), problemSchema),
    },
  };
}

/** Returns the schema of a call's answer. If API keys get fewer fields than sessions, either of two schemas is valid. */
function answerOf({ output, forKeys }: Route, schemaOf: (schema: z.ZodType) => Json): Json {
  return forKeys ? { anyOf: [schemaOf(output), schemaOf(forKeys)] } : schemaOf(output);
}

function requestBody(properties: Record<string, Json>, required: readonly string[]): Json {
  const schema = {
    type: 'object',
    properties,
    required: required.filter((field) => field in properties),
    additionalProperties: false,
  };
  return { required: schema.required.length > 0, content: { 'application/json': { schema } } };
}

function success(route: Route, data: Json, schemaOf: Parts['schemaOf']): Json {
  const properties: Json = route.isList ? { data, meta: schemaOf(pageMeta, 'output') } : { data };
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  const content: Json = { 'application/json': { schema } };
  if (route.hasStream) content['text/event-stream'] = { schema: { type: 'string' } };
  return { description: route.summary, content };
}

/** Moves the named definitions of a JSON schema into the document's components. */
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
    Object.entries(named(node as Json))
      .filter(([key, value]) => !(key === 'id' && typeof value === 'string'))
      .map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, value.replace('#/$defs/', '#/components/schemas/')]
          : [key, rewrite(value)],
      ),
  );
}

/** Returns a record schema with a property for each name if all names are known, since some tools read only properties. */
function named(schema: Json): Json {
  const { propertyNames, ...rest } = schema;
  const names = (propertyNames as { enum?: readonly string[] } | undefined)?.enum;
  if (!names || rest['properties'] !== undefined) return schema;
  const properties = Object.fromEntries(names.map((name) => [name, rest['additionalProperties'] ?? {}]));
  return { ...rest, properties, additionalProperties: false };
}
