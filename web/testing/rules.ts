import type { Output, Routes } from '@kurs/contract';

type Rules = Output<Routes['rules']>;
type ApiCurrency = Output<Routes['currencies']>[number];

const USD = (per_order: string, day: string, month: string | null) => ({ per_order, day, month });
const NETWORK: Readonly<Record<string, string>> = { BTC: '0.00001820', USDT_ERC20: '0.62', ETH: '0.000021', TRX: '0.35' };

/** The rules of a desk as it comes, for some currencies: coins have addresses, e-money is told with its provider's share. */
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
    voucher_days: 90,
    ways: currencies.flatMap(({ code, unit, kind, fields }): Rules['ways'] => {
      if (kind === 'crypto')
        return [
          {
            currency: code,
            unit,
            deposit: { kind: 'address', least: '0.00000546' },
            withdrawal: { network: NETWORK[code] ?? '0.10' },
          },
        ];
      const deposit = {
        kind: fields.length === 0 ? ('voucher' as const) : ('redirect' as const),
        least: '1.00',
        percent: '3.49',
      };
      return [{ currency: code, unit, deposit, withdrawal: { network: '0.00', percent: '2', cap: '20.00' } }];
    }),
  };
}
