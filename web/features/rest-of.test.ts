import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed, restOf } from './rest-of.ts';

const isShown = (field: string): boolean => field === 'email';

test('a refusal without a field is said altogether', () => {
  assert.equal(restOf({ errors: {}, message: 'Sign in' }, isShown), 'Sign in');
  assert.equal(restOf({ message: 'Sign in' }, isShown), 'Sign in');
});

test('what the fields of the form say is not said again', () => {
  assert.equal(restOf({ errors: { email: ['No address'] }, message: 'Check the fields' }, isShown), undefined);
});

test('words about fields that the form does not show are said altogether, each once, also beside those that it shows', () => {
  const errors = { email: ['No address'], level: ['Too low'], amount: ['Too much', 'Too low'] };
  assert.equal(restOf({ errors, message: 'Check the fields' }, isShown), 'Too low Too much');
});

test('words stand at the fields that they are of, and the others beside them', () => {
  const errors = { email: ['No address'], level: ['Too low'] };
  assert.deepEqual(placed({ errors, message: 'Check' }, ['email', 'name']), { at: { email: 'No address' }, rest: 'Too low' });
  assert.deepEqual(placed({ errors: {}, message: 'Sign in' }, ['email']), { at: {}, rest: 'Sign in' });
});
