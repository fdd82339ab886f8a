// Recognises changes of prices after which customers get much less. Two people must decide such a change.

import {
  type Money,
  assetOf,
  compare,
  convert,
  decimal,
  fraction,
  lineAmount,
  money,
  parse,
  percent,
  scaleBy,
} from '@kurs/money';
import { currencyOf } from '../../payments/index.ts';
import { type Snapshot, mid } from '../../rates/index.ts';
import type { Direction } from '../directions/direction.ts';
import { type RailCost, ownLineOf } from '../known/rail-costs.ts';
import { breakdownOrNone } from '../price/breakdown-or-none.ts';
import type { Priced, Unpriced } from '../price/make-price.ts';
import { settings } from '../settings.ts';

type Price = Priced | Unpriced | undefined;

const MAX_USD = '20000';

/** Returns true if `after` is less than `before` by at least the share that requires two people. */
export function isMuchLess(before: bigint, after: bigint): boolean {
  const { numerator, denominator } = percent(settings.get('pricing.cut_percent'));
  return before > after && (before - after) * denominator >= before * numerator;
}

/**
 * Returns true if a customer would get much less for some amount after a change. If there is no price before or after the change,
 * only the directions' fees are compared. `old` and `fresh`: the direction before and after.
 */
export function cutsCustomers(before: Price, after: Price, { old, fresh }: { old: Direction; fresh: Direction }): boolean {
  if (!before || !after || !('terms' in before) || !('terms' in after)) return cutsByFee(old, fresh);
  return amountsOf(before, after).some((give) => {
    const [was, will] = [breakdownOrNone(give, before.terms), breakdownOrNone(give, after.terms)];
    return was !== undefined && isMuchLess(was.get.parts, will?.get.parts ?? 0n);
  });
}

function cutsByFee(old: Direction, fresh: Direction): boolean {
  const froms = [...old.spread, ...fresh.spread].map(({ from }) => from);
  return froms.some((from) => isMuchLess(...([old, fresh].map((one) => leftOf(one, from)) as [bigint, bigint])));
}

/** Returns the share of an amount that remains after a direction's fee, in millionths. */
function leftOf({ spread }: Direction, amount: string): bigint {
  const isReached = ({ from }: Direction['spread'][number]): boolean => {
    const [a, b] = [decimal(from), decimal(amount)];
    return a.numerator * b.denominator <= b.numerator * a.denominator;
  };
  const { numerator, denominator } = percent(spread.findLast(isReached)?.percent ?? '0');
  return 1_000_000n - (1_000_000n * numerator) / denominator;
}

/**
 * Returns the amounts for comparing two prices: the beginning of each fee step, and the amount one part below it; many amounts
 * between the smallest and the largest; the amounts at which a cost reaches its `min`, `cap` or `fixed`.
 */
function amountsOf(before: Priced, after: Priced): Money[] {
  const { giveUnit: unit } = after.terms;
  const max = [before.bounds.max, after.bounds.max, convert(parse('USD', MAX_USD), 'USD', after.giveUsd, unit, 'up')];
  const to = max.reduce((a, b) => (compare(a, b) > 0 ? a : b)).parts;
  const minimum = before.bounds.min.parts > 0n ? before.bounds.min.parts : 1n;
  const parts = new Set<bigint>([minimum, to]);
  for (let one = minimum; one < to; one = (one * 5n) / 4n + 1n) parts.add(one);
  for (const { from } of [...before.terms.spread, ...after.terms.spread]) parts.add(from.parts).add(from.parts - 1n);
  // Amounts at which a cost in percent reaches these bounds.
  for (const { percent: share, min, cap, fixed } of [...before.terms.costs, ...after.terms.costs])
    for (const bound of [min, cap, fixed])
      if (bound && share && share.numerator > 0n)
        parts.add(scaleBy(bound, fraction(share.denominator, share.numerator), 'up').parts);
  return [...parts].filter((one) => one >= minimum && one <= to).map((one) => money(unit, one));
}

const USUAL_USD = ['50', '1000', MAX_USD];

type Line = Omit<RailCost, 'version'>;

/**
 * Returns true if a rail's changed cost would leave much less of some usual amount, for example of a withdrawal. If the market
 * has no price of the currency, returns true if any number of the cost line rises.
 */
export function cutsByCost(before: Line | undefined, after: Line, snapshot: Snapshot | undefined): boolean {
  const unit = currencyOf(after.currency)?.unit ?? after.currency;
  const asset = assetOf(unit);
  if (!snapshot?.body.assets[asset])
    return (['percent', 'fixed', 'min', 'cap'] as const).some((one) => isLarger(before?.[one], after[one]));
  const usd = mid(snapshot, asset, 'USD');
  return USUAL_USD.some((sum) => {
    const whole = convert(parse('USD', sum), 'USD', usd, unit, 'up');
    const left = (line: Line | undefined): bigint =>
      whole.parts - (line ? lineAmount(ownLineOf({ ...line, version: 0 }, unit), whole, 'up').parts : 0n);
    return isMuchLess(left(before), left(after));
  });
}

function isLarger(before: string | null | undefined, after: string | null): boolean {
  const [a, b] = [decimal(before ?? '0'), decimal(after ?? '0')];
  return b.numerator * a.denominator > a.numerator * b.denominator;
}
