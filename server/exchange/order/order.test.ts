import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type OrderState, type OrderView, type Payment } from './order.ts';
import { isUnneeded } from './money/payment-coverage.ts';
import { begin } from '../exploration/order-world.testing.ts';

const BOUNDS = { sizes: [20n], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 };
const START = new Date(0);
const AFTER_LOCK = new Date(1e9);

const payment = (id: string, parts: bigint, more: Partial<Payment> = {}): Payment => ({
  id,
  parts,
  status: 'final',
  place: 'hot',
  txid: id,
  seenAt: START,
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
  ...more,
});

/** Returns an order of 20, of which 16 are enough. */
function orderIn(state: OrderState, payments: readonly Payment[], isLate = false): OrderView {
  const { order } = begin({ kind: 'order', hasRoute: true, askMe: false }, BOUNDS);
  return { ...order, state, payments, facts: { ...order.facts, isLate } };
}

describe('a flagged payment that its order can do without', () => {
  const flagged = (parts: bigint) => payment('flagged', parts);

  test('in time: one beside enough money, and one too small to complete it', () => {
    assert.equal(isUnneeded(orderIn('seen', [payment('p', 20n, { status: 'seen' })]), flagged(20n)), true);
    assert.equal(isUnneeded(orderIn('choosing', [payment('p', 10n)]), flagged(1n)), true);
    assert.equal(isUnneeded(orderIn('awaiting', []), flagged(1n)), true);
  });
  test('in time: not one that completes it, nor one beside late or reversed money', () => {
    assert.equal(isUnneeded(orderIn('awaiting', []), flagged(20n)), false);
    assert.equal(isUnneeded(orderIn('choosing', [payment('p', 10n)]), flagged(10n)), false);
    assert.equal(isUnneeded(orderIn('seen', [payment('p', 20n, { seenAt: AFTER_LOCK })]), flagged(20n)), false);
    assert.equal(isUnneeded(orderIn('seen', [payment('p', 20n, { status: 'reversed' })]), flagged(20n)), false);
  });
  test('late: one beside any other payment, since a late order exchanges any sum', () => {
    for (const status of ['seen', 'final'] as const) {
      const late = payment('p', 2n, { seenAt: AFTER_LOCK, status });
      assert.equal(isUnneeded(orderIn('seen', [late], true), flagged(20n)), true);
      assert.equal(isUnneeded(orderIn('choosing', [late], true), flagged(1n)), true);
    }
  });
  test('late and alone, or on an ended order: needed if it is enough, so not dust', () => {
    assert.equal(isUnneeded(orderIn('seen', [flagged(20n)], true), flagged(20n)), false);
    for (const state of ['expired', 'cancelled', 'reversed'] as const) {
      assert.equal(isUnneeded(orderIn(state, []), flagged(20n)), false);
      assert.equal(isUnneeded(orderIn(state, []), flagged(1n)), true);
    }
  });
  test('once the order has gone on, its rows make it an unallocated payment', () => {
    for (const state of ['holding', 'paying', 'completed'] as const) {
      assert.equal(isUnneeded(orderIn(state, [payment('p', 20n)]), flagged(20n)), false);
    }
  });
});
