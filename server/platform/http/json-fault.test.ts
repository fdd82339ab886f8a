import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonFault } from './json-fault.ts';

test('finds a field that an object has twice, at any place and in any spelling', () => {
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
    assert.equal(jsonFault(text, JSON.parse(text)), 'body_twins', text);
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
    assert.equal(jsonFault(text, JSON.parse(text)), undefined, text);
  }
});

test('finds nesting deeper than 64 levels, and ignores brackets in strings', () => {
  const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  for (const [text, fault] of [
    [lists(64), undefined],
    [objects(64), undefined],
    [lists(65), 'body_deep'],
    [objects(65), 'body_deep'],
    [`{"a":${lists(64)}}`, 'body_deep'],
    [`[${'[],'.repeat(200)}[]]`, undefined],
    [JSON.stringify({ a: `"${lists(100)}` }), undefined],
  ] as const)
    assert.equal(jsonFault(text, JSON.parse(text)), fault, text);
});

test('checks a large body quickly', () => {
  const value = { a: '\\"'.repeat(30_000), b: Array.from({ length: 10_000 }, (_, at) => ({ [at]: '"' })) };
  const deep = `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`;
  const begin = performance.now();
  assert.equal(jsonFault(JSON.stringify(value), value), undefined);
  assert.equal(jsonFault(deep, JSON.parse(deep)), 'body_deep');
  assert.ok(performance.now() - begin < 1_000);
});

test('finds a number that a double can’t hold, and ignores digits in strings', () => {
  for (const text of ['{"a":9007199254740993}', '[1,{"b":[0.30000000000000000001]}]', '{"a":1e400}', '9007199254740993'])
    assert.equal(jsonFault(text, JSON.parse(text)), 'body_number', text);
  for (const text of ['{"a":9007199254740992,"b":19.90}', '{"a":"9007199254740993"}', '[-0.5e-3,1E5,true,null]', '0'])
    assert.equal(jsonFault(text, JSON.parse(text)), undefined, text);
});
