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
import { type Tx, settingsAt } from '../../platform/index.ts';
import { latest, now } from '../../rates/index.ts';
import { type DirectionInput, gainingCycle, readDirection, tableWith } from '../directions/change-direction.ts';
import type { Direction } from '../directions/direction.ts';
import { lockDirections } from '../directions/store.ts';
import { type PriceInputs, PRICED_BY, knownOf, rulesWith } from '../known/known.ts';
import { pricesBefore } from '../known/prices-before.ts';
import { currentView } from '../known/view.ts';
import { type DirectionClosed, type Priced, closedAt, makePrice } from '../price/make-price.ts';
import { type RailCost, type RailCostInput, railCostOf, readCostInput, readRailCosts } from '../known/rail-costs.ts';
import { settings } from '../settings.ts';
import { breakdownOrNone } from '../price/breakdown-or-none.ts';
import type { PriceContext } from '../price/context.ts';
import { cutsByCost, cutsCustomers } from './cuts.ts';

/** A proposed change of prices: a direction, a cost line, or both at once. */
export interface PriceChange {
  readonly direction?: DirectionInput | undefined;
  readonly cost?: RailCostInput | undefined;
}

/** Price of one amount before and after a change; undefined where the amount can't be exchanged. */
export interface QuoteChange {
  readonly give: Money;
  readonly before: PriceBreakdown | undefined;
  readonly after: PriceBreakdown | undefined;
  /** Price by the directions, costs and settings of a day before, at current market rates. */
  readonly dayAgo: PriceBreakdown | undefined;
  /** Part of the new fee that the desk keeps after the greatest possible discounts; undefined if the amount can't be exchanged. */
  readonly keeps: Money | undefined;
  /** True if `keeps` is at least the minimum margin. */
  readonly isFloorHeld: boolean;
}

/** A direction that a change affects, with its price before and after; undefined where it can't be priced. */
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
  /** Units on a cycle by which a customer would gain after the change: such a change must not be saved. Undefined if there is none. */
  readonly cycle: readonly string[] | undefined;
  /**
   * Reason why two people must decide the change; undefined if one person may. `more`: some customer gets over
   * `pricing.blast_percent` more. `less`: some customer gets at least `pricing.cut_percent` less than now, or than by the prices
   * of a day before.
   */
  readonly large: 'more' | 'less' | undefined;
}

/** A discount of the whole fee. The price grants only the greatest part that is allowed. */
const WHOLE_FEE = { code: 'discount', percent: percent('100') };

const SAMPLES_USD = ['50', '1000', '20000'];

const DAY_MS = 24 * 3_600_000;

/**
 * Returns the effect of a change of prices on the quotes of every affected direction. Writes nothing, but locks the directions
 * until the transaction ends. Throws the same `validation` problems as saving the change. But a cycle by which a customer gains
 * is returned, not thrown.
 */
export async function previewChange(tx: Tx, change: PriceChange): Promise<Preview> {
  const { directions, known, dayAgo } = await knownInTx(tx);
  const direction = change.direction && readDirection(change.direction);
  const cost = change.cost && { ...readCostInput(change.cost), version: 0 };
  const table = tableWith(directions, direction ? [direction] : []);
  const { railCosts } = known.view;
  const wouldBe = withCosts(known, cost ? [...railCosts.filter((one) => !isSame(one, cost)), cost] : railCosts);
  const touched = table.filter((one) => one === direction || (cost && touches(one, cost)));
  const compared = touched.map((after) => {
    const sides = { before: directions.find(({ slug }) => slug === after.slug), after, dayAgo };
    return { change: changeOf(known, wouldBe, sides), isCut: isCut(known, wouldBe, sides) };
  });
  const shown = compared.filter(({ change: { direction: one }, isCut: cut }) => one === direction || one.isOn || cut);
  const changes = shown.map((one) => one.change);
  const costsMore = cost && isCostCut(known, cost, dayAgo);
  const isLess = costsMore || compared.some((one) => one.isCut);
  const isMore = changes.some(({ quotes }) => quotes.some(isMuchMore));
  return { directions: changes, cycle: gainingCycle(table), large: isLess ? 'less' : isMore ? 'more' : undefined };
}

/** A setting with its proposed value. */
export interface PricedSetting {
  readonly key: string;
  readonly value: unknown;
  /** Contexts of customers whose discounts the setting changes: each before and after the change. */
  readonly discounts?: readonly { readonly before: PriceContext; readonly after: PriceContext }[];
}

/**
 * Returns the effect of a changed setting on customers: the directions whose prices change. `large` is `less` if some customers
 * get so much less that two people must decide. Returns undefined for a setting that doesn't affect prices. Locks the directions
 * until the transaction ends.
 */
export async function previewSetting(
  tx: Tx,
  { key, value, discounts = [] }: PricedSetting,
): Promise<Pick<Preview, 'directions' | 'large'> | undefined> {
  const isRule = PRICED_BY.some((one) => one === key);
  if (!isRule && discounts.length === 0) return undefined;
  const { directions, set, known, dayAgo } = await knownInTx(tx);
  const wouldBe = isRule ? { ...known, rules: rulesWith({ ...set, [key]: value }) } : known;
  const contexts = [{ before: {}, after: {} }, ...discounts];
  const compared = directions.flatMap((one) => {
    const sides = { before: one, after: one, dayAgo };
    const cut = contexts.some((context) => isCut(known, wouldBe, sides, context));
    return one.isOn || cut ? [{ change: changeOf(known, wouldBe, sides), cut }] : [];
  });
  const changed = compared.filter(({ cut, change: { quotes } }) => cut || quotes.some(isOther));
  return { directions: changed.map((one) => one.change), large: compared.some(({ cut }) => cut) ? 'less' : undefined };
}

