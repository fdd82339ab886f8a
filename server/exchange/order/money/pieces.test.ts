// A provider's deduction when its payment is cut: it is borne once, and its shares add up.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cutFromLatest, cutPayment, joinPieces, sumOf, withoutRetained } from '../../../collecting/index.ts';
import type { Context, OrderEvent } from '../events/events.ts';
import { decide } from '../../machine/machine.ts';
import { unallocatedOf } from '../../machine/derived-orders.ts';
import type { OrderView, Payment } from '../order.ts';
import { begin } from '../../exploration/order-world.testing.ts';
import { TERMS, BACK } from '../../exploration/order-terms.testing.ts';
import { refundCostOf } from './sent-back.ts';

const NOW = new Date(60_000);
const ACCOUNT = { fields: { account: 'b' }, key: 'b' };
const payment = (parts: bigint, retained: bigint, id = 'p'): Payment => ({
  id,
  parts,
  retained,
  status: 'final',
  place: 'hot',
  txid: id,
  seenAt: new Date(0),
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
});

let ids = 0;
const CONTEXT: Context = {
  now: NOW,
  rules: { offer: 1, choice: 1, hold: 1, approval: 1, keepRate: 1, better: 2, retries: 5, writeOff: 1 },
  newId: () => `id${(ids += 1)}`,
  free: { get: 10_000n, give: 10_000n },
  held: 10_000n,
  market: { terms: TERMS, back: BACK, version: '2' },
  allows: () => true,
  approvalFor: () => ({ people: 0 }),
  screening: 'clean',
};

function next(order: OrderView, event: OrderEvent) {
  const outcome = decide(order, event, CONTEXT);
  if (outcome.refused !== undefined) assert.fail(`${event.type} was refused: ${outcome.refused}`);
  return outcome;
}

const placed = (): OrderView =>
  begin({ kind: 'order', hasRoute: true, askMe: false }, { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 })
    .order;

const retainedOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { retained = 0n }) => sum + retained, 0n);
const partsOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { parts }) => sum + parts, 0n);

const payments = fc.array(
  fc
    .record({ parts: fc.bigInt(1n, 10n ** 12n), share: fc.bigInt(0n, 100n) })
    .map(({ parts, share }) => ({ parts, retained: (parts * share) / 100n })),
  { minLength: 1, maxLength: 4 },
);

test('pieces add up exactly to the payment and to the provider’s deduction', () => {
  fc.assert(
    fc.property(payments, fc.bigInt(0n, 10n ** 12n), (all, wanted) => {
      const whole = all.map(({ parts, retained }, at) => payment(parts, retained, `p${at}`));
      const { retained, cut } = cutFromLatest(whole, wanted);
      assert.equal(partsOf(cut), wanted < partsOf(whole) ? wanted : partsOf(whole));
      assert.equal(partsOf([...retained, ...cut]), partsOf(whole));
      assert.equal(retainedOf([...retained, ...cut]), retainedOf(whole));
    }),
  );
});

test('a piece bears its share, never more than its amount, and joined pieces equal the payment', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(0n, 100n), fc.bigInt(1n, 10n ** 12n), (parts, percent, at) => {
      const whole = payment(parts, (parts * percent) / 100n);
      const { piece, rest } = cutPayment(whole, at);
      assert.equal(piece.retained, at >= parts ? whole.retained : ((whole.retained ?? 0n) * at) / parts);
      if (rest) assert.deepEqual(joinPieces(piece, rest).retained ?? 0n, whole.retained);
      for (const one of rest ? [piece, rest] : [piece]) assert.ok((one.retained ?? 0n) <= one.parts);
    }),
  );
});

