// Payments that are held: what counts meanwhile, and what becomes of them in each state of the invoice. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRate } from '@kurs/money';
import { accounts } from '../../ledger/index.ts';
import { Course } from './course.testing.ts';
import { CUSTODY, NEW, OPTION, PRICE, at, context, paid, reported } from './steps.testing.ts';
import { heldOf, holdOver, notePapers, refuse, release } from './held.ts';
import { type PaymentHold, creditedOf, dueOf, handedOf, pendingOf } from './invoice.ts';
import type { OptionPrice } from './option-price.ts';
import { arrive, choose, see, timeOver } from './steps.ts';
import { nextStepAt } from './timers.ts';

const KEEP = 30 * 60_000;
const HOLD_MINUTES = 72 * 60;
const priced = (btc: string): OptionPrice => ({ ...PRICE, terms: { ...PRICE.terms, rate: parseRate('BTC', 'USDT', btc) } });
const final = (id = 'a', btc = '0.0011224') => reported(paid(id, btc, 5, { firstConfirmedAt: at(10), confirmations: 2 }));

/** Returns a course whose whole payment was flagged at minute 20, seen before or not. */
function held(flag: PaymentHold['cause'], { isSeen = true } = {}): Course {
  const course = new Course();
  if (isSeen) course.take(see(course.invoice, reported(paid('a', '0.0011224', 5)), context(5)));
  return course.take(arrive(course.invoice, final(), { flag, from: CUSTODY }, context(20)));
}

const letGo = (course: Course, minute: number, btc = '90000'): Course =>
  course.take(release(course.invoice, 'a', { keepRate: KEEP, context: context(minute, { priceNow: () => priced(btc) }) }));

for (const isSeen of [true, false])
  test(`a flagged payment counts as pending, ${isSeen ? 'and its reserve goes back' : 'though it was never seen before'}`, () => {
    const { invoice } = held('hard', { isSeen });
    assert.deepEqual([invoice.state, invoice.payments[0]?.stage, dueOf(invoice)], ['confirming', 'held', 0n]);
    assert.equal(held('hard', { isSeen }).of(accounts.deskFree('USDT')), 0n);
    assert.equal(timeOver(invoice, at(61)), undefined, 'its time does not end while a payment is pending');
  });

test('a released payment is credited at the locked rate, with a new reserve, and settles the invoice', () => {
  const course = letGo(held('hard'), 600, '45000');
  assert.deepEqual([course.invoice.state, creditedOf(course.invoice)], ['settled', 10_000n]);
  assert.deepEqual(course.news.slice(-2), ['payment_final', 'settled']);
  assert.equal(release(course.invoice, 'a', { keepRate: KEEP, context: context(601) }), undefined, 'once');
});

test('without money to reserve, a released payment is settled in the coin itself', () => {
  const course = held('soft');
  course.take(release(course.invoice, 'a', { keepRate: KEEP, context: context(30, { reservable: 0n }) }));
  assert.deepEqual([course.invoice.state, course.invoice.payments[0]?.booked?.unit], ['settled', 'BTC']);
});

test('after the time of its hold, a released payment has the current rate, better or worse', () => {
  const course = held('hard');
  course.take(holdOver(course.invoice, at(20 + HOLD_MINUTES)));
  const { credit } = letGo(course, 30 + HOLD_MINUTES, '45000').invoice.payments[0] ?? assert.fail();
  assert.equal(credit, 5_000n);
});

for (const [btc, credit] of [
  ['45000', 5_000n],
  ['180000', 10_000n],
] as const)
  test(`after papers and half an hour, the lower of the locked and the current rate of ${btc} counts`, () => {
    const course = held('hard');
    course.take(notePapers(course.invoice, 'a', 'asked'));
    assert.equal(notePapers(course.invoice, 'a', 'asked'), undefined, 'once');
    assert.equal(letGo(course, 51, btc).invoice.payments[0]?.credit, credit);
  });

