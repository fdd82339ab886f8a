import {
  type CostLine,
  type Fraction,
  type Money,
  type PriceTerms,
  type Rate,
  assetOf,
  convert,
  decimal,
  formatRate,
  fraction,
  money,
  parse,
  percent,
  rate,
  roundTo,
} from '@kurs/money';
import { type Snapshot, deviationOf, marketRate, mid } from '../rates/index.ts';
import type { Direction } from './direction.ts';
import { type RailCost, costLineOf } from './rail-costs.ts';
import type { PriceRules } from './known.ts';
import { compareFractions } from './share.ts';
import type { NetworkCost } from './store.ts';

/** One side of a direction: its unit, and the digits that payments are made with. */
export interface Side {
  readonly unit: string;
  readonly digits: number;
}

/** What the networks take of an exchange: for the payout, and for collecting the payment where that is needed. */
export interface NetworkCosts {
  /** None at a provider, whose costs are lines of their own. */
  readonly payout: NetworkCost | undefined;
  readonly sweep: NetworkCost | undefined;
}

/** What the two rails take of an exchange, besides networks. */
export interface RailCosts {
  readonly payin: RailCost | undefined;
  readonly payout: RailCost | undefined;
}

/**
 * The terms of a direction at a snapshot: the market's rate; list steps, none below the deviation
 * of 15-minute moves; the cost lines of the direction, of both rails and of the networks, in the unit given, rounded up.
 */
export function termsOf(
  direction: Direction,
  give: Side,
  get: Side,
  costs: NetworkCosts & { readonly rails: RailCosts },
  snapshot: Snapshot,
  { leastFee, leastMargin }: Pick<PriceRules, 'leastFee' | 'leastMargin'>,
): PriceTerms {
  const [from, to] = [assetOf(give.unit), assetOf(get.unit)];
  const inGive = (usd: Money<'USD'>): Money => usdToUnit(usd, snapshot, give);
  const deal = marketRate(snapshot, from, to);
  const { payin, payout } = costs.rails;
  const least = deviationOf(snapshot, from, to);
  const network = (code: string, cost: NetworkCost): CostLine => ({ code, fixed: costInUnit(cost, snapshot, give) });
  return {
    giveUnit: give.unit,
    getUnit: get.unit,
    giveDigits: give.digits,
    getDigits: get.digits,
    rate: deal,
    mid: mid(snapshot, from, to),
    spread: direction.spread.map((step) => ({
      from: parse(give.unit, step.from),
      percent: atLeast(percent(step.percent), least),
    })),
    minList: inGive(leastFee),
    costs: [
      ...direction.costs.map((line) => costLine(line, give.unit)),
      ...(payin ? [costLineOf(payin, give.unit, { getUnit: get.unit, rate: deal })] : []),
      ...(costs.payout ? [network('network', costs.payout)] : []),
      ...(costs.sweep ? [network('sweep', costs.sweep)] : []),
      ...(payout ? [costLineOf(payout, give.unit, { getUnit: get.unit, rate: deal })] : []),
    ],
    cuts: [],
    // No rewards are paid yet: all that is kept stays the desk's.
    keep: {
      percent: leastMargin.percent,
      min: inGive(leastMargin.min),
      afterRewards: fraction(1n, 1n),
    },
  };
}

const atLeast = (share: Fraction, least: Fraction): Fraction => (compareFractions(share, least) >= 0 ? share : least);

function costLine(line: Direction['costs'][number], unit: string): CostLine {
  return {
    code: line.code,
    ...(line.percent !== undefined && { percent: percent(line.percent) }),
    ...(line.fixed !== undefined && { fixed: parse(unit, line.fixed) }),
    ...(line.min !== undefined && { min: parse(unit, line.min) }),
    ...(line.cap !== undefined && { cap: parse(unit, line.cap) }),
  };
}

/** A sum of USD in a unit by the asset's bid, rounded up to the digits that payments are made with. */
export function usdToUnit(usd: Money<'USD'>, snapshot: Snapshot, { unit, digits }: Side): Money {
  return roundTo(convert(usd, 'USD', usdRate(snapshot, assetOf(unit)), unit, 'up'), digits, 'up');
}

/** One whole asset in USD as the desk counts it when it takes it in. */
function usdRate(snapshot: Snapshot, asset: string): Rate {
  const price = snapshot.body.assets[asset];
  if (!price) throw new RangeError(`Snapshot ${snapshot.version} has no price of ${asset}`);
  return rate(asset, 'USD', decimal(price.bid));
}

/** A network's cost in the unit given, by the middles, rounded up to the digits that payments are made with. */
export function costInUnit(cost: NetworkCost, snapshot: Snapshot, { unit, digits }: Side): Money {
  const [fuel, asset] = [assetOf(cost.fuel), assetOf(unit)];
  const whole = convert(money(cost.fuel, cost.parts), fuel, mid(snapshot, fuel, asset), unit, 'up');
  return roundTo(whole, digits, 'up');
}

/** Every quote names the same few shares. */
const percents = new WeakMap<Fraction, string>();

/** A share as percent in plain decimals (3/200 → `"1.5"`). Takes shares that end. */
export function percentText(share: Fraction): string {
  const known = percents.get(share);
  if (known !== undefined) return known;
  const percent = fraction(share.numerator * 100n, share.denominator);
  const text = share.numerator === 0n ? '0' : formatRate(rate('percent', 'whole', percent));
  percents.set(share, text);
  return text;
}
