import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isInLock, isInTime, isOverdue, missedBy, windowEnd } from '../../collecting/index.ts';
import { type Start, begin } from '../exploration/order-world.testing.ts';
import type { OrderView, Payment } from '../order/order.ts';
import { pollsUntil } from '../machine/timers.ts';

const MINUTE = 60_000;
const LOCK = 600;
const START: Start = { kind: 'order', hasRoute: true, askMe: false };
/** Returns a number of minutes as a time. */
const at = (minutes: number): Date => new Date(minutes * MINUTE);

/** Returns an order whose lock ends at minute 600, with an hour for a first confirmation and an hour for outages. */
function order(payments: readonly Payment[] = [], more: Partial<OrderView> = {}): OrderView {
  const { order: base } = begin(START, { sizes: [20n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 });
  const pinned = { ...base.pinned, lockUntil: at(LOCK), confirmWithin: 60 * MINUTE, outageWithin: 60 * MINUTE };
  return { ...base, state: 'seen', pinned, payments, ...more };
}

const payment = (seen: number, after?: number, more: Partial<Payment> = {}): Payment => ({
  id: 'p',
  parts: 20n,
  status: 'seen',
  place: 'hot',
  txid: 'p',
  seenAt: at(seen),
  isFeeOk: true,
  confirmations: 0,
  needed: 1,
  ...(after !== undefined && { seenAfter: at(after) }),
  ...more,
});

describe('what was paid within the lock', () => {
  const cases: readonly (readonly [string, seen: number, after: number | undefined, inLock: boolean])[] = [
    ['at its end', 600, 599, true],
    ['after it, and we polled at its end', 600.1, 600.05, false],
    ['after it, and our last poll was before its end', 600.1, 600, true],
    ['at the end of the hour that an outage may take', 660, 590, true],
    ['a moment later', 660.01, 590, false],
    ['after it, and no poll is known', 600.1, undefined, false],
  ];
  for (const [what, seen, after, inLock] of cases) {
    test(what, () => assert.equal(isInLock(order(), payment(seen, after)), inLock));
  }

  test('is not extended without a pinned time for outages', () => {
    const pinned = { ...order().pinned, outageWithin: 0 };
    assert.equal(isInLock(order([], { pinned }), payment(600.1, 590)), false);
  });
});

describe('the window for a first confirmation', () => {
  const confirmed = (seen: number, after: number, minute: number) => payment(seen, after, { firstConfirmedAt: at(minute) });
  const cases: readonly (readonly [string, Payment, boolean])[] = [
    ['its last minute', confirmed(590, 589, 650), true],
    ['a moment later', confirmed(590, 589, 650.01), false],
    ["of what was paid in an outage it begins at the lock's end", confirmed(640, 590, 660), true],
    ['and ends with it', confirmed(640, 590, 660.01), false],
    ['mined in an outage, first seen afterwards', confirmed(630, 590, 630), true],
  ];
  for (const [what, one, inTime] of cases) test(what, () => assert.equal(isInTime(order([one]), one), inTime));

  test('without one it is overdue at its end, and no earlier', () => {
    const seen = payment(640, 590);
    assert.equal(windowEnd(order(), seen), at(660).getTime());
    assert.deepEqual(
      [659.99, 660].map((minute) => isOverdue(order([seen]), seen, at(minute))),
      [false, true],
    );
    assert.equal(missedBy(order([seen]), at(660)), 'unconfirmed');
    assert.equal(missedBy(order([payment(640, 590, { isFeeOk: false })]), at(650)), 'low_fee');
  });
});

describe('how far our polls must reach before a timer may fire', () => {
  test("to the lock's end while waiting for money, to the window's end once seen, else not at all", () => {
    const facts = { ...order().facts, isLate: true };
    assert.deepEqual(pollsUntil(order([], { state: 'awaiting' })), at(LOCK));
    assert.deepEqual(pollsUntil(order([], { state: 'choosing' })), at(LOCK));
    assert.equal(pollsUntil(order([], { state: 'choosing', facts })), undefined);
    assert.deepEqual(pollsUntil(order([payment(580), payment(590)])), at(650));
    assert.equal(pollsUntil(order([payment(580, 579, { isFeeOk: false })])), undefined, 'a low fee is late at once');
    assert.equal(pollsUntil(order([payment(580, 579, { firstConfirmedAt: at(581) })])), undefined);
    assert.equal(pollsUntil(order([], { state: 'paying' })), undefined);
  });
});
