import {
  type CostLine,
  type Money,
  type PriceTerms,
  assetOf,
  compare,
  convert,
  fraction,
  larger,
  money,
  parse,
  roundTo,
  scaleBy,
  smaller,
  zero,
} from '@kurs/money';
import type { Direction } from '../directions/direction.ts';
import type { PriceRules } from '../known/known.ts';
import { smaller as smallerShare } from '../directions/share.ts';

/** The smallest and the largest amount of a direction, in the unit given. `minBy` and `maxBy`: the reason for each. */
export interface Bounds {
  readonly min: Money;
  readonly max: Money;
  readonly minBy: 'direction' | 'costs';
  readonly maxBy: 'direction' | 'limit' | 'reserve';
}

export interface BoundsInput {
  readonly direction: Direction;
  readonly terms: PriceTerms;
  /** The smallest payment that the rail of the currency given can carry, and the smallest payout that the other rail can carry. */
  readonly dust: { readonly give: Money; readonly get: Money };
  readonly smallestRefund: Money;
  /** Maximum amount of one order at the customer's level, in the unit given. */
  readonly levelLimit: Money;
  /** Part of the reserve that one order may take, in the unit received. */
  readonly reserve: Money;
}

/**
 * Returns the smallest and the largest amount of a direction.
 * - The smallest amount is the largest of: the operator's minimum; the rails' minima; a multiple of the smallest refund; the
 *   amount whose fee is the minimum fee; the amount in which fixed costs reach their maximum share.
 * - The largest amount is the smallest of: the operator's maximum, the level's limit, and the part of the reserve that one order
 *   may take.
 * To avoid changes with each tick of the market, the smallest amount is rounded up to two significant digits, and the largest
 * amount down to three. An operator's own limits keep their digits. If the smallest amount exceeds the largest, the direction is
 * closed.
 */
export function boundsOf(
  { direction, terms, dust, smallestRefund, levelLimit, reserve }: BoundsInput,
  { fixedCosts, smallestRefunds }: Pick<PriceRules, 'fixedCosts' | 'smallestRefunds'>,
): Bounds {
  const { giveUnit: unit, giveDigits: digits } = terms;
  const own = direction.min === null ? zero(unit) : parse(unit, direction.min);
  const fixed = terms.costs.reduce((sum, line) => money(unit, sum.parts + fixedOf(line, unit).parts), zero(unit));
  const byCosts = scaleBy(fixed, inverse(fixedCosts), 'up');
  const smallestStep = terms.spread.map((step) => step.percent).reduce(smallerShare);
  const floors = [
    own,
    dust.give,
    roundTo(inGive(dust.get, terms, 'up'), digits, 'up'),
    scaleBy(smallestRefund, fraction(smallestRefunds, 1n), 'up'),
    scaleBy(terms.minFee, inverse(smallestStep), 'up'),
    byCosts,
  ];
  const max = [
    ...(direction.max === null ? [] : [{ by: 'direction' as const, amount: parse(unit, direction.max) }]),
    { by: 'limit' as const, amount: levelLimit },
    { by: 'reserve' as const, amount: inGive(reserve, terms, 'down') },
  ].reduce((a, b) => (compare(b.amount, a.amount) < 0 ? b : a));
  const floor = floors.reduce(larger);
  const min = significant(roundTo(floor, digits, 'up'), 2, 'up');
  return {
    // The operator's own minimum is not rounded to significant digits.
    min: compare(own, floor) === 0 ? roundTo(own, digits, 'up') : min,
    max:
      max.by === 'direction' ? roundTo(max.amount, digits, 'down') : significant(roundTo(max.amount, digits, 'down'), 3, 'down'),
    minBy: compare(byCosts, floor) === 0 ? 'costs' : 'direction',
    maxBy: max.by,
  };
}

/** Returns the part of a cost line that is charged on any amount, however small. */
function fixedOf({ fixed, min, cap }: CostLine, unit: string): Money {
  const minimum = larger(fixed ?? zero(unit), min ?? zero(unit));
  return cap ? smaller(minimum, cap) : minimum;
}

const inverse = (share: { numerator: bigint; denominator: bigint }) => fraction(share.denominator, share.numerator);

/** Converts an amount received to the unit given, by the rate without fee and costs. */
function inGive(got: Money, terms: PriceTerms, rounding: 'down' | 'up'): Money {
  return convert(got, assetOf(terms.getUnit), terms.rate, terms.giveUnit, rounding);
}

/** Rounds an amount to a number of significant digits. */
export function significant(amount: Money, digits: number, rounding: 'down' | 'up'): Money {
  const length = amount.parts.toString().length;
  if (length <= digits) return amount;
  const step = 10n ** BigInt(length - digits);
  const down = (amount.parts / step) * step;
  return money(amount.unit, rounding === 'up' && down !== amount.parts ? down + step : down);
}

/** The smallest refund, and the cost of sending it, in the unit given. */
export interface RefundTerms {
  readonly cost: Money;
  readonly smallest: Money;
}

/** Returns the refund terms of a currency. The smallest refund is a multiple of its sending cost, and at least the rail's dust limit. */
export function refundTermsFrom(cost: Money, dust: Money, { refundCosts }: Pick<PriceRules, 'refundCosts'>): RefundTerms {
  return { cost, smallest: larger(scaleBy(cost, fraction(refundCosts, 1n), 'up'), dust) };
}

/** Returns the part of a reserve that one order of a visitor may take. */
export function visitorShare(reserve: Money, { visitorPercent }: Pick<PriceRules, 'visitorPercent'>): Money {
  return smaller(reserve, scaleBy(reserve, fraction(visitorPercent, 100n), 'down'));
}
