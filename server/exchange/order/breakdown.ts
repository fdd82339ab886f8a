// The breakdown of an exchange: what was booked of it, line by line, and what is stated of an order's price. Pure.

import { type PriceTerms, assetOf, convert, money, roundTo, slipForGive } from '@kurs/money';
import { linesOf } from '../../pricing/index.ts';
import { type Component, type Exchange, type OrderView, type Payment, type Price } from './order.ts';
import { cutFromLatest } from './pieces.ts';

/** Where each kind of line is booked, and who bears it. */
const BOOKED = {
  fee: { account: 'income:spread', payer: 'customer' },
  discount: { account: 'spent:discount', payer: 'desk' },
  cost: { account: 'income:fee', payer: 'customer' },
} as const;

/** Costs that have names of their own; what else an operator's direction names is one of its other costs. */
const NAMED: ReadonlySet<string> = new Set(['network', 'sweep', 'payin', 'payout']);

/** The lines of a price, as they are booked. Lines of nothing are none. */
export function componentsOf({ slip, terms }: Pick<Price, 'slip' | 'terms'>): Component[] {
  return linesOf(slip, terms)
    .filter(({ kind, amount }) => kind === 'fee' || amount.parts > 0n)
    .map(({ code, kind, amount, percent }) => ({
      code,
      words: wordsOf(code, kind, percent),
      kind,
      ...BOOKED[kind],
      amount: amount.parts,
      ...(percent !== undefined && { percent }),
    }));
}

function wordsOf(code: string, kind: Component['kind'], percent: string | undefined): string {
  if (kind === 'fee') return percent === undefined ? 'fee_least' : 'fee';
  if (kind === 'discount') return 'discount';
  return NAMED.has(code) ? code : 'other';
}

/** What the exchange books of an order at a price. */
export function exchangeOf({ pinned, positions, payments }: OrderView, price: Price): Exchange {
  const { slip, terms, version } = price;
  const give = slip.give.parts;
  const taken = cutFromLatest(payments, positions.in > give ? positions.in - give : 0n).kept;
  const share = slip.list.parts < give / 100n ? slip.list.parts : give / 100n;
  return {
    give,
    components: componentsOf(price),
    exchanged: slip.exchanged.parts,
    got: slip.get.parts,
    rate: slip.rate,
    ...(terms.mid && { mid: terms.mid }),
    kept: taken.reduce((sum, { standing, kept = 0n }) => (standing === 'final' ? sum + kept : sum), 0n),
    provision: pinned.reversible ? share : 0n,
    ...(terms !== pinned.terms && { terms }),
    version,
  };
}

/** What an order was exchanged at, bought back since or not. Undefined for one that isn't exchanged. */
export const bookedOf = ({ facts }: OrderView): Exchange | undefined => facts.exchange ?? facts.boughtBack?.exchange;

/** What is stated of an order's price: what was booked; before that, what was promised. Undefined for a stray. */
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

/** What an order was promised when it was placed, whatever became of it. Undefined for a stray. */
export function promisedOf(view: OrderView): Exchange | undefined {
  const { kind, give, pinned } = view;
  if (kind === 'stray' || !pinned.terms) return undefined;
  const slip = slipForGive(money(give.unit, give.parts), pinned.terms);
  return exchangeOf({ ...view, payments: NONE }, { slip, terms: pinned.terms, version: pinned.ratesVersion });
}

const NONE: readonly Payment[] = [];

/** Whether two prices differ in anything that people are shown. */
export function differ(one: Exchange, other: Exchange): boolean {
  const figures = ({ give, got, exchanged, components, rate }: Exchange): string =>
    [give, got, exchanged, ...components.map(({ code, amount }) => `${code} ${amount}`), rate && rateKey(rate)].join();
  return figures(one) !== figures(other);
}

const rateKey = ({ base, quote, value }: NonNullable<Exchange['rate']>): string =>
  [base, quote, value.numerator, value.denominator].join(' ');

/** An exchange from before its lines were kept. */
export interface SummedExchange {
  readonly give: bigint;
  readonly list: bigint;
  readonly cuts: bigint;
  readonly costs: bigint;
  readonly exchanged: bigint;
  readonly got: bigint;
  readonly provision: bigint;
}

/** An exchange as it is kept, or was: one from before has a line for each sum, and its rate where the placed one gives it. */
export function readExchange(kept: Exchange | SummedExchange, pinned: OrderView['pinned']): Exchange {
  if ('components' in kept) return kept;
  const line = (kind: Component['kind'], code: string, words: string, amount: bigint): Component[] =>
    amount > 0n ? [{ code, words, kind, ...BOOKED[kind], amount }] : [];
  const { list, cuts, costs, ...sums } = kept;
  const { terms } = pinned;
  return {
    ...sums,
    components: [
      ...line('fee', 'fees', 'fee_sum', list),
      ...line('discount', 'discount', 'discount', cuts),
      ...line('cost', 'costs', 'costs', costs),
    ],
    ...(terms && brings(terms, sums.exchanged) === sums.got && { rate: terms.rate }),
    kept: 0n,
    version: pinned.ratesVersion,
    summed: true,
  };
}

/** What an amount that is exchanged brings by terms, in parts got. */
export const brings = ({ giveUnit, getUnit, getDigits, rate }: PriceTerms, exchanged: bigint): bigint =>
  roundTo(convert(money(giveUnit, exchanged), assetOf(giveUnit), rate, getUnit, 'down'), getDigits, 'down').parts;
