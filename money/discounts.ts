import { type Component, componentOf } from './component.ts';
import { type Fraction, fraction } from './fraction.ts';
import { type Money, add, compare, larger, money, roundTo, scaleBy, smaller, subtract, zero } from './money.ts';
import { type DiscountLine, lineAmount } from './price-line.ts';

/** Kinds of discount, in the order in which they are trimmed if their sum exceeds the maximum. */
export const DISCOUNT_KINDS = ['credit', 'late', 'coupon', 'friend', 'loyalty'] as const;
export type DiscountKind = (typeof DISCOUNT_KINDS)[number];

/** Unit of coupons, rewards and prizes. A sum in USD is treated as the same amount of this unit. */
export const REWARD_UNIT = 'USDT';

/** Share of the amount of a reversible payment that is set aside from the fee, in case the payment is taken back. */
export const PROVISION: Fraction = /* @__PURE__ */ fraction(1n, 100n);

/** Terms for the part of the fee that discounts must leave to the desk. */
export interface MinMargin {
  /**
   * Minimum that the desk keeps after discounts and rewards, as a share of the amount. The larger of `percent` and `min` applies.
   */
  readonly percent: Fraction;
  /** Minimum that the desk keeps after discounts and rewards, as a sum. */
  readonly min: Money;
  /** Share of the remaining fee that the desk keeps after rewards to affiliates. */
  readonly afterRewards: Fraction;
  /** Share of the amount that is set aside in case the payment is taken back; absent if it can't be taken back. */
  readonly provision?: Fraction;
}

/**
 * Returns the discounts on a fee: one component for each discount above zero, in the order in which they are trimmed. Each is
 * rounded down to `digits`.
 *
 * All discounts together are at most half of the fee. They leave at least: minimum margin ÷ share after rewards + provision.
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

/**
 * Returns the requested amount of each discount. Discounts with `rest` are computed last, from the fee that the other discounts
 * leave.
 */
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

/** Returns the part of the fee that discounts may take: the fee minus the minimum margin before rewards, minus the provision. */
function spareOf(fee: Money, give: Money, { percent, min, afterRewards, provision }: MinMargin): Money {
  const retained = larger(scaleBy(give, percent, 'up'), min);
  const beforeRewards = scaleBy(retained, { numerator: afterRewards.denominator, denominator: afterRewards.numerator }, 'up');
  const setAside = provision ? scaleBy(give, provision, 'up') : zero(give.unit);
  const minimum = add(beforeRewards, setAside);
  return compare(fee, minimum) > 0 ? subtract(fee, minimum) : zero(fee.unit);
}
