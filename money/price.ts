import { type Component, componentOf } from './component.ts';
import { type MinMargin, REWARD_UNIT, discountsGiven } from './discounts.ts';
import { type Fraction, fraction, percentText, pow10 } from './fraction.ts';
import { type Money, compare, larger, money, roundTo, scaleBy } from './money.ts';
import { type CostLine, type DiscountLine, bounded, lineAmount } from './price-line.ts';
import { type Rate, convert, giveFor, rate } from './rate.ts';
import { assetOf, scaleOf } from './units.ts';

/** Everything that decides what an amount becomes in a direction. A quote keeps the terms it was made from. */
export interface PriceTerms {
  readonly giveUnit: string;
  readonly getUnit: string;
  /** Digits that a payment in each unit is made with (USDT 2, BTC 8); every component is rounded to them. */
  readonly giveDigits: number;
  readonly getDigits: number;
  /** The market's rate, already cut to its shown digits. */
  readonly rate: Rate;
  /** The middle of the market at the same moment: nobody's price, what sums are reckoned over into other units. */
  readonly mid?: Rate;
  /** The same into the unit of rewards, where that isn't of the asset got: what discounts are counted by. */
  readonly rewardMid?: Rate;
  /** The desk's fee by amount: the last step whose `from` is not above the amount holds. */
  readonly spread: readonly { readonly from: Money; readonly percent: Fraction }[];
  readonly leastFee: Money;
  readonly costs: readonly CostLine[];
  /** Discounts as they are asked for, in the order in which they are trimmed when together they are more than allowed. */
  readonly discounts: readonly DiscountLine[];
  /** What the desk keeps of the fee. */
  readonly minMargin: MinMargin;
}

/**
 * The price of one amount: give − fee − costs + discounts = exchanged; exchanged × rate, rounded down = get. The fee stands
 * first, then discounts, costs of the amount given, and costs of what is paid out.
 */
export interface PriceBreakdown {
  readonly give: Money;
  readonly components: readonly Component[];
  readonly exchanged: Money;
  readonly rate: Rate;
  readonly get: Money;
}

/**
 * The middle of the market from the unit given into that of rewards; undefined where no market was known for it. What is of the
 * asset of rewards is worth itself.
 */
export function rewardRate({ giveUnit, rewardMid, mid }: PriceTerms): Rate | undefined {
  const asset = assetOf(REWARD_UNIT);
  if (assetOf(giveUnit) === asset) return rate(asset, asset, fraction(1n, 1n));
  return rewardMid ?? (mid && (mid.base === asset || mid.quote === asset) ? mid : undefined);
}

/** Why an amount has no price: its components would eat all of it. */
export class PriceError extends Error {
  readonly code = 'too_small';

  constructor() {
    super('The fee and the costs are more than the amount');
    this.name = 'PriceError';
  }
}

/**
 * The price of an amount given (in the pay precision of its currency, else it is what arrived: any parts).
 * The fee and the costs round up, discounts and the amount got round down. Throws PriceError `too_small`.
 */
export function breakdownForGive(give: Money, terms: PriceTerms): PriceBreakdown {
  const { components, left } = componentsFor(give, terms);
  if (left <= 0n) throw new PriceError();
  const exchanged = money(give.unit, left);
  const get = roundTo(convert(exchanged, assetOf(terms.giveUnit), terms.rate, terms.getUnit, 'down'), terms.getDigits, 'down');
  return { give, components, exchanged, rate: terms.rate, get };
}

/** No sound terms need more; terms that take all of whatever is given would never end. */
const MOST_STEPS = 10_000;

/**
 * The smallest amount to give, in its pay precision, whose price brings at least `asked`. Throws PriceError where no
 * amount does.
 *
 * It climbs from below and passes over no amount that would do. What is exchanged has to reach a target; while `lacking`
 * is missing, giving less than `lacking` more can't be enough, because lines never shrink as the amount grows: except
 * that discounts, each rounded by itself, may together take a pay unit each more (`slack`), and that the fee may
 * fall where a spread step begins, so a climb stops at each of them.
 */
export function breakdownForGet(asked: Money, terms: PriceTerms): PriceBreakdown {
  const { giveUnit, giveDigits, getDigits } = terms;
  const step = pow10(scaleOf(giveUnit) - Math.min(giveDigits, scaleOf(giveUnit)));
  const inSteps = (parts: bigint): bigint => ((parts + step - 1n) / step) * step;
  const least = giveFor(roundTo(asked, getDigits, 'up'), assetOf(giveUnit), terms.rate, giveUnit).parts;
  const target = least === 0n ? step : inSteps(least);
  const slack = step * BigInt(terms.discounts.length);
  let give = target;
  for (let climbed = 0; climbed < MOST_STEPS; climbed += 1) {
    const lacking = target - componentsFor(money(giveUnit, give), terms).left;
    if (lacking <= 0n) return breakdownForGive(money(giveUnit, give), terms);
    const next = give + (lacking - slack > step ? lacking - slack : step);
    const stop = terms.spread.map(({ from }) => inSteps(from.parts)).find((from) => from > give && from < next);
    give = stop ?? next;
  }
  throw new PriceError();
}

/** The components of an amount, and what they leave of it to be exchanged, which may be less than nothing. */
function componentsFor(give: Money, terms: PriceTerms): { components: Component[]; left: bigint } {
  const digits = terms.giveDigits;
  const percent = spreadFor(give, terms);
  const least = roundTo(terms.leastFee, digits, 'up');
  const fee = larger(roundTo(scaleBy(give, percent, 'up'), digits, 'up'), least);
  // Beside the smallest fee a percentage would be wrong.
  const isLeast = fee.parts === least.parts;
  const ofFee = componentOf('fee', { code: 'fee', ...(isLeast && { words: 'fee_least' }) }, fee.parts);
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
    components: [isLeast ? ofFee : { ...ofFee, percent: percentText(percent) }, ...discounts, ...ofGiven, ...ofGot],
    left,
  };
}

/**
 * A line that is a percentage p of what it leaves itself: of `left` = x + p·x + fixed it takes left − x =
 * (p·left + fixed) ÷ (1 + p), rounded up, so that it is never less than p·x + fixed. Where that is beyond min or cap, so is
 * p·x + fixed. What it leaves never shrinks as `left` grows, and grows by no more.
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
