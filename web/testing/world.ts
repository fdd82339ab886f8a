/**
 * Stub of a desk with many currencies of several kinds, and more than a hundred directions, some of them closed. It is used to
 * look at pages and to limit their size.
 */
import type { Output, Routes } from '@kurs/contract';
import { type Client, type Transport, createClient } from '@kurs/contract/client';
import { historyOf } from './history.ts';
import { stubRules } from './rules.ts';
import { stubTransport } from './stub.ts';
import { CURRENCIES, quoteOf } from './stub-terms.ts';

type ApiCurrency = Output<Routes['currencies']>[number];
type Direction = Output<Routes['directions']>['directions'][number];
type Gateway = Output<Routes['gateways']>[number];

const crypto = (code: string, name: string, network: string, precision = 8): ApiCurrency => ({
  code,
  name,
  network,
  rail: network.toLowerCase(),
  kind: 'crypto',
  unit: code.split('_')[0] as string,
  asset: code.split('_')[0] as string,
  precision,
  pay_precision: code.startsWith('USDT') ? 2 : Math.min(8, precision),
  payer_level: 0,
  fields: [{ name: 'address', label: `${network} address`, type: 'address', required: true }],
  payer_fields: [{ name: 'address', label: `${network} address`, type: 'address', required: true }],
});
const wallet = (code: string, name: string, field?: string): ApiCurrency => ({
  code,
  name,
  network: name,
  rail: (code.split('_')[0] as string).toLowerCase(),
  kind: 'ewallet',
  unit: code,
  asset: 'USD',
  precision: 2,
  pay_precision: 2,
  payer_level: code.startsWith('PAYPAL') ? 2 : 0,
  fields: field === undefined ? [] : [{ name: 'account', label: field, type: 'text', required: true }],
  payer_fields: [],
});

export const WORLD: readonly ApiCurrency[] = [
  ...CURRENCIES,
  crypto('USDT_TRC20', 'Tether', 'TRC-20', 6),
  crypto('USDT_BEP20', 'Tether', 'BEP-20', 6),
  crypto('TRX', 'TRON', 'TRON', 6),
  crypto('ETH', 'Ether', 'Ethereum', 18),
  crypto('BNB', 'BNB', 'BNB Smart Chain', 18),
  wallet('PAYPAL_USD', 'PayPal', 'PayPal e-mail'),
  wallet('PAYEER_USD', 'Payeer', 'Payeer account'),
  wallet('VOLET_USD', 'Volet', 'Volet e-mail'),
  wallet('WMZ', 'WebMoney', 'WebMoney purse'),
  wallet('MONEYGO_USD', 'MoneyGo', 'MoneyGo account'),
  wallet('PMV_USD', 'Perfect Money e-voucher'),
];

const USD: Readonly<Record<string, number>> = { BTC: 91377.604, ETH: 3018.45, BNB: 612.335, TRX: 0.28113 };
const worth = ({ asset }: ApiCurrency): number => USD[asset] ?? 1;
const slugs: Readonly<Record<string, string>> = {
  'USDT_TRC20 PAYPAL_USD': 'tether-to-paypal-exchange',
  'PMV_USD PAYPAL_USD': 'perfectmoney-to-paypal-exchange',
};
const CLOSED = ['reserve', 'rail_down', 'switched_off', 'rates_moving'];

function directionOf(from: ApiCurrency, to: ApiCurrency, index: number): Direction {
  const [base, quote] = worth(from) >= worth(to) ? [from, to] : [to, from];
  const rate = { base: base.asset, quote: quote.asset, value: (worth(base) / worth(quote)).toPrecision(8) };
  const percent = (0.3 + (index % 17) / 10).toFixed(1);
  const give = (usd: number): string => (usd / worth(from)).toFixed(from.pay_precision);
  const reason = index % 9 === 4 ? CLOSED[index % CLOSED.length] : undefined;
  return {
    from: from.code,
    to: to.code,
    slug: slugs[`${from.code} ${to.code}`] ?? `${from.code}-${to.code}`.toLowerCase().replaceAll('_', '-'),
    open: reason === undefined,
    ...(reason !== undefined && { reason }),
    rate,
    fee_percent: percent,
    min: give(50 + (index % 7)),
    max: give(12_000 - 31 * index),
    reserve: ((48_210 + 77 * index) / worth(to)).toFixed(to.pay_precision),
    ...(index % 3 === 0 && { usual_minutes: 5 + (index % 40) }),
    terms: {
      rate,
      spread: [
        { from: '0', percent },
        { from: give(1000), percent: (+percent - 0.1).toFixed(1) },
      ],
      least_fee: give(0.2),
      costs:
        from.kind === 'ewallet'
          ? [{ code: 'provider', percent: '3.49', fixed: give(0.49) }]
          : [{ code: 'network', fixed: give(1.12) }, ...(to.kind === 'ewallet' ? [paidOut(from)] : [])],
      min_margin_percent: '0.1',
      min_margin: give(0.1),
    },
  };
}

/**
 * Returns a provider's fee for a payout. The fee's maximum is in the sent currency, and has as many digits as a converted amount.
 */
const paidOut = (from: ApiCurrency): NonNullable<Direction['terms']>['costs'][number] => ({
  code: 'payout',
  of: 'got',
  percent: '2',
  cap: (19.999095 / worth(from)).toFixed(from.precision),
});

export const WORLD_DIRECTIONS: readonly Direction[] = WORLD.flatMap((from) => WORLD.map((to) => [from, to] as const))
  .filter(([from, to]) => from !== to && (from.kind === 'ewallet' || from.asset !== to.asset))
  .map(([from, to], index) => directionOf(from, to, index));

function gatewayOf(code: string): Gateway {
  const { name, network, rail, kind } = WORLD.find((one) => one.code === code) ?? (WORLD[0] as ApiCurrency);
  const way = kind === 'crypto' ? 'address' : code.startsWith('PMV') ? 'voucher' : 'redirect';
  return { id: rail, currency: code, name, network, kind: way, min: '1', max: '2', confirmations: '19', fees: [], open: true };
}

/** Returns the stub's transport with the large offer. */
export function worldTransport(clock: () => Date): Transport {
  const stub = stubTransport(clock);
  return async (call) => {
    const { currency = '', from, to } = call.input as { currency?: string; from?: string; to?: string };
    switch (call.name) {
      case 'currencies':
        return WORLD;
      case 'directions':
        return { directions: WORLD_DIRECTIONS, rates_at: clock().toISOString(), rates_seeded: true };
      case 'landing':
        return { ...((await stub(call)) as object), directions: WORLD_DIRECTIONS };
      case 'rules':
        return stubRules(WORLD);
      case 'gateways':
        return [gatewayOf(currency)];
      case 'rateHistory': {
        const rate = WORLD_DIRECTIONS.find((one) => one.from === from && one.to === to)?.rate;
        const { points } = historyOf(clock());
        const scaled = points.map(({ at, value }) => ({ at, value: ((+value / 91_000) * +(rate?.value ?? '1')).toPrecision(8) }));
        return { ...rate, points: scaled };
      }
      case 'calculate':
        return quoteOf(call.input as never, clock(), { currencies: WORLD, directions: WORLD_DIRECTIONS });
      default:
        return stub(call);
    }
  };
}

export const worldClient = (clock: () => Date): Client => createClient(worldTransport(clock));
