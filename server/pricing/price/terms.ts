import {
  type Fraction,
  type Money,
  PROVISION,
  type PriceTerms,
  REWARD_UNIT,
  assetOf,
  fraction,
  parse,
  percent,
} from '@kurs/money';
import { type Snapshot, deviationOf, marketRate, mid } from '../../rates/index.ts';
import { COMPONENTS, type ComponentSource, type Deal } from './components.ts';
import type { PriceRules } from '../known/known.ts';
import { compareFractions, less } from '../directions/share.ts';
import { usdToUnit } from './units.ts';

/**
 * Returns the terms of a direction at a snapshot: the market's rate, the fee steps, and the lines of all components in the unit
 * given, rounded up. Each fee step is at least the deviation of the market's moves in 15 minutes.
 */
export function termsOf(
  given: Omit<Deal, 'rate'>,
  { minFee, minMargin }: Pick<PriceRules, 'minFee' | 'minMargin'>,
  components: readonly ComponentSource[] = COMPONENTS,
): PriceTerms {
  const { direction, give, get, snapshot } = given;
  const [from, to] = [assetOf(give.unit), assetOf(get.unit)];
  const inGive = (usd: Money<'USD'>): Money => usdToUnit(usd, snapshot, give);
  const rate = marketRate(snapshot, from, to);
  const min = deviationOf(snapshot, from, to);
  const deal: Deal = { ...given, rate };
  return {
    giveUnit: give.unit,
    getUnit: get.unit,
    giveDigits: give.payDigits,
    getDigits: get.payDigits,
    rate,
    mid: mid(snapshot, from, to),
    ...rewardMid(snapshot, from, to),
    spread: direction.spread.map((step) => ({
      from: parse(give.unit, step.from),
      percent: atLeast(percent(step.percent), min),
    })),
    minFee: inGive(minFee),
    costs: components.flatMap((one) => (one.kind === 'cost' ? one.lines(deal) : [])),
    discounts: components.flatMap((one) => (one.kind === 'discount' ? one.lines(deal) : [])),
    minMargin: {
      percent: minMargin.percent,
      min: inGive(minMargin.min),
      afterRewards: less(WHOLE, given.context.rewards ?? NOTHING),
      ...(give.isReversible && { provision: PROVISION }),
    },
  };
}

/**
 * Returns the mid-market rate from the unit given to the unit of rewards. Empty if a side of the exchange has the asset of
 * rewards, or the market has no rate for that asset.
 */
function rewardMid(snapshot: Snapshot, from: string, to: string): Pick<PriceTerms, 'rewardMid'> {
  const asset = assetOf(REWARD_UNIT);
  return [from, to].includes(asset) || !snapshot.body.assets[asset] ? {} : { rewardMid: mid(snapshot, from, asset) };
}

const [WHOLE, NOTHING] = [fraction(1n, 1n), fraction(0n, 1n)];

const atLeast = (share: Fraction, min: Fraction): Fraction => (compareFractions(share, min) >= 0 ? share : min);
