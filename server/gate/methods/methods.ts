// The methods by which an invoice can be paid now: what is to be sent, what it costs, and why a method is closed.

import { type CurrencyInfo, currencyOf, payKindOf } from '../../payments/index.ts';
import { currentView } from '../../pricing/index.ts';
import type { TakenCurrency } from '../invoices/invoice.ts';
import { type OptionPrice, amountFor, costOf, costsExceed } from '../invoices/option-price.ts';
import { isMethod, isTaken } from '../purpose.ts';
import { settings } from '../settings.ts';
import { currentBounds, leastPayment } from './current-bounds.ts';
import { type PricedTerms, currentPrice } from './current-price.ts';

/** Reason for which a method is closed; a key of the contract's words. */
export type MethodClosed = 'off' | 'rates' | 'costs' | 'too_small' | 'addresses';

/** A method with its price of the moment. Amounts are parts of the method's unit, `cost` of the invoice's currency. */
export interface Method {
  readonly info: CurrencyInfo;
  readonly price?: OptionPrice | undefined;
  /** Amount that pays what is due; undefined for a top-up, and if no amount does. */
  readonly parts?: bigint | undefined;
  readonly cost?: bigint | undefined;
  /** Smallest payment that is credited. */
  readonly least?: bigint | undefined;
  readonly closed?: MethodClosed | undefined;
}

/**
 * Returns an invoice's method. `due`: sum to pay in the invoice's currency, undefined for a top-up. `hasAddresses`: false if the
 * store may hand out no more addresses today. Undefined for a currency that is no method.
 */
export function methodOf(
  terms: PricedTerms,
  code: string,
  { due, hasAddresses }: { readonly due: bigint | undefined; readonly hasAddresses: boolean },
): Method | undefined {
  const info = currencyOf(code);
  if (!info || !isMethod(info)) return undefined;
  if (!isOpen(terms, info)) return { info, closed: 'off' };
  if (!hasAddresses && payKindOf(code) === 'address') return { info, closed: 'addresses' };
  const price = currentPrice(terms, code);
  if (!price) return { info, closed: 'rates' };
  return { info, price, ...priced(price, info, due) };
}

function priced(price: OptionPrice, info: CurrencyInfo, due: bigint | undefined): Omit<Method, 'info' | 'price'> {
  const least = leastPayment(price, info);
  if (least === undefined) return { closed: 'costs' };
  if (due === undefined) return { least };
  const parts = amountFor(price, due);
  if (parts === undefined || costsExceed(price, parts, due, settings.get('gate.cost_most'))) return { least, closed: 'costs' };
  const cost = price.isBorneByStore ? undefined : costOf(price, parts);
  return parts < least ? { parts, cost, least, closed: 'too_small' } : { parts, cost, least };
}

/** True if switches and the rail let the method take payments of invoices: as for orders, but without their bounds. */
export function isOpen({ settlement }: Pick<PricedTerms, 'settlement'>, info: CurrencyInfo): boolean {
  if (!isTaken(info) || !currentView().railsUp.has(info.rail)) return false;
  if (info.unit === settlement.unit) return true;
  return isDirectionOn(info.code, settlement.currency);
}

/** Returns a currency's bounds of the moment; undefined if the desk doesn't take payments of such invoices by it. */
export function takenNow(terms: PricedTerms, code: string): TakenCurrency | undefined {
  const info = currencyOf(code);
  return info && isMethod(info) && isOpen(terms, info) ? { bounds: currentBounds(terms, info) } : undefined;
}

/** True if a direction exists and people have switched it on. */
function isDirectionOn(from: string, to: string): boolean {
  const found = currentView().directions.find((one) => one.from === from && one.to === to);
  return found?.isOn === true;
}

/** Returns methods in the order of their costs: open ones first, cheap ones first. */
export function byCost(methods: readonly Method[]): Method[] {
  const rank = ({ closed, cost = 0n }: Method): [number, bigint] => [closed ? 1 : 0, cost];
  return methods.toSorted((a, b) => {
    const [[closedA, costA], [closedB, costB]] = [rank(a), rank(b)];
    return closedA - closedB || (costA < costB ? -1 : costA > costB ? 1 : 0);
  });
}
