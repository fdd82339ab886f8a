// The parts of a refund that go back to the payments of its invoice, since these can be taken back for months.

import { Problem } from '@kurs/contract';
import { type Money, assetOf, format, money, roundTo } from '@kurs/money';
import { min } from '../../../collecting/index.ts';
import { type CurrencyInfo, currencyOf, isDisputed } from '../../../payments/index.ts';
import { type Db, type Statements, log } from '../../../platform/index.ts';
import { type Invoice, type InvoicePayment, creditedOf, ownOf } from '../../invoices/invoice.ts';
import { optionOf } from '../../invoices/options.ts';
import { invoicesById } from '../../rows/invoice-rows.ts';
import { type Refund, type UnitSum, isLive } from '../machine/refund.ts';
import { claimsOf } from '../rows/claim-rows.ts';
import { refundsOfInvoice } from '../rows/refund-rows.ts';
import { atMid, isSettled } from './refundable.ts';

/** Part of a refund that goes back to a payment. `reserve`: part of the sum that the payment has in the store's reserve. */
export interface SourceShare {
  readonly payment: InvoicePayment & { readonly source: NonNullable<InvoicePayment['source']> };
  readonly info: CurrencyInfo;
  readonly sum: UnitSum;
  readonly got: Money;
  readonly reserve: bigint;
}

/** Returns the settled payments of an invoice that can be taken back for months. */
const reversibleOf = (view: Invoice): InvoicePayment[] =>
  view.payments.filter((payment) => isSettled(payment) && optionOf(view, payment.optionId).isReversible === true);

/**
 * Returns the receivers of an invoice's refund: the currencies of the payments to which a part goes back, and whether another part is
 * claimed by the refund's link.
 */
export function receiversOf(view: Invoice): { readonly to_payments: string[]; readonly has_link: boolean } {
  const reversible = view.terms.isTest ? [] : reversibleOf(view);
  const others = view.payments.filter(isSettled).length - reversible.length;
  return {
    to_payments: [...new Set(reversible.map(({ currency }) => currency))],
    has_link: reversible.length === 0 || others > 0,
  };
}

/**
 * Throws `payment_disputed` if the payer of a store's invoice disputes a payment that a refund would go back to, `unavailable` if the
 * payment system doesn't answer, and `invoice_unknown` for an invoice of another store. Queries the payment system, so no transaction
 * is open.
 */
export async function requireUndisputed(db: Db, storeId: string, invoiceId: string): Promise<void> {
  const [stored] = await invoicesById(db, [invoiceId]);
  if (stored && stored.view.store.id !== storeId) throw new Problem('invoice_unknown');
  for (const { id, currency, source } of stored && !stored.view.terms.isTest ? reversibleOf(stored.view) : []) {
    const answer = source && isDisputed(currency, source.fields);
    const isOpen = await Promise.resolve(answer).catch((error: unknown) => {
      log.warn('a payment system did not answer about disputes: a refund is refused', { paymentId: id, error });
      throw new Problem('unavailable');
    });
    if (isOpen === true) throw new Problem('payment_disputed');
  }
}

/**
 * Returns the shares of a refund that go back to payments of its invoice, in proportion to what each payment was credited with, at
 * the middle rate of now. Throws `refund_too_large` if less of a payment is left, and `rates_unavailable`.
 */
export async function sharesOf(db: Statements, view: Invoice, taken: UnitSum): Promise<SourceShare[]> {
  const reversible = reversibleOf(view);
  if (reversible.length === 0) return [];
  const settled = view.payments.filter(isSettled);
  const total = creditedOf({ payments: settled });
  const gone = await goneTo(db, view.id);
  const isAll = reversible.length === settled.length;
  let left = taken.parts;
  return reversible.flatMap((payment, at): SourceShare[] => {
    const info = currencyOf(payment.currency);
    if (!info || !payment.source || total === 0n) throw new Problem('method_closed');
    const isLast = isAll && at === reversible.length - 1;
    const sum = { unit: taken.unit, parts: isLast ? left : (taken.parts * payment.credit) / total };
    left -= sum.parts;
    const got = broughtBy(sum, info);
    const rest = ownOf(payment) - payment.over - (gone.get(payment.id) ?? 0n);
    if (got.parts > rest)
      throw new Problem('refund_too_large', {
        params: { most: format(money(info.unit, rest > 0n ? rest : 0n)), currency: info.unit },
      });
    if (got.parts === 0n) return [];
    const reserve = payment.booked?.unit === sum.unit ? min(payment.inReserve ?? 0n, sum.parts) : 0n;
    return [{ payment: { ...payment, source: payment.source }, info, sum, got, reserve }];
  });
}

/** Returns the amounts of an invoice's payments that were sent back, or are on their way, by the payments' ids. */
export async function goneTo(db: Statements, invoiceId: string): Promise<Map<string, bigint>> {
  const refunds = await refundsOfInvoice(db, invoiceId);
  const claims = await claimsOf(
    db,
    refunds.map(({ id }) => id),
  );
  const gone = new Map<string, bigint>();
  for (const claim of claims)
    if (claim.source && isLive(claim)) gone.set(claim.source.paymentId, (gone.get(claim.source.paymentId) ?? 0n) + claim.parts);
  return gone;
}

/** Returns what a sum brings in a currency at the middle rate, rounded down. A payer doesn't pay the spread a second time. */
function broughtBy({ unit, parts }: UnitSum, { unit: to, payDigits }: CurrencyInfo): Money {
  const sum = money(unit, parts);
  return roundTo(unit === to ? sum : atMid(sum, assetOf(unit), to, assetOf(to), 'down'), payDigits, 'down');
}

/** Returns the sum that shares take from the store's reserve. */
export const reserveOf = (shares: readonly SourceShare[]): bigint => shares.reduce((sum, { reserve }) => sum + reserve, 0n);

/** Returns an invoice after shares of a refund took their parts of the store's reserve. */
export const withoutReserve = (view: Invoice, shares: readonly SourceShare[]): Invoice => ({
  ...view,
  payments: view.payments.map((payment) => {
    const reserve = shares.find((share) => share.payment.id === payment.id)?.reserve ?? 0n;
    return reserve === 0n ? payment : { ...payment, inReserve: (payment.inReserve ?? 0n) - reserve };
  }),
});

/** True if a refund has money for its link: some is unclaimed. */
export const hasLink = ({ rests }: Pick<Refund, 'rests'>): boolean => rests.length > 0;