/** Current price inputs, and the inputs with the prices of a day before. Both use current market rates. */
interface KnownInTx {
  readonly directions: readonly Direction[];
  readonly set: Readonly<Record<(typeof PRICED_BY)[number], unknown>>;
  readonly known: PriceInputs;
  readonly dayAgo: DayAgo;
}

interface DayAgo {
  readonly directions: ReadonlyMap<string, Direction>;
  readonly known: PriceInputs;
}

/** Returns the price inputs as of this transaction, and locks the directions until it ends. */
async function knownInTx(tx: Tx): Promise<KnownInTx> {
  const directions = await lockDirections(tx);
  const set = await settingsAt(tx, PRICED_BY, tx.now);
  const view = { ...currentView(), directions, railCosts: await readRailCosts(tx) };
  const known = { ...knownOf(view, latest()), rules: rulesWith(set) };
  const before = await pricesBefore(tx, new Date(tx.now.getTime() - DAY_MS));
  const knownThen = { ...withCosts(known, before.railCosts), rules: before.rules };
  return { directions, set, known, dayAgo: { directions: before.directions, known: knownThen } };
}

const isOther = ({ before, after }: QuoteChange): boolean => before?.get.parts !== after?.get.parts;

const withCosts = (known: PriceInputs, railCosts: readonly RailCost[]): PriceInputs => ({
  ...known,
  view: { ...known.view, railCosts },
});

/** A direction before and after a change, and all prices of a day before. */
interface Sides {
  readonly before: Direction | undefined;
  readonly after: Direction;
  readonly dayAgo: DayAgo;
}

/** Returns true if customers get much less after a change, compared with now or with the prices of a day before. */
function isCut(
  known: PriceInputs,
  wouldBe: PriceInputs,
  { before, after, dayAgo }: Sides,
  context = { before: {}, after: {} },
): boolean {
  if (!before) return false;
  const old = dayAgo.directions.get(before.slug) ?? before;
  const will = makePrice(wouldBe, after, context.after);
  return (
    cutsCustomers(makePrice(known, before, context.before), will, { old: before, fresh: after }) ||
    cutsCustomers(makePrice(dayAgo.known, old, context.before), will, { old, fresh: after })
  );
}

function isCostCut(known: PriceInputs, cost: RailCost, dayAgo: DayAgo): boolean {
  const before = [known, dayAgo.known].map(({ view }) => railCostOf(view.railCosts, cost.currency, cost.side));
  return before.some((line) => cutsByCost(line, cost, known.snapshot));
}

const isSame = (one: RailCost, other: RailCost): boolean => one.currency === other.currency && one.side === other.side;
const touches = ({ from, to }: Direction, { currency, side }: RailCost): boolean => (side === 'payin' ? from : to) === currency;

function changeOf(known: PriceInputs, wouldBe: PriceInputs, { before: old, after: fresh, dayAgo }: Sides): DirectionChange {
  const was = old && makePrice(known, old);
  const will = makePrice(wouldBe, fresh);
  const then = dayAgo.directions.get(fresh.slug);
  const wasThen = then && makePrice(dayAgo.known, then);
  const termsThen = wasThen && 'terms' in wasThen ? wasThen.terms : undefined;
  const [before, after] = [was && 'terms' in was ? was : undefined, 'terms' in will ? will : undefined];
  const at = now().getTime();
  return {
    direction: fresh,
    before,
    after,
    closedBefore: was && closedAt(was, at),
    closedAfter: closedAt(will, at),
    quotes: after
      ? samplesOf(after, before).map((give) =>
          quoteChange(give, { dayAgo: termsThen, before: before?.terms, after: after.terms }),
        )
      : [],
  };
}

/**
 * Returns the amounts that a preview shows, each once: the minima before and after, and some round sums in USD, converted to the
 * unit given.
 */
function samplesOf({ terms, bounds, giveUsd }: Priced, before: Priced | undefined): Money[] {
  const round = SAMPLES_USD.map((usd) =>
    roundTo(convert(parse('USD', usd), 'USD', giveUsd, terms.giveUnit, 'up'), terms.giveDigits, 'up'),
  );
  const min = before && compare(before.bounds.min, bounds.min) < 0 ? before.bounds.min : bounds.min;
  const above = [bounds.min, ...round].filter((sum) => compare(sum, min) > 0);
  return [min, ...above].sort(compare).filter((sum, at, all) => at === 0 || compare(sum, all[at - 1] as Money) > 0);
}

function quoteChange(
  give: Money,
  { dayAgo, before, after }: { dayAgo: PriceTerms | undefined; before: PriceTerms | undefined; after: PriceTerms },
): QuoteChange {
  const [then, old, fresh] = [dayAgo, before, after].map((terms) => terms && breakdownOrNone(give, terms));
  const floor = larger(scaleBy(give, after.minMargin.percent, 'up'), after.minMargin.min);
  const min = breakdownOrNone(give, { ...after, discounts: [WHOLE_FEE] });
  const keeps = fresh && min && money(give.unit, totalOf(min.components, 'fee') - totalOf(min.components, 'discount'));
  return { give, dayAgo: then, before: old, after: fresh, keeps, isFloorHeld: keeps !== undefined && compare(keeps, floor) >= 0 };
}

/** Returns true if a customer gets over `pricing.blast_percent` more for an amount than before. */
function isMuchMore({ before, after }: QuoteChange): boolean {
  if (!before || !after) return false;
  const max = percent(settings.get('pricing.blast_percent'));
  return (after.get.parts - before.get.parts) * max.denominator > before.get.parts * max.numerator;
}
