import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatUsd, usdOf } from './usd.ts';

test('sums of parts × price are read exactly and written without zeros that don’t count', () => {
  assert.equal(formatUsd(usdOf('BTC', '150000000.5')), '1.500000005');
  assert.equal(formatUsd(usdOf('USDT', '-1')), '-0.000001');
  assert.equal(formatUsd(usdOf('ETH', '0.000000000000000001')), `0.${'0'.repeat(35)}1`);
  assert.equal(formatUsd(usdOf('USD', '120000.00')), '1200');
  assert.equal(formatUsd(0n), '0');
  for (const text of ['1e3', '', 'NaN', `0.${'1'.repeat(19)}`]) assert.throws(() => usdOf('BTC', text), RangeError, text);
});

test('formatting keeps the number exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 50n), 10n ** 50n), (amount) => {
      const [whole = '', behind = ''] = formatUsd(amount).split('.');
      assert.equal(BigInt(whole + behind.padEnd(36, '0')), amount);
      assert.ok(!behind.endsWith('0'));
    }),
  );
});
