import { type Component, componentOf } from './component.ts';
import { type Fraction, fraction } from './fraction.ts';
import { type Money, add, compare, larger, money, roundTo, scaleBy, smaller, subtract, zero } from './money.ts';
import { type DiscountLine, lineAmount } from './price-line.ts';

/** Kinds of discount, in the order in which they are trimmed where together they are more than allowed. */
export const DISCOUNT_KINDS = ['credit', 'late', 'coupon', 'friend', 'loyalty'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** The unit that coupons, rewards and prizes are kept in; sums in USD are that much of it. */
export const REWARD_UNIT = 'USDT';

/** The share of a payment that can be taken back which is set aside for that, of the fee. */
export const PROVISION: Fraction = /* @__PURE__ */ fraction(1n, 100n);

/** What stays of the fee whatever is let off. */
export interface MinMargin {
  /** The least that the desk keeps after discounts and rewards: `percent` of the amount, and `min`. */
  readonly percent: Fraction;
  readonly min: Money;
  /** Of what is kept, the share that stays after those who sent the customer got theirs. */
  readonly afterRewards: Fraction;
  /** The share of the amount that is set aside for a payment taken back; absent where none can be. */
  readonly provision?: Fraction;
}

/**
 * What is let off of a fee, one component for each discount that is more than nothing. They stand in the order in which they
 * are trimmed; each is rounded down to `digits`.
 *
 * All together are at most half the fee, and fee less discounts is at least the minimum margin ÷ the share after rewards, and
 * the provision beside it.
 */
export function discountsGiven(
  asked: readonly DiscountLine[],
  {
    fee,
    give,
    minMargin,
    digits,
  }: { readonly fee: Money; readonly give: Money; readonly minMargin: MinMargin; readonly digits: number },
): Component[] {
  if (asked.length === 0) return [];
  const wanted = wantedOf(asked, fee, digits);
  const allowed = roundTo(smaller(money(fee.unit, fee.parts / 2n), spareOf(fee, give, minMargin)), digits, 'down');
  const total = sumOf(wanted, fee.unit);
  let over = compare(total, allowed) > 0 ? subtract(total, allowed) : zero(fee.unit);
  return wanted.flatMap(({ line, amount }) => {
    const trimmed = smaller(over, amount);
    over = subtract(over, trimmed);
    const { parts } = subtract(amount, trimmed);
    return parts === 0n ? [] : [componentOf('discount', line, parts)];
  });
}

interface Wanted {
  readonly line: DiscountLine;
  readonly amount: Money;
}

/** What each discount asks for. Those of the rest ask last, of what the others leave. */
function wantedOf(asked: readonly DiscountLine[], fee: Money, digits: number): Wanted[] {
  const ask = (line: DiscountLine, base: Money): Wanted => ({
    line,
    amount: roundTo(lineAmount(line, base, 'down'), digits, 'down'),
  });
  const ofFee = asked.filter((line) => line.of === undefined).map((line) => ask(line, fee));
  const taken = sumOf(ofFee, fee.unit);
  const rest = compare(fee, taken) > 0 ? subtract(fee, taken) : zero(fee.unit);
  return asked.map((line) => ofFee.find((one) => one.line === line) ?? ask(line, rest));
}

const sumOf = (wanted: readonly Wanted[], unit: string): Money =>
  wanted.reduce((sum, { amount }) => add(sum, amount), zero(unit));

/** What of the fee may go: what the desk must have before rewards, and the provision, stay. */
function spareOf(fee: Money, give: Money, { percent, min, afterRewards, provision }: MinMargin): Money {
  const kept = larger(scaleBy(give, percent, 'up'), min);
  const beforeRewards = scaleBy(kept, { numerator: afterRewards.denominator, denominator: afterRewards.numerator }, 'up');
  const setAside = provision ? scaleBy(give, provision, 'up') : zero(give.unit);
  const least = add(beforeRewards, setAside);
  return compare(fee, least) > 0 ? subtract(fee, least) : zero(fee.unit);
}
