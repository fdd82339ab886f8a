// Payments of test invoices: each case is a few steps of the invoice's own machine. Pure.

import type { Input, Routes } from '@kurs/contract';
import type { Payment } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import type { InvoiceStep, StepContext } from '../invoices/draft.ts';
import { type Invoice, type InvoicePayment, type PaymentHold, type PaymentOption } from '../invoices/invoice.ts';
import { askedBy } from '../invoices/options.ts';
import { amountFor } from '../invoices/option-price.ts';
import { type Reported, arrive, drop, see, timeOver } from '../invoices/steps.ts';
import { reverse } from '../reversals/taken-back.ts';

export type TestCase = Input<Routes['storeTestPay']>['case'];
/** Case that the invoice's machine plays. */
export type PaymentCase = Exclude<TestCase, 'refund_claimed'>;

/** Step of a case: returns the invoice's step, or undefined if nothing changes. */
export type TestStep = (invoice: Invoice, context: StepContext) => InvoiceStep | undefined;

/** Place of test payments in journals that are judged and not posted. */
const PLACE = 'hot';
/** Rail that a test payment is reported by. */
const RAIL = 'test';
/** Balances from which test payments are taken back: always enough. */
const ENOUGH = 10n ** 36n;
const BALANCES = { custody: ENOUGH, free: ENOUGH, merchant: ENOUGH };
/** Percent of the requested amount that a short and an excessive payment have. */
const [SHORT, OVER, WHOLE] = [50n, 150n, 100n];

/** Returns the steps of a case for an invoice that has the option. `newId`: makes ids of payments. */
export function stepsOf(name: PaymentCase, invoice: Invoice, option: PaymentOption, newId: () => string): readonly TestStep[] {
  const paid = paymentOf(invoice, option, newId());
  const waiting = invoice.payments.findLast(({ stage }) => stage === 'seen');
  const counted = invoice.payments.findLast(({ status }) => status === 'final');
  switch (name) {
    case 'seen':
      return [seen(paid(WHOLE))];
    case 'final':
      return waiting ? [final(again(waiting))] : [seen(paid(WHOLE)), final(paid(WHOLE))];
    case 'short':
      return [seen(paid(SHORT)), final(paid(SHORT)), end];
    case 'over':
      return [seen(paid(OVER)), final(paid(OVER))];
    case 'late':
      return [endWithLocks, seen(paid(WHOLE)), final(paid(WHOLE))];
    case 'held':
      return waiting ? [final(again(waiting), 'soft')] : [seen(paid(WHOLE)), final(paid(WHOLE), 'soft')];
    case 'dropped':
      return waiting ? [dropped(waiting.id)] : [seen(paid(WHOLE)), dropped(paid(WHOLE).payment.id)];
    case 'reversed':
      return counted ? [reversed(counted.id)] : [seen(paid(WHOLE)), final(paid(WHOLE)), reversed(paid(WHOLE).payment.id)];
  }
}

/** Returns a function that makes the payment with some percent of the amount that the option asks for. */
function paymentOf(invoice: Invoice, option: PaymentOption, id: string): (percent: bigint) => Reported {
  const asked = askedBy(invoice, option);
  const due = asked !== undefined && asked > 0n ? amountFor(option.price, asked) : undefined;
  // A top-up, or an invoice of which nothing is due, is paid with the sum of its option, or with ten of the smallest payments.
  const whole = due ?? option.parts ?? option.least * 10n;
  return (percent) => ({
    ...{ addressId: option.addressId, currency: option.currency, unit: option.unit },
    payment: {
      ...{ id, parts: (whole * percent) / WHOLE || 1n, status: 'seen', place: PLACE, txid: `test-${id}`, isFeeOk: true },
      ...{ seenAt: option.openedAt, confirmations: 0, needed: 1 },
    },
  });
}

const end: TestStep = (invoice) => timeOver(invoice, invoice.expiresAt);

/** Ends the invoice's time, and the lock of each option with it: a payment that comes now is late. */
const endWithLocks: TestStep = (invoice, context) => {
  const [over, { now }] = [end(invoice, context), context];
  const before = new Date(now.getTime() - 1);
  const ended = (option: PaymentOption): PaymentOption => (option.lockUntil > before ? { ...option, lockUntil: before } : option);
  return over && { ...over, invoice: { ...over.invoice, options: over.invoice.options.map(ended) } };
};

/** Returns a known payment as its rail would report it again. */
const again = ({ addressId, currency, unit, ...payment }: InvoicePayment): Reported => ({
  ...{ addressId, currency, unit, payment },
});

const at = ({ payment, ...reported }: Reported, changed: Partial<Payment>): Reported => ({
  ...reported,
  payment: { ...payment, ...changed },
});

const seen =
  (reported: Reported): TestStep =>
  (invoice, context) =>
    see(invoice, at(reported, { seenAt: context.now }), context);

const final =
  (reported: Reported, flag?: PaymentHold['cause']): TestStep =>
  (invoice, context) =>
    arrive(
      invoice,
      at(reported, { ...seenAtOf(invoice, reported), status: 'final', firstConfirmedAt: context.now, confirmations: 1 }),
      { flag, from: accounts.custody(reported.currency, PLACE, reported.unit) },
      context,
    );

/** Returns the time at which the invoice saw the payment. */
function seenAtOf({ payments }: Invoice, { payment }: Reported): Partial<Payment> {
  const known = payments.find(({ id }) => id === payment.id);
  return known ? { seenAt: known.seenAt } : {};
}

const dropped =
  (id: string): TestStep =>
  (invoice) =>
    drop(invoice, id);

const reversed =
  (paymentId: string): TestStep =>
  (invoice, context) =>
    reverse(invoice, { paymentId, rail: RAIL, handedOver: [] }, { ...context, balances: BALANCES });
