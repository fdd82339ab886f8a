import { type Component, componentOf } from './component.ts';
import { type Fraction, fraction } from './fraction.ts';
import { type Money, add, compare, larger, money, roundTo, scaleBy, smaller, subtract, zero } from './money.ts';
import { type DiscountLine, lineAmount } from './price-line.ts';

/** Kinds of discount, in the order in which they are trimmed if their sum exceeds the maximum. */
export const DISCOUNT_KINDS = ['credit', 'late', 'coupon', 'friend', 'loyalty'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** The unit of coupons, rewards and prizes; sums in USD count as the same amount of it. */
export const REWARD_UNIT = 'USDT';

/** Share of a reversible payment that is set aside from the fee, in case the payment is taken back. */
export const PROVISION: Fraction = /* @__PURE__ */ fraction(1n, 100n);

/** The part of the fee that discounts must leave. */
export interface MinMargin {
  /** Minimum that the desk keeps after discounts and rewards: the larger of `percent` of the amount, and `min`. */
  readonly percent: Fraction;
  readonly min: Money;
  /** Share of the kept fee that remains after rewards to those who referred the customer. */
  readonly afterRewards: Fraction;
  /** Share of the amount that is set aside for a payment taken back; absent if it can't be. */
  readonly provision?: Fraction;
}

/**
 * Returns the discounts on a fee, one component for each that is above zero. They are in the order of trimming, and each is
 * rounded down to `digits`.
 *
 * All together are at most half the fee, and the rest of the fee is at least: minimum margin ÷ share after rewards + provision.
 */
export function discountsGiven(
  requests: readonly DiscountLine[],
  {
    fee,
    give,
    minMargin,
    digits,
  }: { readonly fee: Money; readonly give: Money; readonly minMargin: MinMargin; readonly digits: number },
): Component[] {
  if (requests.length === 0) return [];
  const wanted = wantedOf(requests, fee, digits);
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

interface RequestedDiscount {
  readonly line: DiscountLine;
  readonly amount: Money;
}

/** Returns the requested amount of each discount. Discounts of the rest are computed last, from the fee after the others. */
function wantedOf(requests: readonly DiscountLine[], fee: Money, digits: number): RequestedDiscount[] {
  const ask = (line: DiscountLine, base: Money): RequestedDiscount => ({
    line,
    amount: roundTo(lineAmount(line, base, 'down'), digits, 'down'),
  });
  const ofFee = requests.filter((line) => line.of === undefined).map((line) => ask(line, fee));
  const taken = sumOf(ofFee, fee.unit);
  const rest = compare(fee, taken) > 0 ? subtract(fee, taken) : zero(fee.unit);
  return requests.map((line) => ofFee.find((one) => one.line === line) ?? ask(line, rest));
}

const sumOf = (wanted: readonly RequestedDiscount[], unit: string): Money =>
  wanted.reduce((sum, { amount }) => add(sum, amount), zero(unit));

/** Returns the part of the fee that may be given away: the fee less the minimum before rewards, and the provision. */
function spareOf(fee: Money, give: Money, { percent, min, afterRewards, provision }: MinMargin): Money {
  const retained = larger(scaleBy(give, percent, 'up'), min);
  const beforeRewards = scaleBy(retained, { numerator: afterRewards.denominator, denominator: afterRewards.numerator }, 'up');
  const setAside = provision ? scaleBy(give, provision, 'up') : zero(give.unit);
  const minimum = add(beforeRewards, setAside);
  return compare(fee, minimum) > 0 ? subtract(fee, minimum) : zero(fee.unit);
}
