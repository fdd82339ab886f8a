// The sums of an invoice that may be refunded.

import { Problem } from '@kurs/contract';
import { type Money, assetOf, convert, money, roundTo } from '@kurs/money';
import type { Statements } from '../../../platform/index.ts';
import { closedReason, latest, mid, now } from '../../../rates/index.ts';
import { type Invoice, type InvoicePayment, creditedOf, handedOf, ownOf } from '../../invoices/invoice.ts';
import { digitsOf } from '../../methods/current-price.ts';
import type { Refund, UnitSum } from '../machine/refund.ts';
import { refundsOfInvoice } from '../rows/refund-rows.ts';

/** Sums of an invoice, in parts of its currency. */
export interface Refundable {
  /** Credit of final payments that the store received. */
  readonly paid: bigint;
  /** Worth now of the coins that were paid; undefined while a coin has no price. */
  readonly worth: bigint | undefined;
  /** Sum of earlier refunds. */
  readonly refunded: bigint;
  /** The most that may be refunded now. */
  readonly most: bigint;
  /** Sums that payments brought too much, which their payers decide about, by the payment's unit. */
  readonly over: readonly UnitSum[];
}

/** Returns an amount of an asset in a unit at the middle rate of now, rounded up. Throws `rates_unavailable`. */
export function inUnit(currency: string, amount: bigint, unit: string): bigint {
  const asset = assetOf(unit);
  return roundTo(atMid(money(currency, amount), currency, unit, asset), digitsOf(asset), 'up').parts;
}

/** Returns a sum of a unit in an asset at the middle rate of now, rounded up to the asset's digits. Throws `rates_unavailable`. */
export const inAsset = ({ unit, parts }: UnitSum, currency: string): bigint =>
  roundTo(atMid(money(unit, parts), assetOf(unit), currency, currency), digitsOf(currency), 'up').parts;

/**
 * Returns a sum of the asset `from` in the unit `to`, whose asset is `asset`, at the middle rate of now. Throws `rates_unavailable`.
 */
export function atMid(sum: Money, from: string, to: string, asset: string, rounding: 'up' | 'down' = 'up'): Money {
  const snapshot = latest();
  if (!snapshot || closedReason(snapshot, now(), [from, asset])) throw new Problem('rates_unavailable');
  return convert(sum, from, mid(snapshot, from, asset), to, rounding);
}

/** True if a payment's share was settled to the store. */
export const isSettled = ({ stage, booked }: InvoicePayment): boolean => stage === 'credited' && booked?.fee !== undefined;

/** Returns the sums of an invoice that may be refunded. The caller has locked the invoice, if it makes a refund. */
export async function refundableOf(db: Statements, view: Invoice): Promise<Refundable> {
  const settled = view.payments.filter(isSettled);
  const paid = creditedOf({ payments: settled });
  const worth = worthOf(settled, view.terms.currency);
  const refunded = (await refundsOfInvoice(db, view.id)).reduce((sum, one) => sum + keptBy(one), 0n);
  const larger = worth !== undefined && worth > paid ? worth : paid;
  const over = view.payments.flatMap((payment) => {
    const parts = handedOf(payment);
    return parts > 0n ? [{ unit: payment.unit, parts }] : [];
  });
  return { paid, worth, refunded, most: larger > refunded ? larger - refunded : 0n, over };
}

function worthOf(payments: readonly InvoicePayment[], currency: string): bigint | undefined {
  try {
    return payments.reduce((sum, one) => sum + inAsset({ unit: one.unit, parts: ownOf(one) - one.over }, currency), 0n);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Returns the part of a refund's amount that did not return to the store in the unit that was taken, rounded up. */
function keptBy({ amount, taken, back }: Refund): bigint {
  const returned = back.find(({ unit }) => unit === taken.unit)?.parts ?? 0n;
  return (amount * (taken.parts - returned) + taken.parts - 1n) / taken.parts;
}
