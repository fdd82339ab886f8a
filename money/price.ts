import { type Component, componentOf } from './component.ts';
import { type MinMargin, REWARD_UNIT, discountsGiven } from './discounts.ts';
import { type Fraction, fraction, percentText, pow10 } from './fraction.ts';
import { type Money, compare, larger, money, roundTo, scaleBy } from './money.ts';
import { type CostLine, type DiscountLine, bounded, lineAmount } from './price-line.ts';
import { type Rate, convert, giveFor, rate } from './rate.ts';
import { assetOf, scaleOf } from './units.ts';

/** All terms that decide the price of an amount in a direction. A quote contains the terms that it was made from. */
export interface PriceTerms {
  readonly giveUnit: string;
  readonly getUnit: string;
  /** Pay precision of the currency given, in decimals (USDT 2, BTC 8). Every component is rounded to it. */
  readonly giveDigits: number;
  /** Pay precision of the currency received, in decimals. */
  readonly getDigits: number;
  /** The rate of the exchange, already rounded to the digits that are shown. */
  readonly rate: Rate;
  /** The market's middle rate at the same moment. It is no price; it only converts sums to other units. */
  readonly mid?: Rate;
  /**
   * The middle rate from the unit given to the unit of rewards, for discounts. Absent if the unit given or the unit received
   * has the same asset as the unit of rewards, or if the market has no rate.
   */
  readonly rewardMid?: Rate;
  /** The desk's fee in percent, by amount: the last step whose `from` doesn't exceed the amount applies. */
  readonly spread: readonly { readonly from: Money; readonly percent: Fraction }[];
  readonly minFee: Money;
  readonly costs: readonly CostLine[];
  /** Requested discounts, in the order in which they are trimmed if their sum exceeds the maximum. */
  readonly discounts: readonly DiscountLine[];
  /** Terms for the part of the fee that discounts must leave to the desk. */
  readonly minMargin: MinMargin;
}

/**
 * The price of one amount: give − fee − costs + discounts = exchanged; exchanged × rate, rounded down = get. The components are
 * in this sequence: fee, discounts, costs on the amount given, costs on the amount paid out.
 */
export interface PriceBreakdown {
  readonly give: Money;
  readonly components: readonly Component[];
  readonly exchanged: Money;
  readonly rate: Rate;
  readonly get: Money;
}

/**
 * Returns the middle rate from the unit given to the unit of rewards; undefined if the market had no rate. If both units have
 * the same asset, the rate is 1.
 */
export function rewardRate({ giveUnit, rewardMid, mid }: PriceTerms): Rate | undefined {
  const asset = assetOf(REWARD_UNIT);
  if (assetOf(giveUnit) === asset) return rate(asset, asset, fraction(1n, 1n));
  return rewardMid ?? (mid && (mid.base === asset || mid.quote === asset) ? mid : undefined);
}

/** Error for an amount that has no price, because the fee and the costs exceed it. */
export class PriceError extends Error {
  readonly code = 'too_small';

  constructor() {
    super('The fee and the costs are more than the amount');
    this.name = 'PriceError';
  }
}

/**
 * Returns the price of an amount given. The amount may have more decimals than the pay precision, as a payment that arrived can.
 * Fee and costs are rounded up; discounts and the amount received are rounded down. Throws PriceError `too_small`.
 */
export function breakdownForGive(give: Money, terms: PriceTerms): PriceBreakdown {
  const { components, left } = componentsFor(give, terms);
  if (left <= 0n) throw new PriceError();
  const exchanged = money(give.unit, left);
  const get = roundTo(convert(exchanged, assetOf(terms.giveUnit), terms.rate, terms.getUnit, 'down'), terms.getDigits, 'down');
  return { give, components, exchanged, rate: terms.rate, get };
}

/**
 * Maximum number of steps of the search in `breakdownForGet`. Reasonable terms need fewer. Terms whose lines take each additional
 * amount completely would otherwise loop forever.
 */
const MAX_STEPS = 10_000;

