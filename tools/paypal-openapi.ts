// Extracts the operations that the PayPal counterpart checks from PayPal's own OpenAPI files:
//   node tools/paypal-openapi.ts <folder with checkout_orders_v2.json, …>
// writes sandbox/paypal/openapi/<name>.json. It leaves out unused operations, texts for people, and ways to pay other than PayPal
// itself. The rest is PayPal's, word for word, under PayPal's licence (beside it).

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Thing = { [name: string]: Json };

const FILES: Record<string, { file: string; operations: string[] }> = {
  orders: { file: 'checkout_orders_v2.json', operations: ['orders.create', 'orders.get', 'orders.capture'] },
  payments: { file: 'payments_payment_v2.json', operations: ['captures.get', 'captures.refund', 'refunds.get'] },
  payouts: {
    file: 'payments_payouts_batch_v1.json',
    operations: ['payouts.post', 'payouts.get', 'payouts-item.get', 'payouts-item.cancel'],
  },
  webhooks: {
    file: 'notifications_webhooks_v1.json',
    operations: [
      'webhooks.post',
      'webhooks.list',
      'verify-webhook-signature.post',
      'webhooks-events.list',
      'webhooks-events.resend',
    ],
  },
};
const TEXTS = new Set(['description', 'title', 'summary', 'example', 'examples', 'externalDocs', 'default', 'deprecated']);
const OTHER_WAYS = ['payment_source', 'payment_source_response'];

/** Removes texts for people. Below `properties` names are fields, except the words of an error beside its code. */
function bare(value: Json, isFields = false): Json {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (typeof value !== 'object' || value === null) return value;
  const isError = isFields && 'issue' in value && 'description' in value;
  const stored = Object.entries(value).filter(([name]) => {
    if (isFields) return !(isError && name === 'description');
    return !TEXTS.has(name) && !name.startsWith('x-');
  });
  return Object.fromEntries(stored.map(([name, one]) => [name, bare(one, name === 'properties' && !isFields)]));
}

function cut(document: Thing, wanted: readonly string[]): Thing {
  const components = document['components'] as Record<string, Record<string, Thing>>;
  for (const name of OTHER_WAYS) {
    const fields = components['schemas']?.[name]?.['properties'] as Thing | undefined;
    if (fields) for (const way of Object.keys(fields)) if (way !== 'paypal') delete fields[way];
  }
  const schemas: Thing = {};
  const resolve = (value: Json): Json => {
    const reference = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['$ref'] : undefined;
    const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec(typeof reference === 'string' ? reference : '') ?? [];
    return kind === '' ? value : (components[kind]?.[name] as Thing);
  };
  /** References to schemas stay, and those schemas are copied. */
  const schema = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(schema);
    if (typeof value !== 'object' || value === null) return value;
    const reference = value['$ref'];
    if (typeof reference === 'string') {
      const name = reference.split('/').at(-1) as string;
      if (!(name in schemas)) {
        schemas[name] = null;
        schemas[name] = schema(bare(components['schemas']?.[name] as Thing));
      }
      return { $ref: `#/schemas/${name}` };
    }
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schema(one)]));
  };
  const bodyOf = (holder: Json): Json => {
    const content = (resolve(holder) as Thing | undefined)?.['content'] as Thing | undefined;
    const json = content?.['application/json'] as Thing | undefined;
    return json?.['schema'] === undefined ? null : schema(bare(json['schema']));
  };
  const operations: Thing = {};
  for (const [path, item] of Object.entries(document['paths'] as Record<string, Thing>)) {
    for (const [method, given] of Object.entries(item)) {
      const operation = given as Thing;
      const id = operation['operationId'];
      if (typeof id !== 'string' || !wanted.includes(id)) continue;
      const parameters = [...((item['parameters'] as Json[]) ?? []), ...((operation['parameters'] as Json[]) ?? [])].map(resolve);
      operations[id] = {
        method,
        path,
        parameters: parameters.map((one) => {
          const { name, in: where, required, schema: form } = one as Thing;
          return { name: name ?? '', in: where ?? '', required: required ?? false, schema: schema(bare(form ?? {})) };
        }),
        body: operation['requestBody'] === undefined ? null : bodyOf(operation['requestBody']),
        replies: Object.fromEntries(
          Object.entries(operation['responses'] as Thing).map(([status, one]) => [status, bodyOf(one)]),
        ),
      };
    }
  }
  return { operations, schemas };
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Say the folder with PayPal’s OpenAPI files');
const target = join(dirname(dirname(fileURLToPath(import.meta.url))), 'sandbox/paypal/openapi');
for (const [name, { file, operations }] of Object.entries(FILES)) {
  const document = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Thing;
  const { version } = document['info'] as { version: string };
  const source = `paypal/paypal-rest-api-specifications openapi/${file} ${version}, © 2023 PayPal, MIT (LICENSE)`;
  const found = cut(document, operations);
  writeFileSync(join(target, `${name}.json`), `${JSON.stringify({ source, ...found })}\n`);
}
