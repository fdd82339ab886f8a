import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Component } from '@kurs/money';
import { cutBooked } from './cut-booked.ts';
import type { Booked } from '../invoices/invoice.ts';

const line = (amount: bigint, kind: 'fee' | 'cost'): Component => ({
  ...{ code: kind, words: kind, kind, account: kind === 'fee' ? 'income:spread' : 'income:fee', payer: 'customer', amount },
});
const sum = ({ components, exchanged, set }: Booked, isInKind: boolean): bigint =>
  components.reduce((total, { amount }) => total + amount, isInKind ? set : exchanged);

const amounts = fc.record({
  fee: fc.bigInt({ min: 0n, max: 10_000n }),
  cost: fc.bigInt({ min: 0n, max: 10_000n }),
  rest: fc.bigInt({ min: 0n, max: 1_000_000n }),
  got: fc.bigInt({ min: 1n, max: 10_000_000n }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  permille: fc.bigInt({ min: 0n, max: 1_000n }),
  isInKind: fc.boolean(),
  isSettled: fc.boolean(),
});

test('both pieces of a cut add up exactly, and the store gives back no less than its share', () => {
  fc.assert(
    fc.property(amounts, ({ fee: spread, cost, rest, got, share, permille, isInKind, isSettled }) => {
      const parts = spread + cost + rest;
      const taken = BigInt(Math.floor(Number(parts) * share));
      fc.pre(taken > 0n && taken < parts);
      const set = isInKind ? rest : got;
      const booked: Booked = {
        ...{ parts, unit: isInKind ? 'BTC' : 'USDT', set, exchanged: isInKind ? 0n : rest },
        ...{ components: [line(spread, 'fee'), line(cost, 'cost')], fee: isSettled ? (set * permille) / 1_000n : undefined },
      };
      const { gone, left } = cutBooked(booked, taken, 'BTC');
      assert.equal(sum(gone, isInKind), taken);
      assert.equal(sum(left, isInKind), parts - taken);
      assert.deepEqual([gone.parts + left.parts, gone.set + left.set], [parts, set]);
      if (isSettled) assert.equal((gone.fee ?? 0n) + (left.fee ?? 0n), booked.fee);
      else assert.deepEqual([gone.fee, left.fee], [undefined, undefined]);
      const all = [gone, left].flatMap((one) => [one.set, one.fee ?? 0n, one.exchanged, one.set - (one.fee ?? 0n)]);
      for (const amount of [...all, ...gone.components.map((one) => one.amount), ...left.components.map((one) => one.amount)])
        assert.ok(amount >= 0n);
      if (!isInKind) assert.ok(gone.set * parts >= set * taken, 'rounded up');
    }),
    { numRuns: 2_000 },
  );
});
