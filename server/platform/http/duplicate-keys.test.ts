import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasDuplicateKeys } from './duplicate-keys.ts';

test('a field that an object has twice is found, wherever it stands and however it is written', () => {
  const texts = [
    '{"a":1,"a":2}',
    '{"a":1, "\\u0061" : 2}',
    '[{"b":{"c":[1,{"d":1,"e":{},"d":[]}]}}]',
    '{"":1,"":1}',
    '{"a\\"":1,"a\\"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":"}","b":[],"a":null}',
    '{"a":{"b":1},"a":2}',
    '{"a":":","a":":"}',
  ];
  for (const text of texts) {
    assert.equal(hasDuplicateKeys(text, JSON.parse(text)), true, text);
  }
  const single = [
    '{}',
    '[]',
    '"a"',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"\\"a\\":1","b":"{\\"a\\":1,\\"a\\":2}"}',
    '["a","a"]',
    '{"a":"b","b":"a"}',
    '{"A":1,"a":1}',
    '{"__proto__":1,"constructor":{"length":1}}',
    '[":","a:b","\\\\",":"]',
  ];
  for (const text of single) {
    assert.equal(hasDuplicateKeys(text, JSON.parse(text)), false, text);
  }
});

test('a large body is read at once', () => {
  const value = { a: '\\"'.repeat(30_000), b: Array.from({ length: 10_000 }, (_, at) => ({ [at]: '"' })) };
  const deep = `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`;
  const begin = performance.now();
  assert.equal(hasDuplicateKeys(JSON.stringify(value), value), false);
  assert.equal(hasDuplicateKeys(deep, JSON.parse(deep)), false);
  assert.ok(performance.now() - begin < 1_000);
});
