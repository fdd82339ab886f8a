import {
  type Money,
  type PriceTerms,
  type PriceBreakdown,
  compare,
  convert,
  larger,
  money,
  parse,
  percent,
  roundTo,
  scaleBy,
  totalOf,
} from '@kurs/money';
import { now } from '../../rates/index.ts';
import { type DirectionInput, gainingCycle, readDirection, tableWith } from '../directions/change-direction.ts';
import type { Direction } from '../directions/direction.ts';
import type { Known } from '../known/known.ts';
import { type DirectionClosed, type Priced, closedAt, makePrice } from '../price/make-price.ts';
import { type RailCost, type RailCostInput, readCostInput } from '../known/rail-costs.ts';
import { settings } from '../settings.ts';
import { breakdownOrNone } from '../price/breakdown-or-none.ts';
import { knownNow } from '../price/price-now.ts';

/** What an operator wants to change of prices; either, or both at once. */
export interface PriceChange {
  readonly direction?: DirectionInput | undefined;
  readonly cost?: RailCostInput | undefined;
}

/** What one amount becomes before and after a change; undefined where it can't be exchanged. */
export interface QuoteChange {
  readonly give: Money;
  readonly before: PriceBreakdown | undefined;
  readonly after: PriceBreakdown | undefined;
  /** What the desk keeps of the new fee after the greatest discounts, and whether that is what it must. */
  readonly keeps: Money | undefined;
  readonly holdsFloor: boolean;
}

/** A direction that a change touches, with its prices on both sides of it; undefined where it has none. */
export interface DirectionChange {
  readonly direction: Direction;
  readonly before: Priced | undefined;
  readonly after: Priced | undefined;
  readonly closedBefore: DirectionClosed | undefined;
  readonly closedAfter: DirectionClosed | undefined;
  readonly quotes: readonly QuoteChange[];
}

export interface Preview {
  readonly directions: readonly DirectionChange[];
  /** A cycle by which a customer would gain: then the change can't go live. */
  readonly cycle: readonly string[] | undefined;
  /** Somebody gets more than so much more (`pricing.blast_percent`): two people decide. */
  readonly isLarge: boolean;
}

/** A discount that asks for all of the fee gets what may be let off at the most. */
const WHOLE_FEE = { code: 'discount', percent: percent('100') };

const SAMPLES_USD = ['50', '1000', '20000'];

/**
 * What a change of prices would do now, to the quotes of every direction that it touches; changes nothing. Throws
 * `validation` as saving it would, but for a cycle that gains, which it names.
 */
export function previewChange(change: PriceChange): Preview {
  const known = knownNow();
  const { directions, railCosts } = known.view;
  const direction = change.direction && readDirection(change.direction);
  const cost = change.cost && { ...readCostInput(change.cost), version: 0 };
  const table = tableWith(directions, direction ? [direction] : []);
  const lines = cost ? [...railCosts.filter((one) => !isSame(one, cost)), cost] : railCosts;
  const wouldBe = { ...known, view: { ...known.view, railCosts: lines } };
  const touched = table.filter((one) => one === direction || (cost && one.isOn && touches(one, cost)));
  const changes = touched.map((after) =>
    changeOf({ known, direction: directions.find(({ slug }) => slug === after.slug) }, { known: wouldBe, direction: after }),
  );
  return { directions: changes, cycle: gainingCycle(table), isLarge: changes.some(({ quotes }) => quotes.some(isMuchMore)) };
}

const isSame = (one: RailCost, other: RailCost): boolean => one.currency === other.currency && one.side === other.side;
const touches = ({ from, to }: Direction, { currency, side }: RailCost): boolean => (side === 'payin' ? from : to) === currency;

interface Side<Of> {
  readonly known: Known;
  readonly direction: Of;
}

function changeOf(old: Side<Direction | undefined>, fresh: Side<Direction>): DirectionChange {
  const was = old.direction && makePrice(old.known, old.direction);
  const will = makePrice(fresh.known, fresh.direction);
  const [before, after] = [was && 'terms' in was ? was : undefined, 'terms' in will ? will : undefined];
  const at = now().getTime();
  return {
    direction: fresh.direction,
    before,
    after,
    closedBefore: was && closedAt(was, at),
    closedAfter: closedAt(will, at),
    quotes: after ? samplesOf(after).map((give) => quoteChange(give, before?.terms, after.terms)) : [],
  };
}

/** A few amounts to compare by: the least, some round sums of USD, in the digits of a payment, each once. */
function samplesOf({ terms, bounds, giveUsd }: Priced): Money[] {
  const round = SAMPLES_USD.map((usd) =>
    roundTo(convert(parse('USD', usd), 'USD', giveUsd, terms.giveUnit, 'up'), terms.giveDigits, 'up'),
  );
  return [bounds.min, ...round.filter((sum) => compare(sum, bounds.min) > 0)];
}

function quoteChange(give: Money, before: PriceTerms | undefined, after: PriceTerms): QuoteChange {
  const [old, fresh] = [before && breakdownOrNone(give, before), breakdownOrNone(give, after)];
  const floor = larger(scaleBy(give, after.keep.percent, 'up'), after.keep.min);
  const least = breakdownOrNone(give, { ...after, cuts: [WHOLE_FEE] });
  const keeps = fresh && least && money(give.unit, totalOf(least.components, 'fee') - totalOf(least.components, 'discount'));
  return { give, before: old, after: fresh, keeps, holdsFloor: keeps !== undefined && compare(keeps, floor) >= 0 };
}

/** Whether an amount brings a customer more than the allowed share more than before. */
function isMuchMore({ before, after }: QuoteChange): boolean {
  if (!before || !after) return false;
  const most = percent(settings.get('pricing.blast_percent'));
  return (after.get.parts - before.get.parts) * most.denominator > before.get.parts * most.numerator;
}
