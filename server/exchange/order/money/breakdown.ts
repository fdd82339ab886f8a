// Price breakdown of an order, for booking its exchange and for pages. Pure.

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
import { cutFromLatest, min } from '../../../collecting/index.ts';
import type { Exchange, OrderView, Payment, Price } from '../order.ts';

/** Returns the components of a price that are booked and shown: the fee, and all others that are above zero. */
export const componentsOf = ({ components }: PriceBreakdown): Component[] =>
  components.filter(({ kind, amount }) => kind === 'fee' || amount > 0n);

/** Returns the exchange that is booked for an order at a price. */
export function exchangeOf({ pinned, positions, payments }: OrderView, price: Price): Exchange {
  const { breakdown, terms, version } = price;
  const give = breakdown.give.parts;
  const taken = cutFromLatest(payments, positions.in > give ? positions.in - give : 0n).retained;
  const fee = totalOf(breakdown.components, 'fee');
  const share = min(fee, (give * PROVISION.numerator) / PROVISION.denominator);
  return {
    give,
    components: componentsOf(breakdown),
    exchanged: breakdown.exchanged.parts,
    got: breakdown.get.parts,
    rate: breakdown.rate,
    ...(terms.mid && { mid: terms.mid }),
    retained: taken.reduce((sum, { status, retained = 0n }) => (status === 'final' ? sum + retained : sum), 0n),
    provision: pinned.isReversible ? share : 0n,
    ...(terms !== pinned.terms && { terms }),
    version,
  };
}

/** Returns the exchange that was booked for an order, even if it was bought back since. Undefined if there is none. */
export const bookedOf = ({ facts }: OrderView): Exchange | undefined => facts.exchange ?? facts.boughtBack?.exchange;

/** Returns an order's price: as booked, or as promised until the exchange. Undefined for an unallocated payment. */
export function shownOf(view: OrderView): Exchange | undefined {
  return bookedOf(view) ?? promisedOf(view);
}

/** Returns the two sides of an order, with the amounts of the exchange or, until then, of the placing. */
export function amountsOf(view: OrderView): Pick<OrderView, 'give' | 'get'> {
  const { give, get } = view;
  const booked = bookedOf(view);
  if (!booked || !get) return { give, ...(get && { get }) };
  return { give: { ...give, parts: booked.give }, get: { ...get, parts: booked.got } };
}

/** Returns the price that an order was promised when it was placed. Later changes don't affect it. Undefined for an unallocated payment. */
export function promisedOf(view: OrderView): Exchange | undefined {
  const { kind, give, pinned } = view;
  if (kind === 'unallocated' || !pinned.terms) return undefined;
  const breakdown = breakdownForGive(money(give.unit, give.parts), pinned.terms);
  return exchangeOf({ ...view, payments: NONE }, { breakdown, terms: pinned.terms, version: pinned.ratesVersion });
}

const NONE: readonly Payment[] = [];

/** True if two prices differ in anything that people see. */
export function differ(one: Exchange, other: Exchange): boolean {
  const figures = ({ give, got, exchanged, components, rate }: Exchange): string =>
    [give, got, exchanged, ...components.map(({ code, amount }) => `${code} ${amount}`), rateKey(rate)].join();
  return figures(one) !== figures(other);
}

const rateKey = ({ base, quote, value }: Exchange['rate']): string => [base, quote, value.numerator, value.denominator].join(' ');

/** Returns the amount got for an exchanged amount at the rate of these terms, in parts. */
export const brings = ({ giveUnit, getUnit, getDigits, rate }: PriceTerms, exchanged: bigint): bigint =>
  roundTo(convert(money(giveUnit, exchanged), assetOf(giveUnit), rate, getUnit, 'down'), getDigits, 'down').parts;
