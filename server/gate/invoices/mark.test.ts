// Marks in each state of an invoice: what they change, and what ends them. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { Course } from './course.testing.ts';
import { CUSTODY, NEW, at, context, paid, reported } from './steps.testing.ts';
import { type Invoice, type InvoiceMark, creditedOf, isPayable, pendingOf } from './invoice.ts';
import type { InvoiceState } from './invoice-machine.ts';
import { mark, mayMark } from './mark.ts';
import { arrive, cancel, see, timeOver } from './steps.ts';

const final = (id: string, btc: string) => reported(paid(id, btc, 5, { firstConfirmedAt: at(10), confirmations: 2 }));
const half = '0.0005612';

/** Returns an open invoice to which 50 of 100 USD were paid, and a tenth is on its way. */
function partPaid(): Course {
  const course = new Course().take(arrive(new Course().invoice, final('a', half), { from: CUSTODY }, context(20)));
  return course.take(see(course.invoice, reported(paid('b', '0.00011224', 5)), context(6)));
}

test('money cannot be overruled, and an invoice that ended as cancelled or invalid is marked as settled only', () => {
  const states: InvoiceState[] = ['open', 'confirming', 'short', 'expired', 'cancelled', 'invalid', 'settled'];
  const may = (as: InvoiceMark) => states.filter((state) => mayMark({ state }, as));
  assert.deepEqual(may('settled'), ['open', 'confirming', 'short', 'expired', 'cancelled', 'invalid']);
  assert.deepEqual(may('invalid'), ['open', 'confirming', 'short', 'expired']);
});

test('a mark as settled moves no money, tells of itself, and no payment is asked for any more', () => {
  const step = mark(partPaid().invoice, 'settled') ?? assert.fail();
  assert.deepEqual([step.invoice.state, step.invoice.mark, step.legs], ['open', 'settled', []]);
  assert.deepEqual(
    step.news.map(({ kind, mark: as }) => [kind, as]),
    [['marked', 'settled']],
  );
  assert.deepEqual([isPayable(partPaid().invoice, at(20)), isPayable(step.invoice, at(20))], [true, false]);
});

test('an open invoice that is marked invalid is short if something is credited, else cancelled, and reserves go back', () => {
  const short = partPaid();
  assert.ok(short.of(accounts.invoiceReserve('invoice', 'USDT')) > 0n);
  short.take(mark(short.invoice, 'invalid'));
  assert.deepEqual([short.invoice.state, short.news.slice(-2)], ['short', ['marked', 'short']]);
  assert.equal(short.of(accounts.invoiceReserve('invoice', 'USDT')), 0n);
  assert.equal(pendingOf(short.invoice), 999n, 'what is on its way still counts');
  const seen = new Course();
  seen.take(see(seen.invoice, reported(paid('a', half, 5)), context(5)));
  seen.take(mark(seen.invoice, 'invalid'));
  assert.deepEqual([seen.invoice.state, pendingOf(seen.invoice)], ['cancelled', 0n]);
  assert.equal(seen.of(accounts.invoiceReserve('invoice', 'USDT')), 0n);
});

test('the last mark counts, also after the invoice has ended', () => {
  const expired = timeOver(NEW, at(61))?.invoice ?? assert.fail();
  const invalid = mark(expired, 'invalid')?.invoice ?? assert.fail();
  assert.deepEqual([invalid.state, invalid.mark], ['expired', 'invalid']);
  assert.equal(mark(invalid, 'settled')?.invoice.mark, 'settled');
  const cancelled = cancel(NEW)?.invoice ?? assert.fail();
  assert.equal(mark(cancelled, 'settled')?.invoice.state, 'cancelled');
});

test('money that comes all the same is credited, and a settlement by money ends the mark', () => {
  for (const as of ['settled', 'invalid'] as const) {
    const course = partPaid();
    course.take(mark(course.invoice, as));
    course.take(arrive(course.invoice, final('c', half), { from: CUSTODY }, context(25)));
    const { state, mark: left }: Invoice = course.invoice;
    assert.deepEqual([state, left, creditedOf(course.invoice)], ['settled', undefined, 10_000n], as);
    assert.equal(mark(course.invoice, 'invalid'), undefined);
  }
});
