// Tests a collection at each of its limits, and one unit beside each.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Collection,
  arrivedInTime,
  arrivedOf,
  isEnough,
  isInLock,
  isInTime,
  isOverdue,
  missedBy,
  overdueAt,
  shortBy,
  observedPayments,
  windowsEnd,
  withinTerms,
} from './collection.ts';
import type { Payment } from './payment.ts';

const MINUTE = 60_000;
const LOCK = 15;
const at = (minutes: number): Date => new Date(minutes * MINUTE);
const payment = (parts: bigint, change: Partial<Payment> = {}): Payment => ({
  ...{ id: 'p', parts, status: 'final', place: 'hot', txid: 't', seenAt: at(0), isFeeOk: true, confirmations: 1, needed: 1 },
  ...change,
});
const seen = (minutes: number, change: Partial<Payment> = {}): Payment =>
  payment(10n, { status: 'seen', seenAt: at(minutes), confirmations: 0, ...change });
const collecting = (...payments: readonly Payment[]): Collection => ({
  give: { parts: 100n },
  pinned: { lockUntil: at(LOCK), confirmWithin: 60 * MINUTE, outageWithin: 0, shortPercent: 80, minimum: 10n, tolerance: 5n },
  payments,
});

test('of 100 due, a payment counts until it is taken back, and the rest is missing', () => {
  const some = collecting(payment(30n), seen(1), payment(40n, { status: 'reversed' }));
  assert.deepEqual([arrivedOf(some), shortBy(some), observedPayments(some).length], [40n, 60n, 1]);
  assert.deepEqual(
    [shortBy(collecting(payment(99n))), shortBy(collecting(payment(100n))), shortBy(collecting(payment(101n)))],
    [1n, 0n, 0n],
  );
});

test('counts a payment as in time if it is final, made before the lock’s end and confirmed within its window', () => {
  const late = payment(7n, { seenAt: at(LOCK + 1) });
  const slow = payment(9n, { seenAt: at(1), firstConfirmedAt: at(62) });
  assert.equal(arrivedInTime(collecting(payment(30n), seen(1), late, slow)), 30n);
});

test('a payment is within the lock by its own time, or between two polls if no poll succeeded as the lock ended', () => {
  const made = (seenAt: number, seenAfter?: number, outage?: number): boolean => {
    const { pinned } = collecting();
    const terms = { pinned: { ...pinned, ...(outage !== undefined && { outageWithin: outage * MINUTE }) } };
    return isInLock(terms, { seenAt: at(seenAt), ...(seenAfter !== undefined && { seenAfter: at(seenAfter) }) });
  };
  assert.deepEqual([made(LOCK), made(LOCK + 1)], [true, false]);
  assert.deepEqual(
    [made(LOCK + 5, LOCK, 5), made(LOCK + 5, LOCK + 1, 5)],
    [true, false],
    'a poll after the lock did not show it',
  );
  assert.deepEqual([made(LOCK + 5, LOCK, 4), made(LOCK + 5, LOCK), made(LOCK + 5, undefined, 5)], [false, false, false]);
});

test('a first confirmation is in time up to the end of its window; without one the payment is overdue from then on', () => {
  const confirmed = (minutes: number): boolean =>
    isInTime(collecting(), payment(1n, { seenAt: at(1), firstConfirmedAt: at(minutes) }));
  assert.deepEqual([confirmed(61), confirmed(61.01)], [true, false]);
  const waits = (minutes: number): boolean => isOverdue(collecting(), seen(1), at(minutes));
  assert.deepEqual([waits(60.99), waits(61)], [false, true]);
  assert.deepEqual(
    [isOverdue(collecting(), seen(1, { firstConfirmedAt: at(2) }), at(999)), isOverdue(collecting(), seen(LOCK + 1), at(0))],
    [false, true],
  );
});

test('a payment made within the lock is late by its fee or unconfirmed; a late or reversed payment is no reason', () => {
  const why = (...payments: readonly Payment[]): string | undefined => missedBy(collecting(...payments), at(61));
  assert.equal(why(seen(1, { isFeeOk: false }), seen(2, { firstConfirmedAt: at(3) })), 'low_fee');
  assert.equal(why(seen(1), seen(2)), 'unconfirmed');
  assert.equal(why(seen(1), seen(2, { firstConfirmedAt: at(3) })), 'unconfirmed', 'one of several');
  assert.equal(why(seen(2), seen(3)), undefined);
  assert.equal(why(seen(LOCK + 1, { isFeeOk: false }), seen(1, { isFeeOk: false, status: 'reversed' })), undefined);
});

test('the terms accept the tolerance beyond the amount due; the rest is unallocated', () => {
  assert.deepEqual(
    [104n, 105n, 106n].map((parts) => withinTerms(collecting(), parts)),
    [104n, 105n, 105n],
  );
});

test('enough is the pinned share of the amount due, and at least the minimum', () => {
  assert.deepEqual(
    [79n, 80n].map((parts) => isEnough(collecting(), parts)),
    [false, true],
  );
  const whole = collecting();
  const strict = { ...whole, pinned: { ...whole.pinned, shortPercent: 95, minimum: 97n } };
  assert.deepEqual(
    [94n, 96n, 97n].map((parts) => isEnough(strict, parts)),
    [false, false, true],
  );
});

describe('deadlines of observed payments', () => {
  test('observed payments are overdue when the last one is, and never while one is confirmed in time', () => {
    assert.deepEqual(overdueAt(collecting(seen(1), seen(3))), at(63));
    assert.deepEqual(overdueAt(collecting(seen(1), seen(70, { isFeeOk: false }))), at(70));
    assert.equal(overdueAt(collecting(seen(1), seen(3, { firstConfirmedAt: at(4) }))), undefined);
    assert.equal(overdueAt(collecting()), undefined, 'nothing is seen');
  });

  test('the last open window for a first confirmation decides', () => {
    assert.deepEqual(windowsEnd(collecting(seen(1), seen(3))), at(63));
    assert.equal(windowsEnd(collecting(seen(1, { isFeeOk: false }), seen(3, { firstConfirmedAt: at(4) }))), undefined);
  });
});
