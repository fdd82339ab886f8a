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

test('live mode does not document the sandbox', () => {
  const live = openapi({ name: 'Kurs', url: 'https://kurs.example', sandbox: false });
  assert.doesNotMatch(JSON.stringify(live), /api\/v1\/sandbox/);
});
