import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapi } from './openapi.ts';
import { routes } from './routes/index.ts';

const document = openapi({ name: 'Kurs', url: 'http://127.0.0.1:3000', sandbox: true }) as {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown> };
};

test('every route is documented once, under its name', () => {
  assert.equal(document.openapi, '3.1.0');
  const names = Object.values(document.paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId));
  assert.deepEqual(names.sort(), Object.keys(routes).sort());
});

test('every reference points at a component', () => {
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] as string));
  for (const name of used) assert.ok(document.components.schemas[name], `${name} is referred to and missing`);
  assert.ok(used.has('Order') && used.has('Quote') && used.has('Problem'));
  assert.doesNotMatch(text, /\$defs/);
});

test('what a call can answer is documented', () => {
  const codesOf = (path: string, method: string) => {
    const operation = document.paths[`/api/v1${path}`]?.[method];
    const responses = (operation?.responses ?? {}) as Record<string, { description: string }>;
    return new Set(
      Object.entries(responses).flatMap(([status, { description }]) =>
        [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
      ),
    );
  };
  const placing = codesOf('/calculation/process-order', 'post');
  for (const told of [
    '403 unknown_client',
    '405 method_not_allowed',
    '409 idempotency_in_flight',
    '413 payload_too_large',
    '415 unsupported_media_type',
    '422 idempotency_mismatch',
    '422 validation',
    '429 rate_limited',
    '409 calculation_used',
  ])
    assert.ok(placing.has(told), told);
  const looking = codesOf('/calculation', 'get');
  assert.ok(
    looking.has('403 unknown_client') && !looking.has('413 payload_too_large') && !looking.has('409 idempotency_in_flight'),
  );
  assert.ok(!codesOf('/sandbox/mine', 'post').has('403 unknown_client'));
});

test('live mode does not document the sandbox', () => {
  const live = openapi({ name: 'Kurs', url: 'https://kurs.example', sandbox: false });
  assert.doesNotMatch(JSON.stringify(live), /api\/v1\/sandbox/);
});
