// A payment that its rail took back comes again, in each state of the invoice. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Course } from '../invoices/course.testing.ts';
import { CUSTODY, at, context, paid, reported } from '../invoices/steps.testing.ts';
import { type InvoicePayment, creditedOf, handedOf } from '../invoices/invoice.ts';
import type { InvoiceState } from '../invoices/invoice-machine.ts';
import { mark } from '../invoices/mark.ts';
import { arrive, timeOver } from '../invoices/steps.ts';

const HALF = '0.0005612';
const balances = { custody: 10n ** 9n, free: 10n ** 12n, merchant: 10n ** 12n };
const given = context(30, { balances });
const final = (id: string, btc = HALF) => reported(paid(id, btc, 5, { firstConfirmedAt: at(10), confirmations: 2 }));
const pays = (course: Course, id: string, btc = HALF): Course =>
  course.take(arrive(course.invoice, final(id, btc), { from: CUSTODY }, context(20)));
const paymentOf = ({ invoice }: Course, id = 'a'): InvoicePayment =>
  invoice.payments.find((one) => one.id === id) ?? assert.fail(`there is no payment ${id}`);

/** Courses whose payment `a` was taken back, by the state in which it comes again. */
const COURSES: Readonly<Record<Exclude<InvoiceState, 'invalid'>, () => Course>> = {
  open: () => pays(new Course(), 'a').takeBack('a', given),
  confirming: () => {
    const course = pays(new Course(), 'a').takeBack('a', given);
    return course.take(arrive(course.invoice, final('b', '0.0011224'), { flag: 'hard', from: CUSTODY }, context(25)));
  },
  short: () => {
    const course = pays(pays(new Course(), 'a', '0.0001'), 'b');
    course.take(timeOver(course.invoice, at(61)));
    return course.takeBack('a', given);
  },
  settled: () => pays(pays(new Course(), 'b', '0.0011224'), 'a').takeBack('a', given),
  expired: () => {
    const course = pays(new Course(), 'a');
    course.take(timeOver(course.invoice, at(61)));
    return course.takeBack('a', given);
  },
  cancelled: () => {
    const course = pays(new Course(), 'a').takeBack('a', given);
    return course.take(mark(course.invoice, 'invalid'));
  },
};

for (const [state, begin] of Object.entries(COURSES))
  test(`a payment that comes again to an invoice that is ${state} counts as final now`, () => {
    const course = begin();
    assert.deepEqual([course.invoice.state, paymentOf(course).stage], [state, 'reversed']);
    course.comeAgain('a', context(70));
    const payment = paymentOf(course);
    const isUnfinished = state === 'open' || state === 'confirming' || state === 'short';
    assert.equal(payment.stage, isUnfinished ? 'credited' : 'unallocated');
    assert.equal(handedOf(payment), isUnfinished ? 0n : payment.parts, 'what is not needed is its payer’s');
    assert.equal(creditedOf(course.invoice) > 0n, isUnfinished || state === 'settled');
    course.comeAgain('a', context(71));
    assert.deepEqual(paymentOf(course), payment, 'once');
  });

test('a payment that was flagged when it came again is held anew', () => {
  const course = COURSES.open();
  course.take(arrive(course.invoice, final('a'), { flag: 'soft', from: CUSTODY }, context(70)));
  assert.deepEqual([paymentOf(course).stage, paymentOf(course).hold?.since], ['held', at(70)]);
});
