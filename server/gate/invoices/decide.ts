// Decisions about a short invoice, which is accepted or given back, and about late payments of one that has ended. Pure.
//
// An invoice that is given back ends at once. Each of its payments goes back when there is a price for it and the desk has the
// coin; until then it stands in `invoice:set`.

import { assetOf, convert, money } from '@kurs/money';
import { move } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { Draft, type InvoiceStep, type StepContext } from './draft.ts';
import { type Booked, type Invoice, type InvoicePayment, creditedOf, hasEnded, neededOf, pendingOf } from './invoice.ts';
import { credit } from './credit.ts';
import type { InvoiceEvent } from './invoice-machine.ts';
import { boundsOf } from './payment-bounds.ts';

/** Settles a short invoice with what is credited. Undefined if it is not short. Payments on their way become their payers'. */
export const accept = (invoice: Invoice): InvoiceStep | undefined => acceptBy('accept', invoice);

function acceptBy(event: InvoiceEvent, invoice: Invoice): InvoiceStep | undefined {
  if (invoice.state !== 'short') return undefined;
  const draft = new Draft({ ...invoice, accepted: creditedOf(invoice) }, event);
  draft.moveTo('settled');
  return draft.step;
}

/** Ends a short invoice, and gives those of its credited payments back that can be given back now. Undefined if it is not short. */
export const giveBack = (invoice: Invoice, context: StepContext): InvoiceStep | undefined =>
  giveBackBy('give_back', invoice, context);

function giveBackBy(event: InvoiceEvent, invoice: Invoice, context: StepContext): InvoiceStep | undefined {
  if (invoice.state !== 'short') return undefined;
  const draft = new Draft(invoice, event);
  for (const payment of invoice.payments.filter(({ stage }) => stage === 'credited'))
    draft.payment({ ...payment, stage: 'returning', credit: 0n, returningSince: context.now });
  draft.moveTo('expired');
  returnAll(draft, context);
  return draft.step;
}

/** True if the time for a decision about a short invoice is over, and nothing of it is pending. */
export const isUndecided = (invoice: Invoice, now: Date): boolean =>
  invoice.state === 'short' && invoice.decideAt !== undefined && invoice.decideAt <= now && pendingOf(invoice) === 0n;

/** Decides a short invoice by its store's preset. Undefined if it is not time for that. */
export function decideByPreset(invoice: Invoice, context: StepContext): InvoiceStep | undefined {
  if (!isUndecided(invoice, context.now)) return undefined;
  return invoice.terms.shortPreset === 'accept' ? acceptBy('decide', invoice) : giveBackBy('decide', invoice, context);
}

/** True if a payment waits to be given back. */
export const isReturning = ({ payments }: Pick<Invoice, 'payments'>): boolean =>
  payments.some(({ stage }) => stage === 'returning');

/** Gives back payments that waited for a price or for the coin. Undefined if none can be given back now. */
export function returnCoins(invoice: Invoice, context: StepContext): InvoiceStep | undefined {
  const draft = new Draft(invoice, 'return');
  returnAll(draft, context);
  if (draft.invoice === invoice) return undefined;
  draft.tell('given_back');
  return draft.step;
}

function returnAll(draft: Draft, context: StepContext): void {
  const coins = new Map(context.coins);
  for (const payment of draft.invoice.payments) if (payment.stage === 'returning') returnOne(draft, payment, context, coins);
}

/** Gives one payment back: the coin itself, or its worth out of `coins`, which is lowered. Does nothing if it must wait. */
function returnOne(draft: Draft, payment: InvoicePayment, context: StepContext, coins: Map<string, bigint>): void {
  const { booked, unit } = payment;
  const parts = worthOf(payment, context);
  if (!booked || parts === undefined) return;
  if (isConverted(payment, booked)) {
    const there = coins.get(unit) ?? 0n;
    if (there < parts && !draft.invoice.terms.isTest) return;
    coins.set(unit, there - parts);
    const set = accounts.invoiceSet(draft.invoice.id, booked.unit);
    draft.post('invoice_expired', move(set, accounts.deskFree(booked.unit), booked.set));
  }
  const givenBack = { orderId: undefined, parts, taken: 0n };
  draft.payment({ ...payment, stage: 'given_back', returningSince: undefined, givenBack });
}

