import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lettersOf } from './store-letters.ts';

test('a store without a picture is shown by the first letters of two words', () => {
  assert.deepEqual(['Tea shop', '«северный лес» книги', 'maps & more', 'x', '24 часа', '…'].map(lettersOf), [
    ...['TS', 'СЛ', 'MM', 'X', '2Ч', ''],
  ]);
});
