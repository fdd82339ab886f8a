import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Wallet } from './page.server.ts';
import { byWorth, isZero, worthOf } from './worth.ts';

const worth = (...values: (string | null)[]): string | undefined => worthOf(values.map((value_usd) => ({ value_usd }) as Wallet));

test('the total value is exact to the cent, and absent if a wallet has no rate', () => {
  assert.equal(worth('0.10', '0.20'), '0.30');
  assert.equal(worth('90071992547409.93', '0.02'), '90071992547409.95');
  assert.equal(worth('0.05'), '0.05');
  assert.equal(worth(), '0.00');
  assert.equal(worth('1.00', null), undefined);
});

test('wallets with the highest value come first, those without a rate last', () => {
  const wallets = ['9.00', null, '10.00', '0.00'].map((value_usd) => ({ value_usd }) as Wallet);
  assert.deepEqual(
    byWorth(wallets).map(({ value_usd }) => value_usd),
    ['10.00', '9.00', '0.00', null],
  );
});

test('recognises zero with any number of digits', () => {
  assert.deepEqual(['0', '0.00', '0.00000000', '0.01', '10'].map(isZero), [true, true, true, false, false]);
});
