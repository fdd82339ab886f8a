import type { Currency } from './currency.ts';

/**
 * Fields of a currency in the order in which a row contains them. The only optional field comes last, because an absent field
 * would shift the fields after it.
 */
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

/** Currency as an array of its fields' values without names, which keeps a page's data small. */
export type CurrencyRow = readonly (string | number)[];

export const rowOf = (currency: Currency): CurrencyRow => MEMBERS.flatMap((name) => currency[name] ?? []);

export const currencyOf = (row: CurrencyRow): Currency =>
  Object.fromEntries(row.map((value, at) => [MEMBERS[at], value])) as unknown as Currency;
