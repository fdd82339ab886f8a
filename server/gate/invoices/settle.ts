// Settles an invoice: what was collected goes to the store, less the desk's fee. Pure.

import { money, scaleBy } from '@kurs/money';
import { min, move } from '../../collecting/index.ts';
import { type Leg, accounts } from '../../ledger/index.ts';
import { type Booked, type Invoice, type InvoicePayment } from './invoice.ts';
import { optionOf } from './options.ts';
import { boundsOf } from './payment-bounds.ts';

type Settled = InvoicePayment & { readonly booked: Booked };

const isUnsettled = (payment: InvoicePayment): payment is Settled =>
  payment.stage === 'credited' && payment.booked !== undefined && payment.booked.fee === undefined;

/**
 * Returns the legs that settle what stands in `invoice:set`, for each unit, and the invoice with each payment's part of the fee.
 * Payments that can be taken back for months are settled to the store's reserve, others to its balance.
 * The fee is the share in the terms, rounded up, at least the smallest fee of the unit and at most the whole sum.
 */
export function settleLegs(invoice: Invoice): { readonly invoice: Invoice; readonly legs: readonly Leg[] } {
  const byUnit = Map.groupBy(invoice.payments.filter(isUnsettled), ({ booked }) => booked.unit);
  const fees = new Map([...byUnit].flatMap(([unit, payments]) => feesOf(invoice, unit, payments)));
  const legs = [...byUnit].flatMap(([unit, payments]) => {
    const netOf = (some: readonly Settled[]): bigint =>
      some.reduce((sum, { id, booked }) => sum + booked.set - (fees.get(id) ?? 0n), 0n);
    const reversible = payments.filter((payment) => isReversible(invoice, payment));
    const net = netOf(payments);
    const inReserve = netOf(reversible);
    const set = accounts.invoiceSet(invoice.id, unit);
    return [
      ...move(set, accounts.merchant(invoice.store.id, unit), net - inReserve),
      ...move(set, accounts.merchantReserve(invoice.store.id, unit), inReserve),
      ...move(set, accounts.income('gate', unit), sumOfSets(payments) - net),
    ];
  });
  const payments = invoice.payments.map((payment) => {
    if (!isUnsettled(payment)) return payment;
    const { booked } = payment;
    const fee = fees.get(payment.id) ?? 0n;
    const inReserve = isReversible(invoice, payment) ? { inReserve: booked.set - fee } : {};
    return { ...payment, ...inReserve, booked: { ...booked, fee } };
  });
  return { invoice: { ...invoice, payments }, legs };
}

/** True if a payment can be taken back for months, so that its share is settled to the store's reserve. */
const isReversible = (invoice: Invoice, { optionId }: InvoicePayment): boolean =>
  optionOf(invoice, optionId).isReversible === true;

const sumOfSets = (payments: readonly Settled[]): bigint => payments.reduce((sum, { booked }) => sum + booked.set, 0n);

/**
 * Returns each payment's part of the fee for one unit, by the payment's id. Parts are in proportion, add up to the fee, and are
 * never larger than what the payment brought.
 */
function feesOf(invoice: Invoice, unit: string, payments: readonly Settled[]): [string, bigint][] {
  const total = sumOfSets(payments);
  const share = scaleBy(money(unit, total), invoice.terms.fee, 'up').parts;
  const fee = min(larger(share, minFee(invoice, unit, payments)), total);
  let [sum, given] = [0n, 0n];
  return payments.map(({ id, booked }) => {
    sum += booked.set;
    const part = (fee * sum) / total - given;
    given += part;
    return [id, part];
  });
}

/** Returns the smallest fee in a unit: that of the last option by which the unit came. */
function minFee(invoice: Invoice, unit: string, payments: readonly Settled[]): bigint {
  const last = payments.at(-1);
  if (!last) return 0n;
  if (unit === invoice.terms.settlement.unit) return optionOf(invoice, last.optionId).minFee.settlement;
  return boundsOf(invoice, last)?.minFee ?? 0n;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
