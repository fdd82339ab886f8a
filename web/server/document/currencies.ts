import type { Output, Routes } from '@kurs/contract';
import type { Currency } from '../../features/currency.ts';

/** Converts currencies from the API to the form that pages use. */
export function shownCurrencies(currencies: Output<Routes['currencies']>): Currency[] {
  return currencies.map(({ code, name, network, asset, kind, unit, pay_precision, precision, payer_level }) => ({
    code,
    name,
    network,
    asset,
    kind,
    unit,
    payDigits: pay_precision,
    digits: precision,
    ...(payer_level > 0 && { payerLevel: payer_level }),
  }));
}
