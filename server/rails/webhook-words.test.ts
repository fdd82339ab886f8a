// Tests the API's document about webhooks of payment systems.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openapi } from '@kurs/contract/openapi';
import { PAYMENT_WEBHOOKS, PROVIDER_NAMES } from './providers.ts';

const document = openapi({
  ...{ name: 'Kurs', url: 'http://127.0.0.1:3000', clients: ['web'], isSandbox: true },
  webhooks: PAYMENT_WEBHOOKS,
}) as { paths: Record<string, Record<string, unknown>> };

test('lists only known providers', () => {
  for (const rail of Object.keys(PAYMENT_WEBHOOKS)) assert.ok(PROVIDER_NAMES.includes(rail), rail);
});

test('documents each webhook with its body, its proof and its answers, and without a client-id', () => {
  const paths = Object.entries(document.paths).filter(([path]) => path.endsWith('/confirmation'));
  assert.deepEqual(paths.map(([path]) => path.split('/').at(-2)).toSorted(), Object.keys(PAYMENT_WEBHOOKS).toSorted());
  assert.ok(paths.length >= 6);
  for (const [path, { post }] of paths) {
    const { description, requestBody, responses, parameters } = post as unknown as {
      description: string;
      requestBody: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
      responses: Record<string, unknown>;
      parameters: { name: string }[];
    };
    assert.match(description, /raw body/, path);
    assert.match(description, /no `client-id`/, path);
    assert.match(description, /Proven/, path);
    assert.ok(
      Object.values(requestBody.content).every(({ schema }) => Object.keys(schema.properties).length > 0),
      path,
    );
    assert.deepEqual(Object.keys(responses), ['200', '400', '404', '405', '413', '415', '500', '503'], path);
    assert.ok(!parameters.some(({ name }) => name === 'client-id'), path);
  }
  const nebulox = document.paths['/api/v1/payment/nebulox/confirmation']?.['post'] as unknown as {
    parameters: { name: string }[];
  };
  assert.deepEqual(
    nebulox.parameters.map(({ name }) => name),
    ['x-hash'],
  );
});