test('papers that came within half an hour keep the locked rate', () => {
  const course = held('hard');
  course.take(notePapers(course.invoice, 'a', 'came'));
  assert.equal(letGo(course, 50, '45000').invoice.payments[0]?.credit, 10_000n);
});

test('a refused payment belongs to its payer, and the due sum rises again', () => {
  const course = held('soft');
  course.take(refuse(course.invoice, 'a'));
  const [payment = assert.fail()] = course.invoice.payments;
  assert.deepEqual([course.invoice.state, payment.stage, dueOf(course.invoice)], ['open', 'unallocated', 10_000n]);
  assert.equal(handedOf(payment), payment.parts);
  assert.equal(payment.hold?.cause, 'soft', 'its money is handed over as held');
  assert.equal(refuse(course.invoice, 'a'), undefined, 'once');
});

test('a soft hold ends by itself with a refusal; its invoice is decided anew and its time ends', () => {
  const course = held('soft');
  assert.deepEqual(nextStepAt(course.invoice, at(30)), at(20 + HOLD_MINUTES));
  assert.equal(holdOver(course.invoice, at(19 + HOLD_MINUTES)), undefined);
  course.take(holdOver(course.invoice, at(20 + HOLD_MINUTES)));
  assert.deepEqual([course.invoice.state, course.news.at(-1)], ['open', 'refused']);
  course.take(timeOver(course.invoice, at(20 + HOLD_MINUTES)));
  assert.deepEqual([course.invoice.state, nextStepAt(course.invoice, at(9_000))], ['expired', undefined]);
});

test('a hard hold goes on after its time, counts no more, and is over once', () => {
  const course = held('hard');
  course.take(holdOver(course.invoice, at(20 + HOLD_MINUTES)));
  assert.deepEqual([pendingOf(course.invoice), heldOf(course.invoice).length], [0n, 1]);
  assert.equal(holdOver(course.invoice, at(9_000)), undefined);
  course.take(timeOver(course.invoice, at(20 + HOLD_MINUTES)));
  assert.equal(course.invoice.state, 'expired');
  assert.equal(nextStepAt(course.invoice, at(9_000)), undefined);
});

test('released after the invoice was settled or has ended, the payment belongs to its payer', () => {
  const settled = held('hard').take(arrive(held('hard').invoice, final('b'), { from: CUSTODY }, context(25)));
  assert.equal(settled.invoice.state, 'settled');
  letGo(settled, 30);
  assert.deepEqual(settled.news.slice(-1), ['over']);
  const expired = held('hard');
  expired.take(holdOver(expired.invoice, at(20 + HOLD_MINUTES)));
  expired.take(timeOver(expired.invoice, at(21 + HOLD_MINUTES)));
  letGo(expired, 30 + HOLD_MINUTES);
  assert.deepEqual(expired.news.slice(-1), ['late']);
  for (const { invoice } of [settled, expired]) {
    const payment = invoice.payments.find(({ id }) => id === 'a') ?? assert.fail();
    assert.deepEqual([payment.stage, handedOf(payment), payment.hold], ['unallocated', payment.parts, undefined]);
  }
});

test('a held payment of which its rail takes a part counts for less, and one that is taken back whole no more', () => {
  const balances = { custody: 10n ** 9n, free: 10n ** 12n, merchant: 0n };
  const course = held('hard').takeBack('a', context(30, { balances }), 56_120n);
  assert.deepEqual([pendingOf(course.invoice), course.invoice.state], [5_000n, 'open']);
  letGo(course, 40);
  assert.equal(creditedOf(course.invoice), 5_000n);
  const whole = held('hard').takeBack('a', context(30, { balances }));
  assert.deepEqual([pendingOf(whole.invoice), whole.invoice.payments[0]?.hold], [0n, undefined]);
});

test('a payment below the smallest one is held, and does not count', () => {
  const course = new Course(choose(NEW, OPTION).invoice);
  course.take(arrive(course.invoice, final('a', '0.000005'), { flag: 'soft', from: CUSTODY }, context(20)));
  assert.deepEqual([pendingOf(course.invoice), course.invoice.state], [0n, 'open']);
});
