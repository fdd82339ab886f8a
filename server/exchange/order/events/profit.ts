// Computes an order's worth, and the desk's profit from it, by the prices in published events. All results are in the unit of
// rewards. Pure.

import { REWARD_UNIT, assetOf, convert, money, rate } from '@kurs/money';
import type { OrderPublished } from './order-published.ts';

type PublishedPrice = OrderPublished['price'];

/** Returns the worth of the amount given, in parts of the unit of rewards, rounded down; 0 if the market had no rate. */
export const worthOf = (price: PublishedPrice): bigint => inRewards(price, BigInt(price.give.parts));

/**
 * Returns the desk's profit on an order, in parts of the unit of rewards, rounded down; 0 if there is no profit or the market had
 * no rate.
 *
 * The profit is the fee less discounts, less the provision for a reversal, less the part of providers' deductions that exceeds
 * the payin costs charged. The friend's discount is not deducted, because the affiliate's share pays for it.
 */
export function profitOf(price: PublishedPrice): bigint {
  const total = (fits: (line: PublishedPrice['lines'][number]) => boolean): bigint =>
    price.lines.reduce((sum, line) => (fits(line) ? sum + BigInt(line.parts) : sum), 0n);
  const fee = total(({ kind }) => kind === 'fee');
  const discounts = total(({ kind, code }) => kind === 'discount' && code !== 'friend');
  const beyond = BigInt(price.retained) - total(({ kind, code }) => kind === 'cost' && code === 'payin');
  const earned = fee - discounts - (beyond > 0n ? beyond : 0n) - BigInt(price.provision);
  return earned > 0n ? inRewards(price, earned) : 0n;
}

/** Converts parts of the unit given at the mid-market rate of the exchange. */
function inRewards({ give: { unit }, rewardMid }: PublishedPrice, parts: bigint): bigint {
  if (!rewardMid) return 0n;
  const value = { numerator: BigInt(rewardMid.numerator), denominator: BigInt(rewardMid.denominator) };
  const middle = rate(rewardMid.base, rewardMid.quote, value);
  return convert(money(unit, parts), assetOf(unit), middle, REWARD_UNIT, 'down').parts;
}
