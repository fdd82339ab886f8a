// Computes amounts of an order's price in the unit of rewards, by the mid rate of its exchange. Pure.

import { REWARD_UNIT, assetOf, convert, fraction, money, rate } from '@kurs/money';
import type { OrderPublished } from '../../exchange/index.ts';

type Price = OrderPublished['price'];

/** Converts minor units given into those of the unit of rewards, rounded up. Returns 0 if no market was known. */
function inRewards({ give, rewardMid }: Price, parts: bigint): bigint {
  if (!rewardMid) return 0n;
  const { base, quote, numerator, denominator } = rewardMid;
  const by = rate(base, quote, fraction(BigInt(numerator), BigInt(denominator)));
  return convert(money(give.unit, parts), assetOf(give.unit), by, REWARD_UNIT, 'up').parts;
}

/** Returns the worth of an order's friend's discount. */
export const friendWorth = (price: Price): bigint =>
  inRewards(
    price,
    price.lines.reduce(
      (sum, { kind, code, parts }) => (kind === 'discount' && code === 'friend' ? sum + BigInt(parts) : sum),
      0n,
    ),
  );

/** Returns the desk's minimum margin of an order. */
export const marginWorth = (price: Price): bigint => inRewards(price, BigInt(price.margin));
