import type { Output, Routes } from '@kurs/contract';
import { soon } from './status.ts';

type Rules = Output<Routes['rules']>;
type ApiCurrency = Output<Routes['currencies']>[number];

const USD = (per_order: string, day: string, month: string | null) => ({ per_order, day, month });
const NETWORK: Readonly<Record<string, string>> = { BTC: '0.00001820', USDT_ERC20: '0.62', ETH: '0.000021', TRX: '0.35' };

/**
 * Returns a desk's default rules for some currencies. Deposits of crypto currencies go to an address; e-wallets have a provider's
 * fee.
 */
export function stubRules(currencies: readonly ApiCurrency[]): Rules {
  return {
    levels: [
      USD('1000', '2000', '5000'),
      USD('3000', '5000', '20000'),
      USD('20000', '50000', '250000'),
      USD('100000', '250000', null),
    ],
    reversible: {
      taken: true,
      currencies: ['PAYPAL_USD', 'PAYPAL_EUR'],
      level: 2,
      days: 180,
      first: USD('200', '300', '1000'),
      later: USD('500', '1000', '3000'),
      full: USD('2000', '3000', '10000'),
      first_days: 60,
      first_orders: 3,
      first_hours: 72,
      later_hours: 24,
    },
    money_out: { alone_usd: '500', alone_day_usd: '2000', two_people_usd: '5000', new_address_hours: 24 },
    affiliates: {
      levels: [
        { from: 0, share: '30' },
        { from: 10, share: '33' },
        { from: 50, share: '36' },
        { from: 200, share: '40' },
      ],
      ...{ second: 5, max: 50, split: 50, active_usd: '50', least_usd: '10', days: 90 },
      matures: { final: 7, provider: 14, reversible: 180 },
    },
    voucher_days: 90,
    ways: currencies.flatMap(({ code, unit, kind, fields }): Rules['ways'] => {
      if (kind === 'crypto')
        return [
          {
            currency: code,
            unit,
            deposit: { kind: 'address', minimum: '0.00000546' },
            withdrawal: { network: NETWORK[code] ?? '0.10' },
          },
        ];
      const deposit = {
        kind: fields.length === 0 ? ('voucher' as const) : ('redirect' as const),
        minimum: '1.00',
        percent: '3.49',
      };
      return [{ currency: code, unit, deposit, withdrawal: { network: '0.00', percent: '2', cap: '20.00' } }];
    }),
  };
}

/** Returns the default rules of prizes, with one draw that nobody claimed. */
export const stubEarn = (now: Date): Output<Routes['earnRules']> => ({
  is_open: true,
  table: [
    { prize: '0.005', weight: 600_000 },
    { prize: '0.01', weight: 250_000 },
    { prize: '0.05', weight: 100_000 },
    { prize: '0.20', weight: 40_000 },
    { prize: '0.50', weight: 10_000 },
  ],
  mean: '0.0235',
  left: '31.40',
  pot: '482.11',
  draw_minutes: 10,
  account_day: '0.50',
  shared_day: '1.00',
  day: '50.00',
  pot_least: '1.00',
  wallet_least: '5.00',
  order_least: '10.00',
  tasks: [
    { task: 'email', pays: '0.02' },
    { task: 'two_factor', pays: '0.10' },
    { task: 'first_order', pays: '0.50' },
    { task: 'streak', pays: '0.20' },
  ],
  two_factor_days: 7,
  streak_days: 7,
  abandoned: [
    {
      id: '01990000-0000-7000-8000-000000000001',
      commit: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
      seed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
      at: soon(now, -7_200),
    },
  ],
});