describe('each share is borne once', () => {
  test('of an overpayment: by the order’s piece and the unallocated one', () => {
    const { next: order, effects } = next(placed(), { type: 'payin_final', payment: payment(220n, 20n) });
    const opened = effects.find((effect) => effect.do === 'open_unallocated');
    assert.ok(opened?.do === 'open_unallocated');
    assert.deepEqual([partsOf(order.payments), retainedOf(order.payments)], [22n, 2n]);
    assert.deepEqual([partsOf(opened.pieces), retainedOf(opened.pieces)], [198n, 18n]);
    const parent = {
      view: order,
      number: '',
      email: '',
      locale: 'en',
      usd: 0n,
      createdAt: NOW,
      updatedAt: NOW,
      tokenVersion: 1,
    } as const;
    const unallocated = unallocatedOf(parent, opened, '', NOW).view;
    assert.equal(refundCostOf(unallocated), unallocated.pinned.refundCost + 18n);
  });

  test('of a payment that is partly reversed, and restored', () => {
    const order = { ...placed(), state: 'choosing' as const, payments: [payment(200n, 20n)] };
    const paid = { ...order, positions: { ...order.positions, in: 200n }, facts: { ...order.facts, isLate: true } };
    const less = next(paid, { type: 'payin_reversed', payment: 'p', parts: 50n }).next;
    assert.equal(refundCostOf(less), less.pinned.refundCost + 15n);
    const again = next(less, { type: 'dispute_won', payment: 'p', parts: 50n }).next;
    assert.equal(refundCostOf(again), again.pinned.refundCost + 20n);
  });

  test('of a payment restored after the order is over: by its unallocated payment', () => {
    const reversed = { ...payment(200n, 20n), status: 'reversed' as const };
    const order = { ...placed(), state: 'completed' as const, payments: [reversed] };
    const { next: after, effects } = next(order, { type: 'dispute_won', payment: 'p', parts: 50n });
    const [opened] = effects;
    assert.ok(opened?.do === 'open_unallocated');
    assert.deepEqual([retainedOf(opened.pieces), retainedOf(after.payments)], [5n, 15n]);
  });

  test('of a payment that settles a debt and exceeds it', () => {
    const reversed = { ...payment(200n, 20n), status: 'reversed' as const };
    const owing = { ...placed(), state: 'charged_back' as const, payments: [reversed] };
    const order = {
      ...owing,
      positions: { ...owing.positions, reserve: 0n, receivable: 100n },
      facts: { ...owing.facts, ended: 'completed' as const },
    };
    const { next: after, effects } = next(order, { type: 'dispute_won', payment: 'p', parts: 150n });
    const [opened] = effects;
    assert.ok(opened?.do === 'open_unallocated');
    const stored = (status: Payment['status']) => retainedOf(after.payments.filter((one) => one.status === status));
    assert.deepEqual([stored('final'), retainedOf(opened.pieces), stored('reversed')], [10n, 5n, 5n]);
  });

  test('of a returned refund: it was borne already', () => {
    const order = { ...placed(), state: 'choosing' as const, payments: [payment(200n, 20n)], refund: ACCOUNT };
    const paid = { ...order, positions: { ...order.positions, in: 200n }, facts: { ...order.facts, isLate: true } };
    let view = next(paid, { type: 'choose_refund' }).next;
    assert.equal(view.facts.transfer?.parts, 179n);
    for (const type of ['transfer_sent', 'transfer_returned'] as const) view = next(view, { type }).next;
    assert.equal(view.positions.in, 179n);
    assert.equal(next(view, { type: 'op_retry' }).next.facts.transfer?.parts, 178n, 'only sending costs anew');
  });
});

test('a cut at the full amount is the payment itself; without a deduction no piece has one', () => {
  const whole = payment(100n, 7n);
  assert.deepEqual([cutPayment(whole, 100n), cutPayment(whole, 101n)], [{ piece: whole }, { piece: whole }]);
  assert.deepEqual(cutPayment(whole, 99n), { piece: payment(99n, 6n), rest: payment(1n, 1n) });
  const { retained: _, ...plain } = whole;
  assert.deepEqual(cutPayment(plain, 40n), { piece: { ...plain, parts: 40n }, rest: { ...plain, parts: 60n } });
  assert.deepEqual(joinPieces({ ...plain, parts: 40n }, { ...plain, parts: 60n }), plain);
  const joined = joinPieces({ ...payment(40n, 3n), status: 'final' }, { ...payment(60n, 4n), status: 'reversed' });
  assert.deepEqual(joined, { ...whole, status: 'reversed' });
});

test('the latest final payments are cut first; seen and reversed ones are left', () => {
  const [first, second] = [payment(10n, 0n, 'a'), payment(10n, 0n, 'b')];
  const seen = { ...payment(10n, 0n, 'c'), status: 'seen' } as const;
  const all = [first, second, seen];
  const cutOf = (parts: bigint): string =>
    Object.values(cutFromLatest(all, parts))
      .map((each) => each.map(({ id, parts: size }) => `${id}${size}`).join(' '))
      .join(' | ');
  assert.deepEqual([0n, 3n, 10n, 13n, 20n, 99n].map(cutOf), [
    'a10 b10 c10 | ',
    'a10 b7 c10 | b3',
    'a10 c10 | b10',
    'a7 c10 | a3 b10',
    'c10 | a10 b10',
    'c10 | a10 b10',
  ]);
  assert.deepEqual([sumOf(all), sumOf([])], [30n, 0n]);
});

test('a deduction is borne once: then no final payment has one', () => {
  const reversed = { ...payment(10n, 2n, 'b'), status: 'reversed' } as const;
  const { retained: _, ...plain } = payment(10n, 0n, 'c');
  assert.deepEqual(withoutRetained([payment(10n, 2n, 'a'), reversed, plain]), [payment(10n, 0n, 'a'), reversed, plain]);
});
