// The price of the moment for payments of an invoice by one method.

import { type Rate, assetOf, convert, fraction, parse, priceOf, rate, roundTo, scaleOf } from '@kurs/money';
import { type CurrencyInfo, currencies, currencyOf } from '../../payments/index.ts';
import { currentTerms, receivingTerms } from '../../pricing/index.ts';
import { type Snapshot, closedReason, latest, mid, now } from '../../rates/index.ts';
import type { InvoiceTerms } from '../invoices/invoice.ts';
import type { OptionPrice } from '../invoices/option-price.ts';
import { INVOICES } from '../purpose.ts';

/** The terms of an invoice that decide prices. */
export type PricedTerms = Pick<InvoiceTerms, 'currency' | 'digits' | 'settlement' | 'isBorneByStore'>;

/** Returns the digits of amounts in an asset: as many as payments of all its currencies have. */
export function digitsOf(asset: string): number {
  const digits = currencies().flatMap(({ unit, payDigits }) => (assetOf(unit) === asset ? [payDigits] : []));
  return Math.min(scaleOf(asset), ...digits);
}

/**
 * Returns the price of the moment for payments by a currency. `isWallet`: true for a payment from a wallet of the currency's unit,
 * which costs nothing to receive. Undefined if there is no price, or its rates are too old or doubtful.
 */
export function currentPrice(terms: PricedTerms, code: string, isWallet = false): OptionPrice | undefined {
  const [info, snapshot] = [currencyOf(code), latest()];
  if (!info || !snapshot) return undefined;
  const { settlement, currency, digits, isBorneByStore } = terms;
  const assets = [info.unit, settlement.unit, currency].map(assetOf);
  if (closedReason(snapshot, now(), assets)) return undefined;
  const price = info.unit === settlement.unit ? receivingTerms(code, isWallet) : exchangeTerms(terms, info, isWallet);
  if (!price?.mid) return undefined;
  const worth = mid(snapshot, assetOf(settlement.unit), currency);
  return {
    ...{ terms: price, worth, currency, digits, isBorneByStore },
    mid: throughSettlement(price.mid, assetOf(info.unit), worth, assetOf(settlement.unit), currency),
  };
}

const exchangeTerms = ({ settlement }: PricedTerms, { code }: CurrencyInfo, isWallet: boolean) =>
  currentTerms(code, settlement.currency, { wallet: isWallet ? 'both' : 'get', purpose: INVOICES })?.terms;

/** Returns the middle rate from the method's asset to the invoice's currency, by way of the settlement asset. */
function throughSettlement(first: Rate, asset: string, worth: Rate, settlement: string, currency: string): Rate {
  const [a, b] = [priceOf(asset, first), priceOf(settlement, worth)];
  return rate(asset, currency, fraction(a.numerator * b.numerator, a.denominator * b.denominator));
}

/** Returns the smallest fee of the desk in a unit: the worth of 0.01 USD, rounded up to the digits of payments. */
export function minFeeIn(snapshot: Snapshot, unit: string): bigint {
  const asset = assetOf(unit);
  const cent = convert(parse('USD', '0.01'), 'USD', mid(snapshot, asset, 'USD'), unit, 'up');
  return roundTo(cent, digitsOf(asset), 'up').parts;
}