/** True if a payment was booked in another unit than its own, so that its worth is given back and not the coin itself. */
export const isConverted = ({ unit }: Pick<InvoicePayment, 'unit'>, booked: Booked): boolean => booked.unit !== unit;

/**
 * Returns the amount that a credited payment brings its payer if it is given back now, in parts of its unit: the coin itself, or its
 * worth at the middle rate, rounded down. Undefined if there is no price.
 */
export function worthOf({ booked, currency, unit }: InvoicePayment, { priceNow }: StepContext): bigint | undefined {
  if (!booked || booked.unit === unit) return booked?.set;
  const mid = priceNow(currency)?.terms.mid;
  return mid && convert(money(booked.unit, booked.set), assetOf(booked.unit), mid, unit, 'down').parts;
}

/** Money of a late payment that its payer has as an unallocated payment. */
export interface LateMoney {
  /** The payment's id. */
  readonly id: string;
  readonly orderId: string;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  /** Time of the handing over; that of the payment if it was not noted. */
  readonly at: Date;
}

/**
 * Returns the late payments of an invoice that has ended, as their payers have them. Payments in a currency that the store doesn't
 * take, those that are too small to be credited, and those that the desk refused are left out.
 */
export function lateOf(invoice: Invoice): LateMoney[] {
  if (!hasEnded(invoice)) return [];
  return invoice.payments.flatMap((payment) => {
    const { id, stage, hold, isUnpriced, currency, unit, seenAt, handedOver = [] } = payment;
    const [last, least] = [handedOver.at(-1), boundsOf(invoice, payment)?.least ?? (isUnpriced ? 1n : undefined)];
    // A refused payment still has its hold.
    if (stage !== 'unallocated' || hold || !last || least === undefined) return [];
    const parts = last.parts - last.taken;
    return parts < least ? [] : [{ id, orderId: last.orderId, currency, unit, parts, at: last.at ?? seenAt }];
  });
}

/** A late payment whose money was taken back from its payer, into `invoice:in`. */
export type TakenLate = Pick<LateMoney, 'id' | 'orderId'>;

/**
 * Credits late payments at the price of the moment, and settles the invoice with what is credited then. Undefined if the costs of
 * one of them eat it.
 */
export function acceptLate(invoice: Invoice, taken: readonly TakenLate[], context: StepContext): InvoiceStep | undefined {
  const draft = new Draft(invoice, 'accept');
  for (const { id, orderId } of taken) {
    const payment = draft.invoice.payments.find((one) => one.id === id);
    if (!payment) return undefined;
    credit(draft, { ...withoutHanded(payment, orderId), isLate: true }, context, true);
  }
  const credited = creditedOf(draft.invoice);
  const isAll = taken.every(({ id }) => draft.invoice.payments.some((one) => one.id === id && one.stage === 'credited'));
  if (!isAll || credited === 0n) return undefined;
  const needed = neededOf(draft.invoice) ?? credited;
  if (credited < needed) draft.invoice = { ...draft.invoice, accepted: credited };
  draft.moveTo('settled');
  return draft.step;
}

/** Returns a payment whose payer no longer has the money of an unallocated payment, but for what its rail took back. */
function withoutHanded(payment: InvoicePayment, orderId: string): InvoicePayment {
  const handedOver = (payment.handedOver ?? []).flatMap((one) => {
    if (one.orderId !== orderId) return [one];
    return one.taken > 0n ? [{ ...one, parts: one.taken }] : [];
  });
  return { ...payment, handedOver };
}
