import type { Output, Routes } from '@kurs/contract';
import {
  type CostLine,
  type DiscountLine,
  type PriceTerms,
  type PriceBreakdown,
  MoneyError,
  PriceError,
  compare,
  format,
  formatRate,
  money,
  parse,
  parseRate,
  percent,
  readTyped,
  breakdownForGet,
  breakdownForGive,
} from '@kurs/money';
import type { Currency } from '../currency.ts';
import type { Sum } from '../money.tsx';

export type Direction = Output<Routes['directions']>['directions'][number];
export type Quote = Output<Routes['calculate']>;
type Terms = NonNullable<Direction['terms']>;
export type Side = 'give' | 'get';

/**
 * Price of an amount in the form that the calculator shows. The browser computes it while the visitor types; then the server
 * confirms it, by the same arithmetic.
 */
export interface BreakdownView {
  readonly give: Sum;
  readonly get: Sum;
  readonly fees: readonly { readonly code: string; readonly sum: Sum; readonly percent?: string }[];
  readonly discounts: readonly { readonly code: string; readonly sum: Sum }[];
  readonly exchanged: Sum;
  readonly rate: { readonly base: string; readonly quote: string; readonly value: string };
}

/**
 * Reason why an amount can't be exchanged. `limit` is the nearest amount that can be exchanged, and `side` is the side to which
 * `limit` belongs.
 */
export interface AmountProblem {
  readonly code: 'unreadable' | 'below_min' | 'above_max' | 'above_reserve' | 'eaten';
  readonly limit?: Sum;
  readonly side?: Side;
}

export interface Calculated {
  readonly view?: BreakdownView;
  readonly problem?: AmountProblem;
  /** Typed amount as canonical text; absent if the text is empty or is not an amount. */
  readonly amount?: string;
}

/** Converts the terms of a direction, as published by the API, to the form that the arithmetic takes. */
export function priceTerms(terms: Terms, give: Currency, get: Currency): PriceTerms {
  const sum = (text: string) => parse(give.unit, text);
  return {
    giveUnit: give.unit,
    getUnit: get.unit,
    giveDigits: give.payDigits,
    getDigits: get.payDigits,
    rate: parseRate(terms.rate.base, terms.rate.quote, terms.rate.value),
    spread: terms.spread.map((step) => ({ from: sum(step.from), percent: percent(step.percent) })),
    minFee: sum(terms.least_fee),
    costs: terms.costs.map((line): CostLine => ({
      code: line.code,
      ...(line.of === undefined ? {} : { of: line.of }),
      ...(line.percent === undefined ? {} : { percent: percent(line.percent) }),
      ...(line.fixed === undefined ? {} : { fixed: sum(line.fixed) }),
      ...(line.min === undefined ? {} : { min: sum(line.min) }),
      ...(line.cap === undefined ? {} : { cap: sum(line.cap) }),
    })),
    discounts: (terms.discounts ?? []).map((line): DiscountLine => ({
      code: line.code,
      ...(line.percent === undefined ? {} : { percent: percent(line.percent) }),
      ...(line.of === undefined ? {} : { of: line.of }),
      ...(line.fixed === undefined ? {} : { fixed: sum(line.fixed) }),
      ...(line.cap === undefined ? {} : { cap: sum(line.cap) }),
    })),
    minMargin: {
      percent: percent(terms.min_margin_percent),
      min: sum(terms.min_margin),
      afterRewards: percent(terms.keep_after_rewards ?? '100'),
      ...(terms.keep_provision === undefined ? {} : { provision: percent(terms.keep_provision) }),
    },
  };
}

/**
 * Computes the price of a typed amount. An empty text has neither a price nor a problem. A problem with a limit contains the
 * nearest allowed amount.
 */
export function calculate(
  text: string,
  side: Side,
  direction: Direction,
  give: Currency,
  get: Currency,
  locale: 'en' | 'ru',
): Calculated {
  const typed = side === 'give' ? give : get;
  const amount = readTyped(text, locale, typed.payDigits);
  if (amount === undefined || (amount === '' && text.trim() !== '')) return { problem: { code: 'unreadable' } };
  if (amount === '' || !direction.terms) return {};
  if (/^[0.]*$/.test(amount)) return { problem: limitOf('below_min', direction) };
  const terms = priceTerms(direction.terms, give, get);
  try {
    const request = parse(typed.unit, amount);
    const breakdown = side === 'give' ? breakdownForGive(request, terms) : breakdownForGet(request, terms);
    const problem = limitProblem(breakdown, direction, terms);
    return { amount, view: viewOfBreakdown(breakdown, give, get), ...(problem ? { problem } : {}) };
  } catch (error) {
    if (error instanceof PriceError) return { amount, problem: limitOf('eaten', direction) };
    // An amount with more digits than the arithmetic allows is above every limit.
    if (error instanceof MoneyError) return { problem: tooMuch(direction, terms) };
    throw error;
  }
}

/** Returns the problem for a violated limit, with the limit's amount and side. */
function limitOf(code: Exclude<AmountProblem['code'], 'unreadable'>, { from, to, min, max, reserve }: Direction): AmountProblem {
  return code === 'above_reserve'
    ? { code, limit: { amount: reserve, currency: to }, side: 'get' }
    : { code, limit: { amount: code === 'above_max' ? max : min, currency: from }, side: 'give' };
}

function limitProblem({ give, get }: PriceBreakdown, direction: Direction, terms: PriceTerms): AmountProblem | undefined {
  if (compare(give, parse(give.unit, direction.min)) < 0) return limitOf('below_min', direction);
  const isMuch = compare(give, parse(give.unit, direction.max)) > 0 || compare(get, parse(get.unit, direction.reserve)) > 0;
  return isMuch ? tooMuch(direction, terms) : undefined;
}

/** Returns the problem for an amount that is too large: of the maximum and the reserve, it names the stricter limit. */
function tooMuch(direction: Direction, terms: PriceTerms): AmountProblem {
  const max = breakdownForGive(parse(terms.giveUnit, direction.max), terms).get;
  return limitOf(compare(max, parse(terms.getUnit, direction.reserve)) > 0 ? 'above_reserve' : 'above_max', direction);
}

function viewOfBreakdown(
  { give: given, get: got, components, exchanged, rate }: PriceBreakdown,
  give: Currency,
  get: Currency,
): BreakdownView {
  const sum = (parts: bigint): Sum => ({ amount: format(money(give.unit, parts)), currency: give.code });
  return {
    give: sum(given.parts),
    get: { amount: format(got), currency: get.code },
    fees: components
      .filter(({ kind, amount }) => kind === 'fee' || (kind === 'cost' && amount > 0n))
      .map(({ code, amount, percent: share }) => ({
        code,
        sum: sum(amount),
        ...(share === undefined ? {} : { percent: share }),
      })),
    discounts: components.filter(({ kind }) => kind === 'discount').map(({ code, amount }) => ({ code, sum: sum(amount) })),
    exchanged: sum(exchanged.parts),
    rate: { base: rate.base, quote: rate.quote, value: formatRate(rate) },
  };
}

/** Converts the server's quote to the form that the calculator shows. */
export function viewOfQuote(quote: Quote): BreakdownView {
  return {
    give: quote.give,
    get: quote.get,
    fees: quote.fees.map(({ code, amount, currency, percent: share }) => ({
      code,
      sum: { amount, currency },
      ...(share === undefined ? {} : { percent: share }),
    })),
    discounts: (quote.discounts ?? []).map(({ code, amount, currency }) => ({ code, sum: { amount, currency } })),
    exchanged: quote.exchanged,
    rate: quote.rate,
  };
}
