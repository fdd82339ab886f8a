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

/** The smallest and the largest amount of a direction, in the unit given, and what bounds each. */
export interface Bounds {
  readonly min: Money;
  readonly max: Money;
  readonly minBy: 'direction' | 'costs';
  readonly maxBy: 'direction' | 'limit' | 'reserve';
}

export interface BoundsInput {
  readonly direction: Direction;
  readonly terms: PriceTerms;
  /** The smallest payment that the rail given takes, and the smallest payout of the rail got. */
  readonly dust: { readonly give: Money; readonly get: Money };
  readonly smallestRefund: Money;
  /** What one order of this customer's level may be worth, in the unit given. */
  readonly levelLimit: Money;
  /** What one order may take of the reserve, in the unit got. */
  readonly reserve: Money;
}

/**
 * The smallest and the largest amount. Min: the operator's own, the rails' minima, five smallest refunds, a list price of 0.20
 * USD, fixed costs of at most 5 %. Max: the operator's own, the level's limit, the share of the reserve. Min is rounded
 * up to two significant digits, max down to three, so that neither changes with each tick of the market. Where min is
 * above max the direction is closed; the reason is what bounds it.
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
    scaleBy(terms.leastFee, inverse(smallestStep), 'up'),
    byCosts,
  ];
  const most = [
    ...(direction.max === null ? [] : [{ by: 'direction' as const, amount: parse(unit, direction.max) }]),
    { by: 'limit' as const, amount: levelLimit },
    { by: 'reserve' as const, amount: inGive(reserve, terms, 'down') },
  ].reduce((a, b) => (compare(b.amount, a.amount) < 0 ? b : a));
  const floor = floors.reduce(larger);
  const min = significant(roundTo(floor, digits, 'up'), 2, 'up');
  return {
    // What the operator wrote is not rounded.
    min: compare(own, floor) === 0 ? roundTo(own, digits, 'up') : min,
    max:
      most.by === 'direction'
        ? roundTo(most.amount, digits, 'down')
        : significant(roundTo(most.amount, digits, 'down'), 3, 'down'),
    minBy: compare(byCosts, floor) === 0 ? 'costs' : 'direction',
    maxBy: most.by,
  };
}

/** What a cost line takes of any amount, however small. */
function fixedOf({ fixed, min, cap }: CostLine, unit: string): Money {
  const least = larger(fixed ?? zero(unit), min ?? zero(unit));
  return cap ? smaller(least, cap) : least;
}

const inverse = (share: { numerator: bigint; denominator: bigint }) => fraction(share.denominator, share.numerator);

/** An amount got as an amount given, by the rate alone. */
function inGive(got: Money, terms: PriceTerms, rounding: 'down' | 'up'): Money {
  return convert(got, assetOf(terms.getUnit), terms.rate, terms.giveUnit, rounding);
}

/** Keeps so many significant digits of an amount. */
export function significant(amount: Money, digits: number, rounding: 'down' | 'up'): Money {
  const length = amount.parts.toString().length;
  if (length <= digits) return amount;
  const step = 10n ** BigInt(length - digits);
  const down = (amount.parts / step) * step;
  return money(amount.unit, rounding === 'up' && down !== amount.parts ? down + step : down);
}

/** The smallest sum that is refunded, and what sending it costs, in the unit given. */
export interface RefundTerms {
  readonly cost: Money;
  readonly smallest: Money;
}

/** Refund terms from what sending costs and the rail's dust: a refund is a multiple of its cost, and no dust. */
export function refundTermsFrom(cost: Money, dust: Money, { refundCosts }: Pick<PriceRules, 'refundCosts'>): RefundTerms {
  return { cost, smallest: larger(scaleBy(cost, fraction(refundCosts, 1n), 'up'), dust) };
}

/** The share of a reserve that one order of a visitor may take. */
export function visitorShare(reserve: Money, { visitorPercent }: Pick<PriceRules, 'visitorPercent'>): Money {
  return smaller(reserve, scaleBy(reserve, fraction(visitorPercent, 100n), 'down'));
}
