// The part of a settled payment that leaves the store's reserve, by its age and the terms of its business. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InvoicePayment } from '../invoices/invoice.ts';
import { releasable, releasesOf } from './release.ts';

const DAY = 86_400_000;
const SETTLED = Date.parse('2026-11-29T10:00:00Z');
const after = (days: number): Date => new Date(SETTLED + days * DAY);
const payment = (inReserve: bigint, net = 1_001n): InvoicePayment =>
  ({
    inReserve,
    booked: { set: net + 9n, fee: 9n },
    settled: { at: new Date(SETTLED), unit: 'USDT', parts: net, usd: 0n },
  }) as unknown as InvoicePayment;

test('a payment leaves after 180 days, to the millisecond', () => {
  const usual = { releaseDays: 180, lastShare: 0 };
  assert.equal(releasable(payment(1_001n), usual, new Date(after(180).getTime() - 1)), 0n);
  assert.equal(releasable(payment(1_001n), usual, after(180)), 1_001n);
});

test('with fewer days all but the last share leaves, which is rounded up, and the share after 180 days', () => {
  const terms = { releaseDays: 30, lastShare: 10 };
  assert.equal(releasable(payment(1_001n), terms, after(29.99)), 0n);
  assert.equal(releasable(payment(1_001n), terms, after(30)), 900n);
  assert.equal(releasable(payment(101n), terms, after(179)), 0n, 'once');
  assert.equal(releasable(payment(101n), terms, after(180)), 101n);
});

test('a payment of which refunds took a part keeps its last share', () => {
  const terms = { releaseDays: 30, lastShare: 50 };
  assert.equal(releasable(payment(700n), terms, after(31)), 199n);
  assert.equal(releasable(payment(400n), terms, after(31)), 0n);
});

test('never more leaves than stands in the reserve', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, 1_001n),
      fc.integer({ min: 1, max: 180 }),
      fc.integer({ min: 0, max: 100 }),
      fc.nat(400),
      (parts, releaseDays, lastShare, age) => {
        const left = releasable(payment(parts), { releaseDays, lastShare }, after(age));
        assert.ok(left >= 0n && left <= parts);
        if (age < releaseDays) assert.equal(left, 0n);
      },
    ),
  );
});

test('the parts of the reserve are named with their times, the first to leave first', () => {
  const terms = { releaseDays: 30, lastShare: 10 };
  assert.deepEqual(releasesOf(payment(1_001n), terms), [
    { at: after(30), parts: 900n },
    { at: after(180), parts: 101n },
  ]);
  assert.deepEqual(releasesOf(payment(50n), terms), [{ at: after(180), parts: 50n }], 'refunds took the rest');
  assert.deepEqual(releasesOf(payment(1_001n), { releaseDays: 180, lastShare: 0 }), [{ at: after(180), parts: 1_001n }]);
  assert.deepEqual(releasesOf(payment(1_001n), { releaseDays: 7, lastShare: 0 }), [{ at: after(7), parts: 1_001n }]);
  assert.deepEqual(releasesOf(payment(0n), terms), []);
});
