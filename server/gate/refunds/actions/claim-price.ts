// Price of a claim: the claimed sum less the cost of sending, converted at the direction's rate for another currency.

import { Problem, fieldProblem } from '@kurs/contract';
import {
  type Component,
  type Money,
  PriceError,
  assetOf,
  breakdownForGive,
  format,
  money,
  roundTo,
  totalOf,
  zero,
} from '@kurs/money';
import { type CurrencyInfo, type GivenAccount, currencies, estimateSendingTo } from '../../../payments/index.ts';
import { type NetworkCost, currentTerms, currentView, isSending, sendingTerms } from '../../../pricing/index.ts';
import { latest, usdValue } from '../../../rates/index.ts';
import { allMethods } from '../../purpose.ts';
import type { UnitSum } from '../machine/refund.ts';

/** The price of a claim. `fee`: cost of sending, in the claimed unit. `got`: amount that arrives. */
export interface ClaimPrice {
  readonly fee: bigint;
  readonly got: Money;
  /** Conversion into another unit; undefined if the sum is sent in its own. */
  readonly price: { readonly components: readonly Component[]; readonly exchanged: bigint } | undefined;
}

/** The price of a claim, or the reason why nothing would arrive. `smallest`: smallest sum of the claimed unit, if known. */
export type ClaimQuote =
  | ClaimPrice
  | { readonly closed: 'rates' | 'too_small' | 'no_money'; readonly smallest?: Money | undefined };

/** Returns the currencies in which a sum of a unit can be claimed now: those of the unit, and those with a direction that is on. */
export const claimableIn = (unit: string): CurrencyInfo[] =>
  allMethods(false).filter((info) => isSending(info) && (info.unit === unit || pairTo(unit, info.code) !== undefined));

/** Returns the currency of a unit from which a direction that is on leads to another currency. */
const pairTo = (unit: string, to: string): string | undefined =>
  currencies().find(
    (one) => one.unit === unit && currentView().directions.some((pair) => pair.from === one.code && pair.to === to && pair.isOn),
  )?.code;

/** Returns the network's cost of sending to an account; undefined if the usual cost holds. Calls the network. */
export async function costOfSendingTo({ code }: CurrencyInfo, { fields }: GivenAccount): Promise<NetworkCost | undefined> {
  const cost = await estimateSendingTo(code, fields).catch(() => undefined);
  return cost && { fuel: cost.currency, parts: cost.parts };
}

/** Returns the price of a claimed sum at the rates of now. `cost`: of sending to the claimant's account, if known. */
export const claimQuote = (sum: UnitSum, info: CurrencyInfo, cost?: NetworkCost): ClaimQuote =>
  info.unit === sum.unit ? sentAsItIs(sum, info, cost) : exchanged(sum, info, cost);

function sentAsItIs({ unit, parts }: UnitSum, { code, payDigits }: CurrencyInfo, cost: NetworkCost | undefined): ClaimQuote {
  const terms = sendingTerms(code, money(unit, parts), cost);
  if (!terms) return { closed: 'rates' };
  if (parts < terms.smallest.parts) return { closed: 'too_small', smallest: terms.smallest };
  const got = roundTo(money(unit, parts - terms.fee.parts), payDigits, 'down');
  return { fee: parts - got.parts, got, price: undefined };
}

function exchanged({ unit, parts }: UnitSum, info: CurrencyInfo, cost: NetworkCost | undefined): ClaimQuote {
  const from = pairTo(unit, info.code);
  const current = from === undefined ? undefined : currentTerms(from, info.code, { wallet: 'give', sending: cost });
  if (!current) return { closed: 'rates' };
  try {
    const { components, exchanged: rest, get } = breakdownForGive(money(unit, parts), current.terms);
    if (get.parts <= info.dust || get.parts === 0n) return { closed: 'too_small' };
    return { fee: totalOf(components, 'cost'), got: get, price: { components, exchanged: rest.parts } };
  } catch (error) {
    if (error instanceof PriceError) return { closed: 'too_small' };
    throw error;
  }
}

/** Returns a price, closed if the desk can't pay so much of the currency now. `payable`: amount that it can pay, in parts. */
export const withinPayable = (quote: ClaimQuote, payable: bigint): ClaimQuote =>
  'closed' in quote || quote.got.parts <= payable ? quote : { closed: 'no_money' };

/** Returns the price, if there is one. Throws `rates_unavailable`, `method_closed`, and `validation` on `amount` for a small sum. */
export function requirePrice(quote: ClaimQuote): ClaimPrice {
  if (!('closed' in quote)) return quote;
  if (quote.closed === 'rates') throw new Problem('rates_unavailable');
  if (quote.closed === 'no_money') throw new Problem('method_closed');
  const { smallest } = quote;
  if (!smallest) throw fieldProblem('amount', 'amount_eaten_by_fees');
  throw fieldProblem('amount', 'withdrawal_below_min', { min: format(smallest), unit: smallest.unit });
}

/** Returns the worth of a sum in US cents. Throws `rates_unavailable` while there is no rate. */
export function centsOf({ unit, parts }: UnitSum): bigint {
  const snapshot = latest();
  if (!snapshot?.body.assets[assetOf(unit)]) throw new Problem('rates_unavailable');
  return parts === 0n ? zero('USD').parts : usdValue(snapshot, money(unit, parts)).parts;
}
