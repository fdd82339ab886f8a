import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromExactJson, toExactJson } from './exact-json.ts';

test('bigints, dates and texts survive a round trip', () => {
  // Texts that resemble encoded values: a customer may type them.
  const marked = fc.stringMatching(/^'{0,2}-?[0-9]{1,20}[nt]$/);
  const leaf = fc.oneof(
    fc.bigInt(),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(8e12) }),
    fc.string(),
    marked,
    fc.boolean(),
  );
  const plain = fc
    .dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf)))
    .filter((value) => !JSON.stringify(Object.keys(value)).includes('__proto__'));
  fc.assert(
    fc.property(plain, (value) => {
      assert.deepEqual({ ...fromExactJson<object>(toExactJson(value)) }, { ...value });
    }),
  );
});
