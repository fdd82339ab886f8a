// Texts of the calculator for other sites, for a typed amount. The server renders them first; the calculator's script updates
// them while the visitor types.

import { minDigits } from '@kurs/money';
import type { Currency } from '../features/currency.ts';
import { type AmountProblem, type BreakdownView, type Direction, calculate } from '../features/calculator/price-breakdown.ts';
import type { Sum } from '../features/money.tsx';
import { writeAmount, writeRate } from '../ui/base/amount.ts';
import type { Locale } from '../ui/base/locale.ts';

/** Data that the server gives to the calculator's script: the pair, the format of amounts, and the texts. */
export interface EmbedData {
  readonly locale: Locale;
  /** Base URL of the API, without a trailing slash; empty if the API has the same origin. */
  readonly api: string;
  /** Client-id for calls of the API. */
  readonly clientId: string;
  readonly direction: Direction;
  /**
   * Reference of the affiliate whose page shows the calculator. The direction's terms include the friend's discount of that
   * affiliate.
   */
  readonly ref?: string;
  readonly give: Currency;
  readonly get: Currency;
  /** Tickers that follow the amounts. */
  readonly tickers: { readonly give: string; readonly get: string };
  /** Names of the lines of a price, by code. */
  readonly lines: Readonly<Record<string, string>>;
  readonly otherLine: string;
  /** Texts of problems, with `{limit}` in place of the limit. */
  readonly problems: Readonly<Record<AmountProblem['code'], string>>;
}

/** Texts that the calculator shows for an amount. */
export interface CalculatorTexts {
  readonly get: string;
  readonly rate: string;
  readonly lines: readonly { readonly name: string; readonly amount: string }[];
  readonly problem: string;
  /** Typed amount in the form for URLs; empty if no amount was typed. */
  readonly amount: string;
}

/** Returns the texts for a typed amount. */
export function shownFor(typed: string, data: EmbedData): CalculatorTexts {
  const { direction, give, get, locale } = data;
  const { view, problem, amount = '' } = calculate(typed, 'give', direction, give, get, locale);
  return {
    amount,
    get: view ? written(view.get, data) : '–',
    rate: view ? rateOf(view, data) : '–',
    lines: view ? linesOf(view, data) : [],
    problem: problem ? data.problems[problem.code].replace('{limit}', problem.limit ? named(problem.limit, data) : '') : '',
  };
}

const digitsOf = ({ give, get }: EmbedData, currency: string): number =>
  minDigits((currency === get.code ? get : give).payDigits);

const written = ({ amount, currency }: Sum, data: EmbedData): string =>
  writeAmount(amount, digitsOf(data, currency), data.locale);

const named = (sum: Sum, data: EmbedData): string =>
  `${written(sum, data)}\u00a0${sum.currency === data.get.code ? data.tickers.get : data.tickers.give}`;

function linesOf({ fees, discounts }: BreakdownView, data: EmbedData): CalculatorTexts['lines'] {
  const signed = (sign: string) => (line: BreakdownView['discounts'][number]) => ({
    name: data.lines[line.code] ?? data.otherLine,
    amount: `${sign}\u00a0${named(line.sum, data)}`,
  });
  return [...fees.map(signed('−')), ...discounts.map(signed('+'))];
}

function rateOf({ rate }: BreakdownView, { locale }: EmbedData): string {
  return `1\u00a0${rate.base} = ${writeRate(rate.value, locale)}\u00a0${rate.quote}`;
}
