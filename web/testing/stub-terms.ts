// Currencies and directions of the stub's desk, and quotes that the product's own arithmetic computes from their terms.

import type { Output, Routes } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { format, isUnit, money, parse, breakdownForGet, breakdownForGive } from '../../money/index.ts';
import type { Currency } from '../features/currency.ts';
import { priceTerms } from '../features/calculator/price-breakdown.ts';
import { soon } from './status.ts';

type Direction = Output<Routes['directions']>['directions'][number];
type ApiCurrency = Output<Routes['currencies']>[number];

/** Currencies of the stub's desk. */
export const CURRENCIES: ApiCurrency[] = [
  {
    code: 'BTC',
    name: 'Bitcoin',
    network: 'Bitcoin',
    rail: 'bitcoin',
    kind: 'crypto',
    unit: 'BTC',
    asset: 'BTC',
    precision: 8,
    pay_precision: 8,
    payer_level: 0,
    feed_code: 'BTC',
    fields: [{ name: 'address', label: 'Bitcoin address', type: 'address', required: true }],
    payer_fields: [{ name: 'address', label: 'Bitcoin address', type: 'address', required: true }],
  },
  {
    code: 'USDT_ERC20',
    name: 'Tether',
    network: 'ERC-20',
    rail: 'evm',
    kind: 'crypto',
    unit: 'USDT',
    asset: 'USDT',
    precision: 6,
    pay_precision: 2,
    payer_level: 0,
    feed_code: 'USDTERC20',
    fields: [{ name: 'address', label: 'ERC-20 address', type: 'address', required: true }],
    payer_fields: [{ name: 'address', label: 'ERC-20 address', type: 'address', required: true }],
  },
];

const RATE = { base: 'BTC', quote: 'USDT', value: '91377.604' };

/** Directions of the stub's desk. */
export const DIRECTIONS: Direction[] = [
  {
    from: 'BTC',
    to: 'USDT_ERC20',
    slug: 'btc-usdt-erc20',
    open: true,
    rate: RATE,
    fee_percent: '0.5',
    min: '0.0006',
    max: '0.01087000',
    reserve: '131540.50',
    usual_minutes: 26,
    changed_at: '2026-11-24T09:00:00.000Z',
    terms: {
      rate: RATE,
      spread: [{ from: '0', percent: '0.5' }],
      least_fee: '0.00000219',
      costs: [{ code: 'network', fixed: '0.00000911' }],
      min_margin_percent: '0.1',
      min_margin: '0.0000011',
    },
  },
  {
    from: 'USDT_ERC20',
    to: 'BTC',
    slug: 'usdt-erc20-btc',
    changed_at: '2026-11-02T09:00:00.000Z',
    open: true,
    rate: RATE,
    fee_percent: '0.5',
    min: '50.00',
    max: '1000.00',
    reserve: '3.41830000',
    terms: {
      rate: RATE,
      spread: [{ from: '0', percent: '0.5' }],
      least_fee: '0.20',
      costs: [
        { code: 'network', fixed: '1.12' },
        { code: 'sweep', fixed: '0.62' },
      ],
      min_margin_percent: '0.1',
      min_margin: '0.1',
    },
  },
];

/** Converts a currency of the stub to the form that pages use. Throws the API's 404 if the stub has no such currency. */
const shown = (currencies: readonly ApiCurrency[], code: string): Currency => {
  const found = currencies.find((currency) => currency.code === code);
  if (!found) throw new CallError(404, { code: 'direction_unknown', message: 'We do not exchange this pair.' });
  return { ...found, payDigits: found.pay_precision, digits: found.precision };
};

/**
 * Returns a quote by the terms of the stub's directions. Throws like the API: 422 for a wrong `amount`, 404 for an unknown pair.
 */
export function quoteOf(
  input: { from: string; to: string; amount: string; side?: 'give' | 'get' | undefined },
  now: Date,
  { currencies, directions }: { currencies: readonly ApiCurrency[]; directions: readonly Direction[] } = {
    currencies: CURRENCIES,
    directions: DIRECTIONS,
  },
): Output<Routes['calculate']> {
  const [give, get] = [shown(currencies, input.from), shown(currencies, input.to)];
  const direction = directions.find(({ from, to }) => from === input.from && to === input.to);
  if (!direction?.terms) throw new CallError(404, { code: 'direction_unknown', message: 'We do not exchange this pair.' });
  const unit = input.side === 'get' ? get.unit : give.unit;
  if (!isUnit(unit)) throw new Error(`No unit ${unit}`);
  const terms = priceTerms(direction.terms, give, get);
  const slip =
    input.side === 'get' ? breakdownForGet(parse(unit, input.amount), terms) : breakdownForGive(parse(unit, input.amount), terms);
  if (slip.give.parts < parse(give.unit, direction.min).parts) {
    throw new CallError(422, {
      code: 'validation',
      message: 'Check the fields',
      errors: { amount: [`Minimum: ${direction.min} ${give.asset}`] },
    });
  }
  return {
    give: { amount: format(slip.give, give.payDigits), currency: give.code },
    get: { amount: format(slip.get, get.payDigits), currency: get.code },
    rate: direction.terms.rate,
    fees: slip.components.map(({ code, amount }) => ({
      ...{ code, amount: format(money(give.unit, amount), give.payDigits), currency: give.code },
      ...(code === 'fee' && { percent: direction.fee_percent }),
    })),
    exchanged: { amount: format(slip.exchanged, give.payDigits), currency: give.code },
    min: direction.min,
    max: direction.max,
    reserve: direction.reserve,
    rates_version: '1',
    rates_at: soon(now, -3),
    expires_at: soon(now, 180),
  };
}
