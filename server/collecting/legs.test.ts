// Tests legs of conversions and of taken-back payments: nothing is lost, and a reversal leaves nothing behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Component } from '@kurs/money';
import { type AccountRef, type Leg, accounts, leg as checked } from '../ledger/index.ts';
import { type BookedPrice, conversion, conversionBack, move, takenBack } from './legs.ts';

const BETWEEN = {
  given: accounts.wallet('ann', 'BTC'),
  promised: accounts.deskFree('USDT'),
  got: accounts.wallet('bob', 'USDT'),
};
const component = (kind: Component['kind'], account: Component['account'], amount: bigint): Component => ({
  ...{ code: kind, words: kind, kind, account, amount },
  payer: 'customer',
});
const sum = fc.bigInt(0n, 10n ** 9n);
const price = fc
  .record({ fee: sum, cost: sum, discount: sum, exchanged: sum, got: sum, provision: sum })
  .map(({ fee, cost, discount, ...rest }): BookedPrice => ({
    components: [
      component('fee', 'income:spread', fee),
      component('cost', 'income:fee', cost),
      component('discount', 'spent:discount', discount),
    ],
    ...rest,
  }));

/** Returns the sum of the legs for each account, as stored. Checks that the ledger accepts each leg. */
function moved(legs: readonly Leg[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = ({ name }: AccountRef, parts: bigint): void => void sums.set(name, (sums.get(name) ?? 0n) + parts);
  for (const { from, to, parts } of legs) {
    checked(from, to, parts);
    add(from, -parts);
    add(to, parts);
  }
  return sums;
}

test('a conversion books a leg for each line of the price, and the exchanged amount through the desk’s free money', () => {
  fc.assert(
    fc.property(price, (booked) => {
      const sums = moved(conversion(BETWEEN, booked));
      const [fee, cost, discount] = booked.components.map(({ amount }) => amount) as [bigint, bigint, bigint];
      assert.equal(-(sums.get(BETWEEN.given.name) ?? 0n), fee + cost - discount + booked.exchanged);
      assert.equal(sums.get(BETWEEN.got.name) ?? 0n, booked.got);
      assert.equal(sums.get('desk:free:BTC') ?? 0n, booked.exchanged);
    }),
  );
});

test('a reversed conversion restores the given amount to the last part, and books what the desk lacks as a loss', () => {
  fc.assert(
    fc.property(price, sum, sum, (booked, free, left) => {
      const there = moved(conversion(BETWEEN, booked));
      const back = moved(conversionBack(BETWEEN, booked, { free, left }));
      const { name } = BETWEEN.given;
      assert.equal((there.get(name) ?? 0n) + (back.get(name) ?? 0n), 0n);
      assert.equal(-(back.get(BETWEEN.got.name) ?? 0n), left < booked.got ? left : booked.got);
      assert.ok(-(back.get('desk:free:BTC') ?? 0n) <= free, 'never more than the desk has');
    }),
  );
});

test('a taken-back payment leaves the accounts in their order, and is owed to the rail where its custody lacks it', () => {
  const [uncleared, wallet] = [accounts.walletUncleared('ann', 'BTC'), accounts.wallet('ann', 'BTC')];
  const place = accounts.custody('BTC', 'hot', 'BTC');
  const reported = (held: bigint): string[] =>
    takenBack(
      [
        [uncleared, 30n],
        [wallet, 20n],
      ],
      { place, rail: 'bitcoin', held },
    ).map(({ from, to, parts }) => `${from.name} → ${to.name} ${parts}`);
  assert.deepEqual(reported(99n), ['wallet:ann:BTC:uncleared → custody:BTC:hot 30', 'wallet:ann:BTC → custody:BTC:hot 20']);
  assert.deepEqual(reported(40n), [
    'wallet:ann:BTC:uncleared → custody:BTC:hot 30',
    'wallet:ann:BTC → custody:BTC:hot 10',
    'wallet:ann:BTC → owed:bitcoin:BTC 10',
  ]);
  assert.deepEqual(reported(-5n), ['wallet:ann:BTC:uncleared → owed:bitcoin:BTC 30', 'wallet:ann:BTC → owed:bitcoin:BTC 20']);
  assert.deepEqual(move(wallet, place, 0n), []);
});