/**
 * Returns the price of the smallest amount given, in its pay precision, for which the customer gets at least `request`. Throws
 * PriceError if there is no such amount.
 *
 * The search raises the amount given until the exchanged amount reaches `target`, and skips no amount that would be enough. If
 * the exchanged amount falls short by `lacking`, the amount given must rise by at least `lacking`, because fee and costs never
 * shrink as the amount grows. There are two exceptions. Discounts are rounded separately, so each may grow by one more pay unit
 * (`slack`). And the fee may fall where a spread step begins, so the search also stops at each step.
 */
export function breakdownForGet(request: Money, terms: PriceTerms): PriceBreakdown {
  const { giveUnit, giveDigits, getDigits } = terms;
  const step = pow10(scaleOf(giveUnit) - Math.min(giveDigits, scaleOf(giveUnit)));
  const inSteps = (parts: bigint): bigint => ((parts + step - 1n) / step) * step;
  const min = giveFor(roundTo(request, getDigits, 'up'), assetOf(giveUnit), terms.rate, giveUnit).parts;
  const target = min === 0n ? step : inSteps(min);
  const slack = step * BigInt(terms.discounts.length);
  let give = target;
  for (let climbed = 0; climbed < MAX_STEPS; climbed += 1) {
    const lacking = target - componentsFor(money(giveUnit, give), terms).left;
    if (lacking <= 0n) return breakdownForGive(money(giveUnit, give), terms);
    const next = give + (lacking - slack > step ? lacking - slack : step);
    const stop = terms.spread.map(({ from }) => inSteps(from.parts)).find((from) => from > give && from < next);
    give = stop ?? next;
  }
  throw new PriceError();
}

/** Returns the components of an amount's price, and `left`, the amount that remains to be exchanged. `left` may be negative. */
function componentsFor(give: Money, terms: PriceTerms): { components: Component[]; left: bigint } {
  const digits = terms.giveDigits;
  const percent = spreadFor(give, terms);
  const min = roundTo(terms.minFee, digits, 'up');
  const fee = larger(roundTo(scaleBy(give, percent, 'up'), digits, 'up'), min);
  // A minimum fee shows no percentage, since no percentage of the terms gave the fee.
  const isMinimum = fee.parts === min.parts;
  const ofFee = componentOf('fee', { code: 'fee', ...(isMinimum && { words: 'fee_least' }) }, fee.parts);
  const discounts = discountsGiven(terms.discounts, { fee, give, minMargin: terms.minMargin, digits });
  let left = discounts.reduce<bigint>((sum, { amount }) => sum + amount, give.parts) - fee.parts;
  const take = (line: CostLine, amount: Money): Component => {
    const { parts } = roundTo(amount, digits, 'up');
    left -= parts;
    return componentOf('cost', line, parts);
  };
  const ofGiven = terms.costs.filter((line) => line.of === undefined).map((line) => take(line, lineAmount(line, give, 'up')));
  const ofGot = terms.costs.filter((line) => line.of === 'got').map((line) => take(line, lineOfGot(line, give.unit, left)));
  return {
    components: [isMinimum ? ofFee : { ...ofFee, percent: percentText(percent) }, ...discounts, ...ofGiven, ...ofGot],
    left,
  };
}

/**
 * Returns the amount of a cost whose percentage p is taken of the amount x that remains after the cost. From `left` = x + p·x +
 * fixed follows: left − x = (p·left + fixed) ÷ (1 + p). The result is rounded up, so it is never less than p·x + fixed. If the
 * result is beyond `min` or `cap`, p·x + fixed is beyond it, too. The remainder never shrinks as `left` grows, and never grows
 * faster than `left`.
 */
function lineOfGot(line: CostLine, unit: string, left: bigint): Money {
  const { numerator: n, denominator: d } = line.percent ?? { numerator: 0n, denominator: 1n };
  const taken = (left > 0n ? left * n : 0n) + (line.fixed?.parts ?? 0n) * d;
  return bounded(line, money(unit, (taken + n + d - 1n) / (n + d)));
}

function spreadFor(give: Money, terms: PriceTerms): Fraction {
  let percent: Fraction | undefined;
  for (const step of terms.spread) if (percent === undefined || compare(give, step.from) >= 0) percent = step.percent;
  if (!percent) throw new RangeError('A direction has at least one spread step');
  return percent;
}
