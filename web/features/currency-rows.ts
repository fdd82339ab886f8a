import type { Currency } from './currency.ts';

/** A currency as a page's data carry it: its members in a row, their names left out. */
export type CurrencyRow = readonly [
  code: string,
  name: string,
  network: string,
  asset: string,
  kind: Currency['kind'],
  unit: string,
  payDigits: number,
  digits: number,
  payerLevel?: number,
];

export const rowOf = ({ code, name, network, asset, kind, unit, payDigits, digits, payerLevel }: Currency): CurrencyRow => [
  code,
  name,
  network,
  asset,
  kind,
  unit,
  payDigits,
  digits,
  ...(payerLevel === undefined ? ([] as const) : ([payerLevel] as const)),
];

export const currencyOf = ([code, name, network, asset, kind, unit, payDigits, digits, payerLevel]: CurrencyRow): Currency => ({
  code,
  name,
  network,
  asset,
  kind,
  unit,
  payDigits,
  digits,
  ...(payerLevel === undefined ? {} : { payerLevel }),
});
