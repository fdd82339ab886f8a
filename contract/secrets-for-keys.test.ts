// API keys only read: no answer to a key contains a secret for acting on an order, or as an account holder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { isFor } from './permissions.ts';
import type { Route } from './route.ts';
import { routes } from './routes/index.ts';
import { token } from './wire.ts';

const SECRET_NAME = /(^|_)(token|secret|password|otp|handle|nonce|recovery_codes)$/;
const TOKEN_FORM = /^\^\[A-Za-z0-9_-\]\{20,100\}\$$/;

/** Calls that answer the secret by which a shop verifies our webhooks. It opens nothing here. */
const SIGNING: ReadonlySet<string> = new Set(['storeWebhookMake', 'storeWebhookRotate']);

/** Returns the paths of fields with a secret, recognized by name or form. */
function secretsIn(schema: z.ZodType): string[] {
  const { $defs: definitions = {}, ...whole } = z.toJSONSchema(schema, { io: 'output' });
  const found: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('pattern' in node && typeof node.pattern === 'string' && TOKEN_FORM.test(node.pattern)) found.push(path);
    if ('$ref' in node && typeof node.$ref === 'string') walk(definitions[node.$ref.split('/').at(-1) ?? ''], path);
    for (const [name, inner] of Object.entries(node)) {
      if (name !== 'properties') walk(inner, path);
      else
        for (const [field, of] of Object.entries(inner as object)) {
          if (SECRET_NAME.test(field)) found.push(`${path}.${field}`);
          walk(of, `${path}.${field}`);
        }
    }
  };
  walk(whole, '');
  return [...new Set(found)];
}

test('no call that takes a key answers it with a secret', () => {
  const requests: string[] = [];
  for (const [name, route] of Object.entries<Route>(routes)) {
    if (!isFor(route, 'key') || route.isEmpty) continue;
    requests.push(name);
    assert.deepEqual(secretsIn(route.forKeys ?? route.output), SIGNING.has(name) ? ['.secret'] : [], name);
  }
  assert.ok(requests.length >= 7, `${requests.length} calls take a key`);
});

test('secrets are found wherever an answer holds them', () => {
  assert.deepEqual(secretsIn(routes.userOrder.output).sort(), ['.related.token', '.token']);
  assert.deepEqual(secretsIn(z.object({ by: z.array(z.object({ link: token.optional() })) })), ['.by.link']);
});

test('an answer to a key is a part of the answer to a session', () => {
  for (const [name, route] of Object.entries<Route>(routes)) if (route.forKeys) assert.ok(isFor(route, 'key'), name);
});
