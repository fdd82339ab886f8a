import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed, restOf } from './rest-of.ts';

const isShown = (field: string): boolean => field === 'email';

test('a refusal without fields is shown for the whole form', () => {
  assert.equal(restOf({ errors: {}, message: 'Sign in' }, isShown), 'Sign in');
  assert.equal(restOf({ message: 'Sign in' }, isShown), 'Sign in');
});

test('messages at fields are not repeated for the whole form', () => {
  assert.equal(restOf({ errors: { email: ['No address'] }, message: 'Check the fields' }, isShown), undefined);
});

test('messages of fields that the form lacks are shown once for the whole form, besides those at its fields', () => {
  const errors = { email: ['No address'], level: ['Too low'], amount: ['Too much', 'Too low'] };
  assert.equal(restOf({ errors, message: 'Check the fields' }, isShown), 'Too low Too much');
});

test('messages are placed at their fields, and the others are returned as the rest', () => {
  const errors = { email: ['No address'], level: ['Too low'] };
  assert.deepEqual(placed({ errors, message: 'Check' }, ['email', 'name']), { at: { email: 'No address' }, rest: 'Too low' });
  assert.deepEqual(placed({ errors: {}, message: 'Sign in' }, ['email']), { at: {}, rest: 'Sign in' });
});
