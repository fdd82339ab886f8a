import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gasPrice, replacementPrice } from './fees.ts';

const wei = fc.bigInt(0n, 10n ** 13n);
const gas = fc.bigInt(21_000n, 1_000_000n);
const caps = fc.record({ maxFeePerGas: fc.bigInt(1n, 10n ** 13n), maxFee: fc.bigInt(1n, 10n ** 18n) });

test('a gas price is within both caps, and at least the base fee plus the tip', () => {
  fc.assert(
    fc.property(wei, wei, gas, caps, (base, tip, limit, cap) => {
      const price = gasPrice(base, tip, limit, cap);
      if (!price) return base + tip > cap.maxFeePerGas || (base + tip) * limit > cap.maxFee;
      assert.ok(price.maxFeePerGas <= cap.maxFeePerGas);
      assert.ok(price.maxFeePerGas * limit <= cap.maxFee);
      assert.ok(price.maxFeePerGas >= base + tip);
      return true;
    }),
  );
});

test('a replacement’s price is at least a tenth higher in both figures and within the caps, or undefined', () => {
  fc.assert(
    fc.property(wei, wei, wei, wei, gas, caps, (maxFee, tip, base, newTip, limit, cap) => {
      const before = { maxFeePerGas: maxFee + tip, maxPriorityFeePerGas: tip };
      const price = replacementPrice(before, base, newTip, limit, cap);
      if (!price) return true;
      assert.ok(price.maxFeePerGas * 10n >= before.maxFeePerGas * 11n);
      assert.ok(price.maxPriorityFeePerGas * 10n >= tip * 11n);
      assert.ok(price.maxFeePerGas >= price.maxPriorityFeePerGas);
      assert.ok(price.maxFeePerGas <= cap.maxFeePerGas && price.maxFeePerGas * limit <= cap.maxFee);
      return true;
    }),
  );
});

test('computes usual prices', () => {
  const cap = { maxFeePerGas: 200n, maxFee: 20_000_000n };
  assert.deepEqual(gasPrice(30n, 2n, 60_000n, cap), { maxFeePerGas: 62n, maxPriorityFeePerGas: 2n });
  assert.deepEqual(gasPrice(190n, 2n, 60_000n, cap), { maxFeePerGas: 200n, maxPriorityFeePerGas: 2n });
  assert.equal(gasPrice(199n, 2n, 60_000n, cap), undefined);
  assert.equal(gasPrice(199n, 1n, 200_000n, cap), undefined);
  assert.deepEqual(replacementPrice({ maxFeePerGas: 62n, maxPriorityFeePerGas: 2n }, 10n, 2n, 60_000n, cap), {
    maxFeePerGas: 70n,
    maxPriorityFeePerGas: 3n,
  });
});
