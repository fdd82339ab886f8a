// Sums of an order's price in the unit of rewards, by the middle of the market that it was exchanged at. Pure.

import { REWARD_UNIT, assetOf, convert, fraction, money, rate } from '@kurs/money';
import type { OrderPublished } from '../../exchange/index.ts';

type Price = OrderPublished['price'];

/** Parts given, in parts of the unit of rewards, rounded up; nothing where no market was known. */
function inRewards({ give, rewardMid }: Price, parts: bigint): bigint {
  if (!rewardMid) return 0n;
  const { base, quote, numerator, denominator } = rewardMid;
  const by = rate(base, quote, fraction(BigInt(numerator), BigInt(denominator)));
  return convert(money(give.unit, parts), assetOf(give.unit), by, REWARD_UNIT, 'up').parts;
}

/** What the friend's discount of an order was worth. */
export const friendWorth = (price: Price): bigint =>
  inRewards(
    price,
    price.lines.reduce(
      (sum, { kind, code, parts }) => (kind === 'discount' && code === 'friend' ? sum + BigInt(parts) : sum),
      0n,
    ),
  );

/** What the desk keeps of it at the least. */
export const marginWorth = (price: Price): bigint => inRewards(price, BigInt(price.margin));
