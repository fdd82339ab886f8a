// Sales: what each payment of a settled invoice brought its store, in parts. Pure.

import { totalOf } from '@kurs/money';
import { min } from '../../collecting/index.ts';
import type { Invoice, InvoicePayment } from './invoice.ts';

/** Parts of a sale, in parts of the unit that the store received. The store received `gross` less the others. */
export interface SaleSums {
  /** Worth of the payment before spread, costs and fee. */
  readonly gross: bigint;
  readonly spread: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
  /** Credit of the payment, in parts of the invoice's currency. */
  readonly worth: bigint;
}

/** A sale that a step of an invoice booked. Sums are negative for a sale that was taken back. */
export interface Sale extends SaleSums {
  readonly paymentId: string;
  readonly unit: string;
  /** True if the sale came to the store's reserve, or was taken back from there: its payment can be taken back for months. */
  readonly isOfReserve: boolean;
}

const NONE: SaleSums = { gross: 0n, spread: 0n, cost: 0n, fee: 0n, worth: 0n };

/** Returns the parts of a settled payment; zeros for a payment that is not settled. */
function sumsOf(payment: InvoicePayment | undefined): SaleSums {
  const { booked, credit: worth = 0n, unit } = payment ?? {};
  if (!booked || booked.fee === undefined) return NONE;
  const { set, fee, exchanged, components, parts } = booked;
  // Without an exchange the store received the coin itself, less its costs.
  if (exchanged === 0n && booked.unit === unit) return { gross: parts, spread: 0n, cost: parts - set, fee, worth };
  if (exchanged === 0n) return { gross: set, spread: 0n, cost: 0n, fee, worth };
  const taken = (totalOf(components, 'fee', 'cost') * set) / exchanged;
  const cost = totalOf(components, 'fee') === 0n ? taken : min(taken, (totalOf(components, 'cost') * set) / exchanged);
  return { gross: set + taken, spread: taken - cost, cost, fee, worth };
}

const minus = (a: SaleSums, b: SaleSums): SaleSums => ({
  gross: a.gross - b.gross,
  spread: a.spread - b.spread,
  cost: a.cost - b.cost,
  fee: a.fee - b.fee,
  worth: a.worth - b.worth,
});

const isNothing = (sums: SaleSums): boolean => Object.values(sums).every((parts) => parts === 0n);

/** Returns the sum that a store received by a sale: negative if it gave the sum back. */
export const receivedOf = ({ gross, spread, cost, fee }: SaleSums): bigint => gross - spread - cost - fee;

/**
 * Returns the sales that a step booked: of payments that it settled, and, with negative sums, of settled payments or parts of them
 * that it turned round. A test invoice has none.
 */
export function salesOf(before: Invoice, after: Invoice): Sale[] {
  if (after.terms.isTest) return [];
  const earlier = new Map(before.payments.map((payment) => [payment.id, payment]));
  return after.payments.flatMap((payment) => {
    const known = earlier.get(payment.id);
    const unit = payment.booked?.unit ?? known?.booked?.unit;
    const sums = minus(sumsOf(payment), sumsOf(known));
    if (unit === undefined || isNothing(sums)) return [];
    return [{ paymentId: payment.id, unit, isOfReserve: isReserveSale(known, payment, receivedOf(sums)), ...sums }];
  });
}

/** True if a sale came to the store's reserve, or was taken back from there. `received`: negative if it was taken back. */
function isReserveSale(before: InvoicePayment | undefined, { inReserve = 0n }: InvoicePayment, received: bigint): boolean {
  const had = before?.inReserve ?? 0n;
  return received < 0n ? had > 0n : inReserve > had;
}

/** Returns the sums that an invoice's settled payments brought its store until now, less what was taken back, by unit. */
export function receivedByUnit({ payments }: Pick<Invoice, 'payments'>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const payment of payments) {
    const { booked } = payment;
    if (booked?.fee !== undefined) sums.set(booked.unit, (sums.get(booked.unit) ?? 0n) + receivedOf(sumsOf(payment)));
  }
  return sums;
}
