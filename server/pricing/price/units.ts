// Converts sums to the unit of one side of a direction, with as many digits as payments have. Pure.

import { type Money, type Rate, assetOf, convert, decimal, money, rate, roundTo } from '@kurs/money';
import { type Snapshot, mid } from '../../rates/index.ts';
import type { CurrencyInfo } from '../../payments/index.ts';
import type { NetworkCost } from '../directions/store.ts';

/** One side of a direction. `payDigits`: number of digits in payments. `isReversible`: payments can be taken back for months. */
export type Side = Pick<CurrencyInfo, 'unit' | 'payDigits'> & { readonly isReversible?: boolean };

/** Converts USD to a unit at its asset's bid price, rounded up to the digits of payments. */
export function usdToUnit(usd: Money<'USD'>, snapshot: Snapshot, { unit, payDigits }: Side): Money {
  return roundTo(convert(usd, 'USD', usdRate(snapshot, assetOf(unit)), unit, 'up'), payDigits, 'up');
}

/** Returns the price of an asset in USD at which the desk buys it: the bid. */
function usdRate(snapshot: Snapshot, asset: string): Rate {
  const price = snapshot.body.assets[asset];
  if (!price) throw new RangeError(`Snapshot ${snapshot.version} has no price of ${asset}`);
  return rate(asset, 'USD', decimal(price.bid));
}

/** Converts a network's cost to the unit given at mid-market rates, if it has another, rounded up to the digits of payments. */
export function costInUnit(cost: NetworkCost, snapshot: Snapshot, { unit, payDigits }: Side): Money {
  const given = money(cost.fuel, cost.parts);
  const [fuel, asset] = [assetOf(cost.fuel), assetOf(unit)];
  const whole = cost.fuel === unit ? given : convert(given, fuel, mid(snapshot, fuel, asset), unit, 'up');
  return roundTo(whole, payDigits, 'up');
}
