// The methods by which an invoice can be paid now: what is to be sent, what it costs, and why a method is closed.

import { type CurrencyInfo, currencyOf, payKindOf } from '../../payments/index.ts';
import { isReversible } from '../../compliance/index.ts';
import { currentView } from '../../pricing/index.ts';
import type { InvoiceTerms, TakenCurrency } from '../invoices/invoice.ts';
import { type OptionPrice, amountFor, costOf, costsExceed } from '../invoices/option-price.ts';
import { isMethod, isTaken } from '../purpose.ts';
import { settings } from '../settings.ts';
import { usdOf, worthOf } from './worth.ts';
import type { ReversibleRoom } from './reversible-room.ts';
import { currentBounds, leastPayment } from './current-bounds.ts';
import { type PricedTerms, currentPrice } from './current-price.ts';

/** Reason for which a method is closed; a key of the contract's words. */
export type MethodClosed = 'off' | 'rates' | 'costs' | 'too_small' | 'addresses' | 'invoice_limit' | 'receipts_limit';

/** A method with its price of the moment. Amounts are parts of the method's unit. */
export interface Method {
  readonly info: CurrencyInfo;
  readonly price?: OptionPrice | undefined;
  /** Amount that pays what is due; undefined for a top-up, and if no amount does. */
  readonly parts?: bigint | undefined;
  /** Spread and costs of this amount, of a top-up those of the smallest payment, in parts of the invoice's currency. */
  readonly cost?: bigint | undefined;
  /** Smallest payment that is credited. */
  readonly least?: bigint | undefined;
  readonly closed?: MethodClosed | undefined;
}

/**
 * Facts that decide about an invoice's methods beside their prices. `due`: sum to pay in the invoice's currency, undefined for a
 * top-up. `hasAddresses`: false if the store may hand out no more addresses today. `room`: what it may be paid by methods whose
 * payments can be taken back for months; undefined if it can't be paid by them.
 */
export interface MethodContext {
  readonly due: bigint | undefined;
  readonly hasAddresses: boolean;
  readonly room: ReversibleRoom | undefined;
}

/** Returns an invoice's method. Undefined for a currency that is no method. */
export function methodOf(
  terms: PricedTerms & Pick<InvoiceTerms, 'amount'>,
  code: string,
  { due, hasAddresses, room }: MethodContext,
): Method | undefined {
  const info = currencyOf(code);
  if (!info || !isMethod(info)) return undefined;
  if (!isOpen(terms, info) || (isReversible(code) && !room)) return { info, closed: 'off' };
  if (!hasAddresses && payKindOf(code) === 'address') return { info, closed: 'addresses' };
  const price = currentPrice(terms, code);
  if (!price) return { info, closed: 'rates' };
  const method = { info, price, ...priced(price, info, due) };
  const over = isReversible(code) && room ? overRoom(terms, method, { due, room }) : undefined;
  return over === undefined ? method : { ...method, closed: method.closed ?? over };
}

/** Returns the bound that an invoice, or its payment by a method, exceeds; undefined if it is within both. */
function overRoom(
  { currency, amount }: Pick<InvoiceTerms, 'currency' | 'amount'>,
  { info, parts }: Pick<Method, 'info' | 'parts'>,
  { due, room }: Pick<MethodContext, 'due'> & { readonly room: ReversibleRoom },
): MethodClosed | undefined {
  if (worthOf(currency, amount ?? due ?? 0n) > room.invoiceUsd) return 'invoice_limit';
  const isOver = parts === undefined ? room.leftUsd === 0n : (usdOf(info.unit, parts) ?? 0n) > room.leftUsd;
  return isOver ? 'receipts_limit' : undefined;
}

function priced(price: OptionPrice, info: CurrencyInfo, due: bigint | undefined): Omit<Method, 'info' | 'price'> {
  const least = leastPayment(price, info);
  if (least === undefined) return { closed: 'costs' };
  if (due === undefined) return { cost: costOf(price, least), least };
  const parts = amountFor(price, due);
  if (parts === undefined || costsExceed(price, parts, due, settings.get('gate.cost_most'))) return { least, closed: 'costs' };
  const cost = costOf(price, parts);
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
  return info && isMethod(info) && !isReversible(code) && isOpen(terms, info)
    ? { bounds: currentBounds(terms, info) }
    : undefined;
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
