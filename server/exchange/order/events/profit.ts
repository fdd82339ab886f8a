// What an order was worth and what the desk earned by it, as its events tell, in the unit of rewards. Pure.

import { REWARD_UNIT, assetOf, convert, money, rate } from '@kurs/money';
import type { OrderPublished } from './order-published.ts';

type Published = OrderPublished['price'];

/** What an order gave is worth, in parts of the unit of rewards, rounded down; 0 where no market was known for it. */
export const worthOf = (price: Published): bigint => inRewards(price, BigInt(price.give.parts));

/**
 * What the desk earned by an order: fee less discounts (but for the friend’s, which comes out of it), less what providers kept
 * beyond what was asked for that, less what is set aside for a reversal. In parts of the unit of rewards, rounded down, at least
 * 0; 0 where no market was known for it.
 */
export function profitOf(price: Published): bigint {
  const total = (fits: (line: Published['lines'][number]) => boolean): bigint =>
    price.lines.reduce((sum, line) => (fits(line) ? sum + BigInt(line.parts) : sum), 0n);
  const fee = total(({ kind }) => kind === 'fee');
  const discounts = total(({ kind, code }) => kind === 'discount' && code !== 'friend');
  const beyond = BigInt(price.kept) - total(({ kind, code }) => kind === 'cost' && code === 'payin');
  const earned = fee - discounts - (beyond > 0n ? beyond : 0n) - BigInt(price.provision);
  return earned > 0n ? inRewards(price, earned) : 0n;
}

/** Parts of what was given, by the middle that the order was exchanged at. */
function inRewards({ give: { unit }, rewardMid }: Published, parts: bigint): bigint {
  if (!rewardMid) return 0n;
  const value = { numerator: BigInt(rewardMid.numerator), denominator: BigInt(rewardMid.denominator) };
  const middle = rate(rewardMid.base, rewardMid.quote, value);
  return convert(money(unit, parts), assetOf(unit), middle, REWARD_UNIT, 'down').parts;
}
