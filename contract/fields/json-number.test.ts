import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isExactNumber } from './json-number.ts';

test('a number is exact if a program that reads doubles writes the same value', () => {
  for (const text of [
    '0',
    '-0',
    '-0.0',
    '161',
    '1.10',
    '0.1',
    '1e5',
    '1E+5',
    '-2.50e-3',
    '0.30000000000000004',
    '1e21',
    '9007199254740992',
  ])
    assert.ok(isExactNumber(text), text);
  for (const text of [
    '9007199254740993',
    '0.30000000000000000001',
    '1e400',
    '1e-400',
    '123456789012345678',
    '',
    '1.',
    'NaN',
    '0x10',
  ])
    assert.equal(isExactNumber(text), false, text);
});

test('each double is exact as JavaScript writes it', () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => isExactNumber(String(value))));
});
