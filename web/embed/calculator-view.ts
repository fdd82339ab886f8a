// What the calculator for other sites shows of an amount, as its server draws it and its script writes it anew.

import { leastDigits } from '@kurs/money';
import type { Currency } from '../features/currency.ts';
import { type AmountProblem, type BreakdownView, type Direction, calculate } from '../features/calculator/price-breakdown.ts';
import type { Sum } from '../features/money.tsx';
import { writeAmount, writeRate } from '../ui/base/amount.ts';
import type { Locale } from '../ui/base/locale.ts';

/** What its script begins with: the pair, how amounts are written, and the words that depend on what is typed. */
export interface EmbedData {
  readonly locale: Locale;
  /** Prefix of the API's paths, and the client-id. */
  readonly api: string;
  readonly clientId: string;
  readonly direction: Direction;
  /** Whose page it stands on, as a link names them; what their friends are let off is part of the direction's terms. */
  readonly ref?: string;
  readonly give: Currency;
  readonly get: Currency;
  /** What stands behind amounts. */
  readonly tickers: { readonly give: string; readonly get: string };
  /** Names of lines by their codes. */
  readonly lines: Readonly<Record<string, string>>;
  readonly otherLine: string;
  /** With `{limit}` in them. */
  readonly problems: Readonly<Record<AmountProblem['code'], string>>;
}

/** What is written: texts alone. */
export interface Shown {
  readonly get: string;
  readonly rate: string;
  readonly lines: readonly { readonly name: string; readonly amount: string }[];
  readonly problem: string;
  /** The amount that was typed, as addresses have it; empty for none. */
  readonly amount: string;
}

/** What a typed amount comes to. */
export function shownFor(typed: string, data: EmbedData): Shown {
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
  leastDigits((currency === get.code ? get : give).payDigits);

const written = ({ amount, currency }: Sum, data: EmbedData): string =>
  writeAmount(amount, digitsOf(data, currency), data.locale);

const named = (sum: Sum, data: EmbedData): string =>
  `${written(sum, data)}\u00a0${sum.currency === data.get.code ? data.tickers.get : data.tickers.give}`;

function linesOf({ fees, discounts }: BreakdownView, data: EmbedData): Shown['lines'] {
  const signed = (sign: string) => (line: BreakdownView['discounts'][number]) => ({
    name: data.lines[line.code] ?? data.otherLine,
    amount: `${sign}\u00a0${named(line.sum, data)}`,
  });
  return [...fees.map(signed('−')), ...discounts.map(signed('+'))];
}

function rateOf({ rate }: BreakdownView, { locale }: EmbedData): string {
  return `1\u00a0${rate.base} = ${writeRate(rate.value, locale)}\u00a0${rate.quote}`;
}
