// The breakdown of an exchange: what was booked of it, line by line, and what is stated of an order's price. Pure.

import {
  type Component,
  PROVISION,
  type PriceTerms,
  type PriceBreakdown,
  assetOf,
  convert,
  money,
  roundTo,
  breakdownForGive,
  totalOf,
} from '@kurs/money';
import { cutFromLatest, least } from '../../../collecting/index.ts';
import type { Exchange, OrderView, Payment, Price } from '../order.ts';

/** The components of a price as they are booked and stated. Of nothing there is only a fee. */
export const componentsOf = ({ components }: PriceBreakdown): Component[] =>
  components.filter(({ kind, amount }) => kind === 'fee' || amount > 0n);

/** What the exchange books of an order at a price. */
export function exchangeOf({ pinned, positions, payments }: OrderView, price: Price): Exchange {
  const { breakdown, terms, version } = price;
  const give = breakdown.give.parts;
  const taken = cutFromLatest(payments, positions.in > give ? positions.in - give : 0n).kept;
  const fee = totalOf(breakdown.components, 'fee');
  const share = least(fee, (give * PROVISION.numerator) / PROVISION.denominator);
  return {
    give,
    components: componentsOf(breakdown),
    exchanged: breakdown.exchanged.parts,
    got: breakdown.get.parts,
    rate: breakdown.rate,
    ...(terms.mid && { mid: terms.mid }),
    kept: taken.reduce((sum, { standing, kept = 0n }) => (standing === 'final' ? sum + kept : sum), 0n),
    provision: pinned.reversible ? share : 0n,
    ...(terms !== pinned.terms && { terms }),
    version,
  };
}

/** What an order was exchanged at, bought back since or not. Undefined for one that isn't exchanged. */
export const bookedOf = ({ facts }: OrderView): Exchange | undefined => facts.exchange ?? facts.boughtBack?.exchange;

/** Returns an order's price as it was booked, or as promised until then. Undefined for an unallocated payment. */
export function shownOf(view: OrderView): Exchange | undefined {
  return bookedOf(view) ?? promisedOf(view);
}

/** The two sides of an order as they were exchanged; until then, as they were placed. */
export function amountsOf(view: OrderView): Pick<OrderView, 'give' | 'get'> {
  const { give, get } = view;
  const booked = bookedOf(view);
  if (!booked || !get) return { give, ...(get && { get }) };
  return { give: { ...give, parts: booked.give }, get: { ...get, parts: booked.got } };
}

/** What an order was promised when it was placed, whatever became of it. Undefined for an unallocated payment. */
export function promisedOf(view: OrderView): Exchange | undefined {
  const { kind, give, pinned } = view;
  if (kind === 'unallocated' || !pinned.terms) return undefined;
  const breakdown = breakdownForGive(money(give.unit, give.parts), pinned.terms);
  return exchangeOf({ ...view, payments: NONE }, { breakdown, terms: pinned.terms, version: pinned.ratesVersion });
}

const NONE: readonly Payment[] = [];

/** Whether two prices differ in anything that people are shown. */
export function differ(one: Exchange, other: Exchange): boolean {
  const figures = ({ give, got, exchanged, components, rate }: Exchange): string =>
    [give, got, exchanged, ...components.map(({ code, amount }) => `${code} ${amount}`), rateKey(rate)].join();
  return figures(one) !== figures(other);
}

const rateKey = ({ base, quote, value }: Exchange['rate']): string => [base, quote, value.numerator, value.denominator].join(' ');

/** What an amount that is exchanged brings by terms, in parts got. */
export const brings = ({ giveUnit, getUnit, getDigits, rate }: PriceTerms, exchanged: bigint): bigint =>
  roundTo(convert(money(giveUnit, exchanged), assetOf(giveUnit), rate, getUnit, 'down'), getDigits, 'down').parts;
