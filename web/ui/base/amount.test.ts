import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimZeros, writeAmount, writeDecimal, writePercent, writeRate, writeShortRate } from './amount.ts';

test('trailing zeros are cut to the minimum decimals, and no other digit is lost', () => {
  assert.equal(trimZeros('979.430000', 2), '979.43');
  assert.equal(trimZeros('0.01500000', 4), '0.0150');
  assert.equal(trimZeros('20.000001', 2), '20.000001');
  assert.equal(trimZeros('5', 2), '5.00');
  assert.equal(trimZeros('5.000', 0), '5');
});

test('amounts are grouped as each language does', () => {
  assert.equal(writeAmount('1234567.5', 2, 'en'), '1,234,567.50');
  assert.equal(writeAmount('1234567.5', 2, 'ru'), '1\u00a0234\u00a0567,50');
  assert.equal(writeDecimal('1000', 'en'), '1,000');
  assert.equal(writeDecimal('0.00001234', 'ru'), '0,00001234');
});

test('rates have all digits for computing amounts, few in tables, and are never rounded up', () => {
  assert.equal(writeRate('91377.604', 'en'), '91,377.604');
  assert.equal(writeRate('0.9984', 'ru'), '0,9984');
  assert.equal(writeShortRate('91377.609', 'en'), '91,377.60');
  assert.equal(writeShortRate('0.99999', 'en'), '0.9999');
  assert.equal(writeShortRate('0.00001094', 'en'), '0.00001094');
});

test('a percentage is written with its sign', () => {
  assert.equal(writePercent('1.50', 'en'), '1.5%');
  assert.equal(writePercent('0.5', 'ru'), '0,5%');
});
