// Promises of the OpenAPI document about every call, and an independent linter's findings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type PaymentWebhook, openapi } from './openapi.ts';
import { isFor } from '../permissions.ts';
import { PROBLEMS } from '../problems.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes/index.ts';

interface Schema {
  readonly [key: string]: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly enum?: readonly string[] } }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
}

/** A sample webhook of a payment system, checked like the real ones. */
const SAMPLE: PaymentWebhook = {
  ...{
    name: 'A bank',
    type: 'application/json' as const,
    headers: { 'x-hash': 'A signature' },
    fields: { order: 'Our reference' },
  },
  ...{ proof: 'by `x-hash`', taken: '`OK`', refused: '`NO`' },
};
const document = openapi({
  ...{ name: 'Kurs', url: 'http://127.0.0.1:3000', clients: ['web', 'shop'], isSandbox: true, webhooks: { sample: SAMPLE } },
}) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ what: `${method} ${path}`, ...operation })),
);

test('an independent linter finds nothing', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  assert.deepEqual(
    found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

test('every call documents the common problems, also those written by hand', () => {
  for (const { what, responses } of operations)
    for (const status of ['405', '500', '503']) assert.ok(status in responses, `${what} names no ${status}`);
});

test('every call documents its callers; calls with a session document the refusal of an ended one', () => {
  const named = new Map<string, Route>(Object.entries(routes));
  for (const { what, operationId, security, responses } of operations) {
    assert.ok(security, what);
    const takesSession = security.some((one) => 'user' in one || 'operator' in one);
    if (takesSession) assert.ok('401' in responses, what);
    const route = named.get(operationId);
    if (!route) continue;
    const wanted = isFor(route, 'public') && route.mayKnowUser ? [{}, { user: [] }] : [];
    const shown = (['operator', 'user', 'key'] as const).filter((kind) => isFor(route, kind)).map((kind) => ({ [kind]: [] }));
    assert.deepEqual(security, shown.length > 0 ? shown : wanted, what);
  }
  const knowing = Object.values<Route>(routes).filter(({ mayKnowUser }) => mayKnowUser);
  assert.ok(knowing.length >= 5);
});

test('answers allow no undocumented fields', () => {
  const open: string[] = [];
  const walk = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const schema = node as Schema;
    if (schema['type'] === 'object' && schema['properties'] !== undefined && schema['additionalProperties'] !== false)
      open.push(at);
    for (const [key, value] of Object.entries(schema)) walk(value, `${at}/${key}`);
  };
  for (const { what, responses } of operations)
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const { schema } of Object.values(content)) walk(schema, `${what} ${status}`);
  walk(document.components.schemas, 'components');
  assert.deepEqual(open, []);
});

test('problem codes and front ends are closed lists', () => {
  const properties = document.components.schemas['Problem']?.['properties'] as Record<string, Schema> | undefined;
  assert.deepEqual(properties?.['code']?.['enum'], Object.keys(PROBLEMS));
  for (const { what, parameters = [], responses } of operations) {
    const client = parameters.find(({ name }) => name === 'client-id');
    if (client) assert.deepEqual(client.schema.enum, ['public', 'web', 'shop'], what);
    assert.equal(client !== undefined, '403' in responses && JSON.stringify(responses['403']).includes('unknown_client'), what);
  }
});
