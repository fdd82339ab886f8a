import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardNamed } from './guards.ts';

test('a page whose guard nobody knows stops the start: it would stand open', () => {
  assert.throws(() => guardNamed('sesion'), /no guard called sesion/);
  assert.throws(() => guardNamed('toString'), /no guard called/);
  assert.equal(typeof guardNamed('session'), 'function');
});
