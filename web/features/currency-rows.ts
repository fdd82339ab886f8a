import type { Currency } from './currency.ts';

/** Members of a currency in the order of a row. The optional one is the last. */
const MEMBERS = [
  'code',
  'name',
  'network',
  'asset',
  'kind',
  'unit',
  'payDigits',
  'digits',
  'payerLevel',
] as const satisfies (keyof Currency)[];

/** Currency as an array without member names, to keep a page's data small. */
export type CurrencyRow = readonly (string | number)[];

export const rowOf = (currency: Currency): CurrencyRow => MEMBERS.flatMap((name) => currency[name] ?? []);

export const currencyOf = (row: CurrencyRow): Currency =>
  Object.fromEntries(row.map((value, at) => [MEMBERS[at], value])) as unknown as Currency;
