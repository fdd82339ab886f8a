import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AutoLimits, type LetOut, approvalFor, peopleForSum } from './approvals.ts';

const LIMITS: AutoLimits = {
  order: 300_000n,
  customerDay: 1_000_000n,
  deskHour: 1_000_000n,
  deskDay: 5_000_000n,
  floatPercent: 30,
  twoPeople: 2_000_000n,
};
const NOTHING: LetOut = { customerDay: 0n, deskHour: 0n, deskDay: 0n, currencyHour: 0n };
const people = (usd: bigint, parts: bigint, out: Partial<LetOut> = {}, float = 10_000n): number =>
  approvalFor(usd, parts, { ...NOTHING, ...out }, float, LIMITS).people;

test('by the sum alone: up to 3 000 USD by itself, above one operator, above 20 000 two', () => {
  assert.deepEqual(
    [300_000n, 300_001n, 2_000_000n, 2_000_001n].map((usd) => peopleForSum(usd, LIMITS)),
    [0, 1, 1, 2],
  );
});

test('every bound that a sum would pass makes it wait, and none that it just reaches', () => {
  assert.equal(people(100_000n, 1n), 0);
  assert.equal(people(100_000n, 1n, { customerDay: 900_000n }), 0);
  assert.equal(people(100_000n, 1n, { customerDay: 900_001n }), 1);
  assert.equal(people(100_000n, 1n, { deskHour: 900_001n }), 1);
  assert.equal(people(100_000n, 1n, { deskDay: 4_900_001n }), 1);
});

test('30 % of a float an hour: of what is there now and went out in this hour', () => {
  assert.equal(people(1n, 3_000n), 0);
  assert.equal(people(1n, 3_001n), 1);
  assert.equal(people(1n, 1_500n, { currencyHour: 1_500n }, 8_500n), 0);
  assert.equal(people(1n, 1_501n, { currencyHour: 1_500n }, 8_500n), 1);
});
