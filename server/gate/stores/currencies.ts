// Currencies that a store may choose.

import { fieldProblem } from '@kurs/contract';
import { isReversible } from '../../compliance/index.ts';
import { canSend, currencies, payKindOf, takenPurposes } from '../../payments/index.ts';
import { closedReason, latest, now } from '../../rates/index.ts';
import type { Business } from '../businesses/business.ts';
import { boundsNow } from '../businesses/open-bounds.ts';
import type { Store } from './store.ts';

/** Returns the assets in which invoices can be made now: those with a usable price, by market or by a peg. */
export function invoiceCurrencies(): string[] {
  const snapshot = latest();
  const moment = now();
  return Object.keys(snapshot?.body.assets ?? {})
    .filter((asset) => !closedReason(snapshot, moment, [asset]))
    .toSorted();
}

/** Returns the currencies that a store can be paid in: those of rails that take payments, without vouchers. */
export const settlementCurrencies = (): string[] =>
  currencies()
    .filter(({ rail, code }) => takenPurposes(rail).length > 0 && payKindOf(code) !== 'voucher')
    .map(({ code }) => code);

/** Returns the currencies by which invoices may be paid: those in which money can also be sent back. */
export const methodCurrencies = (): string[] => settlementCurrencies().filter(canSend);

/** Returns those of `methodCurrencies` whose payments can be taken back for months. */
export const reversibleMethods = (): string[] => methodCurrencies().filter(isReversible);

/**
 * True if invoices of a store can be paid by such methods: people have switched them on for its business, or it is a test store,
 * which plays them. `business`: that of the store.
 */
export const takesReversible = ({ kind }: Pick<Store, 'kind'>, business: Business | undefined): boolean =>
  kind === 'test' || boundsNow(business) !== undefined;

/** Returns those by which invoices of a store of a kind may be paid: of a personal store none whose payments can be taken back. */
const methodsOfKind = (kind: Store['kind']): string[] =>
  methodCurrencies().filter((code) => kind !== 'personal' || !isReversible(code));

type Chosen = Pick<Store, 'kind'> & Partial<Pick<Store, 'invoiceCurrency' | 'settlementCurrency' | 'methods'>>;

/**
 * Throws `validation` for an invoice currency without a price, and for a settlement currency and a method that the desk doesn't
 * take.
 */
export function requireCurrencies({ kind, invoiceCurrency, settlementCurrency, methods = [] }: Chosen): void {
  if (invoiceCurrency !== undefined && !invoiceCurrencies().includes(invoiceCurrency))
    throw fieldProblem('invoice_currency', 'currency_without_price');
  if (settlementCurrency !== undefined && !settlementCurrencies().includes(settlementCurrency))
    throw fieldProblem('settlement_currency', 'currency_unknown');
  const known = methodsOfKind(kind);
  const strange = methods.find((code) => !known.includes(code));
  if (strange !== undefined) throw fieldProblem('methods', 'method_unknown', { code: strange });
}
