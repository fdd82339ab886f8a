import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StoreMoney, standingOf } from './movable.ts';

/** A balance of 100 parts, each worth two cents. */
const money: StoreMoney = { unit: 'USDT', balance: 100n, shallow: 0n, reserve: 0n, debt: 0n, usdOf: (parts) => parts * 2n };
const free = { leftUsd: 1_000n, stop: undefined };

test('moves the whole balance if it is deep and within the limit', () => {
  const { movable, over, shallow } = standingOf(money, free);
  assert.deepEqual([movable, over, shallow], [100n, 0n, 0n]);
});

test('leaves out what is not deep, and no more than the balance', () => {
  assert.deepEqual(standingOf({ ...money, shallow: 30n }, free).movable, 70n);
  const standing = standingOf({ ...money, shallow: 130n }, free);
  assert.deepEqual([standing.movable, standing.shallow], [0n, 100n]);
});

test('leaves out what exceeds the limit, rounded down', () => {
  const standing = standingOf({ ...money, shallow: 1n }, { ...free, leftUsd: 99n });
  assert.deepEqual([standing.movable, standing.over], [49n, 50n]);
  assert.equal(standingOf(money, { ...free, leftUsd: -5n }).movable, 0n);
});

test('moves nothing while there is a stop or no price', () => {
  assert.equal(standingOf(money, { ...free, stop: 'business_owes' }).movable, 0n);
  assert.equal(standingOf({ ...money, usdOf: () => undefined }, free).movable, 0n);
});
