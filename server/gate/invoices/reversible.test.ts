// Payments that can be taken back for months: what is set aside for them, and their share of a settlement. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accounts } from '../../ledger/index.ts';
import { Course } from './course.testing.ts';
import { cutBooked } from '../reversals/cut-booked.ts';
import { joinBooked } from '../reversals/given-back.ts';
import type { PaymentOption } from './invoice.ts';
import { salesOf } from './sales.ts';
import { CUSTODY, NEW, OPTION, context, paid, reported } from './steps.testing.ts';
import { arrive, choose, find } from './steps.ts';

const REVERSIBLE: PaymentOption = { ...OPTION, isReversible: true };
const [BALANCE, RESERVE] = [accounts.merchant('store', 'USDT'), accounts.merchantReserve('store', 'USDT')];

test('one percent of the payment is set aside, and its share is settled to the reserve less the fee', () => {
  const course = new Course(choose(NEW, REVERSIBLE).invoice);
  course.take(arrive(course.invoice, reported(paid('a', '0.0011224', 5)), { from: CUSTODY }, context(6)));
  assert.equal(course.invoice.state, 'settled');
  assert.deepEqual([course.of(BALANCE), course.of(RESERVE)], [0n, 99_200_000n]);
  assert.equal(course.of(accounts.income('gate', 'USDT')), 800_000n);
  assert.equal(course.of(accounts.provisionReversal('BTC')), 1_122n);
  const { booked, inReserve } = find(course.invoice, 'a') ?? assert.fail();
  assert.deepEqual([booked?.provision, inReserve], [1_122n, 99_200_000n]);
});

test('no more than the spread is set aside', () => {
  const { terms } = REVERSIBLE.price;
  const price = {
    ...REVERSIBLE.price,
    terms: { ...terms, spread: terms.spread.map((step) => ({ ...step, percent: { numerator: 1n, denominator: 1_000n } })) },
  };
  const course = new Course(choose(NEW, { ...REVERSIBLE, price }).invoice);
  course.take(arrive(course.invoice, reported(paid('a', '0.0011224', 5)), { from: CUSTODY }, context(6)));
  const fee = find(course.invoice, 'a')?.booked?.components.find(({ kind }) => kind === 'fee')?.amount ?? assert.fail();
  assert.ok(fee < 1_122n);
  assert.equal(course.of(accounts.provisionReversal('BTC')), fee);
});

test('without a reserve the coin itself stands in the store’s reserve, and nothing is set aside', () => {
  const course = new Course(choose(NEW, REVERSIBLE).invoice);
  course.take(arrive(course.invoice, reported(paid('a', '0.0011224', 5)), { from: CUSTODY }, context(6, { reservable: 0n })));
  assert.equal(course.of(accounts.merchant('store', 'BTC')), 0n);
  assert.equal(course.of(accounts.merchantReserve('store', 'BTC')), find(course.invoice, 'a')?.inReserve);
  assert.ok(course.of(accounts.merchantReserve('store', 'BTC')) > 100_000n);
  assert.equal(course.of(accounts.provisionReversal('BTC')), 0n);
});

test('of an invoice that two payments pay, each share is settled to its place', () => {
  const other: PaymentOption = { ...OPTION, id: 'other', addressId: 'elsewhere' };
  const course = new Course(choose(choose(NEW, { ...REVERSIBLE, parts: 56_120n, pays: 5_000n }).invoice, other).invoice);
  course.take(arrive(course.invoice, reported(paid('a', '0.0005612', 0)), { from: CUSTODY }, context(6)));
  assert.deepEqual([course.of(BALANCE), course.of(RESERVE)], [0n, 0n]);
  const second = { ...reported(paid('b', '0.0005612', 5)), addressId: 'elsewhere' };
  const before = course.invoice;
  course.take(arrive(course.invoice, second, { from: CUSTODY }, context(7)));
  assert.equal(course.invoice.state, 'settled');
  assert.equal(course.of(accounts.provisionReversal('BTC')), 561n);
  assert.deepEqual([find(course.invoice, 'a')?.inReserve, find(course.invoice, 'b')?.inReserve], [course.of(RESERVE), undefined]);
  assert.equal(course.of(BALANCE) + course.of(RESERVE) + course.of(accounts.income('gate', 'USDT')), 100_000_000n);
  assert.deepEqual([course.of(BALANCE), course.of(RESERVE)], [49_600_000n, 49_600_000n]);
  assert.deepEqual(
    salesOf(before, course.invoice).map(({ paymentId, isOfReserve }) => [paymentId, isOfReserve]),
    [
      ['a', true],
      ['b', false],
    ],
  );
});

test('a part that is taken back and comes again has its part of what was set aside', () => {
  const course = new Course(choose(NEW, REVERSIBLE).invoice);
  course.take(arrive(course.invoice, reported(paid('a', '0.0011224', 5)), { from: CUSTODY }, context(6)));
  const booked = find(course.invoice, 'a')?.booked ?? assert.fail();
  fc.assert(
    fc.property(fc.bigInt(1n, booked.parts - 1n), (parts) => {
      const { gone, left } = cutBooked(booked, parts, 'BTC');
      assert.equal(gone.provision, (1_122n * parts) / booked.parts);
      assert.equal(joinBooked(left, gone).provision, 1_122n);
    }),
  );
});
