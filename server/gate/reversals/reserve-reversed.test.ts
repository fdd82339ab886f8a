// Payments that were settled to the store's reserve, are taken back, and come again. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { Course } from '../invoices/course.testing.ts';
import type { InvoicePayment, PaymentOption } from '../invoices/invoice.ts';
import { salesOf } from '../invoices/sales.ts';
import { settleAgain } from './settled-again.ts';
import { CUSTODY, NEW, OPTION, context, paid, reported } from '../invoices/steps.testing.ts';
import { arrive, choose, find } from '../invoices/steps.ts';

const REVERSIBLE: PaymentOption = { ...OPTION, isReversible: true };
const [BALANCE, RESERVE] = [accounts.merchant('store', 'USDT'), accounts.merchantReserve('store', 'USDT')];
const DEBT = accounts.receivable('business_business', 'USDT');
const PROVISION = accounts.provisionReversal('BTC');
const NET = 99_200_000n;

/** Returns an invoice that a payment of 100 USD has settled to the reserve. */
function settled(): Course {
  const course = new Course(choose(NEW, REVERSIBLE).invoice);
  return course.take(arrive(course.invoice, reported(paid('a', '0.0011224', 5)), { from: CUSTODY }, context(6)));
}

const with_ = (merchant: bigint) => context(30, { balances: { custody: 10n ** 9n, free: 10n ** 12n, merchant } });
const paymentOf = ({ invoice }: Course): InvoicePayment => find(invoice, 'a') ?? assert.fail();

/** Changes what stands in the reserve of the payment, as refunds and the release do. The store has spent what left it. */
function leave(course: Course, inReserve: bigint | undefined): Course {
  course.invoice = { ...course.invoice, payments: [{ ...paymentOf(course), inReserve }] };
  course.accounts.set(RESERVE.name, inReserve ?? 0n);
  return course;
}

/** Lets the payment come again, wholly or in part. */
function again(course: Course, debt: bigint, parts = paymentOf(course).parts): Course {
  const payment = { ...paymentOf(course), parts: 112_240n };
  return course.take(settleAgain(course.invoice, { payment, from: CUSTODY, handedOver: [], parts, debt }));
}

test('a settled payment is taken back from its own reserve first, with the fee and what was set aside', () => {
  const course = settled();
  const before = course.invoice;
  course.takeBack('a', with_(10n ** 12n));
  assert.equal(course.invoice.state, 'invalid');
  assert.deepEqual([course.of(RESERVE), course.of(BALANCE), course.of(DEBT)], [0n, 0n, 0n]);
  assert.deepEqual([course.of(accounts.income('gate', 'USDT')), course.of(PROVISION)], [0n, 0n]);
  assert.equal(paymentOf(course).inReserve, 0n);
  assert.deepEqual(
    salesOf(before, course.invoice).map(({ isOfReserve }) => isOfReserve),
    [true],
  );
});

test('what its reserve no longer has comes from the balance, and the rest is owed by the business', () => {
  const course = leave(settled(), 40_000_000n);
  course.takeBack('a', with_(50_000_000n));
  assert.deepEqual([course.of(RESERVE), course.of(BALANCE), course.of(DEBT)], [0n, -50_000_000n, -9_200_000n]);
});

test('a released payment is taken back from the balance, then it is owed', () => {
  const course = leave(settled(), undefined);
  const before = course.invoice;
  course.takeBack('a', with_(60_000_000n));
  assert.deepEqual([course.of(RESERVE), course.of(BALANCE), course.of(DEBT)], [0n, -60_000_000n, -39_200_000n]);
  assert.deepEqual(
    salesOf(before, course.invoice).map(({ isOfReserve }) => isOfReserve),
    [false],
  );
});

test('a part that is taken back leaves the rest in the reserve', () => {
  const course = settled().takeBack('a', with_(0n), 56_120n);
  assert.equal(course.of(RESERVE), NET / 2n);
  assert.equal(paymentOf(course).inReserve, NET / 2n);
  assert.equal(course.of(PROVISION), 561n);
});

test('a won dispute repays the debt first and fills the reserve again', () => {
  const course = leave(settled(), 90_000_000n).takeBack('a', with_(0n));
  assert.equal(course.of(DEBT), -9_200_000n);
  again(course, 9_200_000n);
  assert.equal(course.invoice.state, 'settled');
  assert.deepEqual([course.of(RESERVE), course.of(BALANCE), course.of(DEBT)], [90_000_000n, 0n, 0n]);
  assert.deepEqual([paymentOf(course).inReserve, course.of(PROVISION)], [90_000_000n, 1_122n]);
});

test('a part that is won again joins the rest in the reserve', () => {
  const course = settled().takeBack('a', with_(0n), 56_120n);
  again(course, 0n, 56_120n);
  assert.deepEqual([course.of(RESERVE), paymentOf(course).inReserve, course.of(PROVISION)], [NET, NET, 1_122n]);
});

test('a released payment whose dispute is won comes to the balance', () => {
  const course = leave(settled(), undefined).takeBack('a', with_(NET));
  again(course, 0n);
  assert.deepEqual([course.of(RESERVE), course.of(BALANCE), paymentOf(course).inReserve], [0n, 0n, undefined]);
});
