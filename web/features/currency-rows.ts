import type { Currency } from './currency.ts';

/** A currency's members in their order; the one that may be absent is the last. */
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

/** A currency as a page's data carry it: its members in a row, their names left out. */
export type CurrencyRow = readonly (string | number)[];

export const rowOf = (currency: Currency): CurrencyRow => MEMBERS.flatMap((name) => currency[name] ?? []);

export const currencyOf = (row: CurrencyRow): Currency =>
  Object.fromEntries(row.map((value, at) => [MEMBERS[at], value])) as unknown as Currency;
