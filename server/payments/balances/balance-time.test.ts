// Tests the time of a rail's balance: the rail's own time, unless it is implausible.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOf } from './balance-time.ts';
import { saidLater } from './in-flight-then.ts';
import { between } from './reconcile.ts';

const MINUTE = 60_000;
const request = new Date('2026-03-01T12:00:00Z');
const before = (minutes: number): Date => new Date(request.getTime() - minutes * MINUTE);

for (const [says, lag, own, believed, why] of [
  [undefined, 240, 240, undefined, 'without a time it may be as old as the rail’s longest lag'],
  [undefined, 0, 0, undefined, 'of most rails it is of now'],
  [180, 240, 180, 180, 'its own time is believed'],
  [240, 240, 240, 240, 'as old as it may be'],
  [240 + 1 / MINUTE, 240, null, undefined, 'a millisecond older is not believed'],
  [-1, 240, 0, 0, 'clocks are a minute apart: it is of now'],
  [-1 - 1 / MINUTE, 240, null, undefined, 'a time in the future is not believed'],
  [10, 0, 10, 10, 'where no lag is known, ten minutes are one'],
  [11, 0, null, undefined, 'more are not believed'],
] as const) {
  test(`says ${says ?? 'no time'}, may lag by ${lag}: ${why}`, () => {
    const { ownAt, saysAt } = timeOf({ ...(says !== undefined && { asOf: before(says) }) }, request, lag * MINUTE);
    assert.deepEqual(ownAt, own === null ? null : before(own));
    assert.deepEqual(saysAt, believed === undefined ? null : before(believed));
  });
}

for (const [known, low, high, stands, why] of [
  [0n, -5n, 5n, 0n, 'money in flight may explain it'],
  [0n, -5n, -2n, -2n, 'so much is missing at least'],
  [0n, 3n, 5n, 3n, 'so much is more at least'],
  [-10n, -20n, 5n, -10n, 'a shortfall does not end because something may hide it'],
  [-10n, -4n, 5n, -4n, 'no more can be missing'],
  [-10n, 0n, 5n, 0n, 'none of it is missing'],
] as const) {
  test(`${known} was known, now from ${low} to ${high}: ${why}`, () => assert.equal(between(known, low, high), stands));
}

test('only postings by people or a look-up may have happened before their time', () => {
  const moved = (kind: string, other: string, up: bigint, down: bigint) => ({ kind: kind as 'payin', other, up, down });
  assert.deepEqual(
    saidLater([
      moved('payin', 'order', 1_000n, 0n),
      moved('payin', 'spent', 0n, 30n),
      moved('sent', 'payout', 0n, 2_000n),
      moved('rail_fee', 'spent', 1n, 20n),
      moved('stuck', 'custody', 0n, 500n),
      moved('reversal', 'receivable', 0n, 7n),
      moved('difference', 'suspense', 5n, 3n),
      moved('capital_in', 'desk', 11n, 0n),
      moved('returned', 'order', 13n, 0n),
      moved('dispute_cost', 'spent', 0n, 17n),
    ]),
    { coming: 29n, going: 27n },
  );
});
