// Price inputs for tests, without a database: a small desk that offers only BTC to USDT, at 90 000 USD a bitcoin.

import { type Money, parse, percent } from '@kurs/money';
import type { Direction } from '../directions/direction.ts';
import type { Carried, PriceInputs } from './known.ts';
import type { View } from './view.ts';

const usd = (amount: string): Money<'USD'> => parse('USD', amount);

function carried(code: string, unit: string, rail: string, more: Partial<Carried>): [string, Carried] {
  const maxUsd = { 0: usd('1000'), 1: usd('3000'), 2: usd('20000'), 3: usd('100000') };
  return [
    code,
    {
      ...{ code, unit, rail, network: code, fields: [], railScale: 8, payDigits: 8, dust: 546n, fuel: 'BTC', arrivesAt: 'hot' },
      ...{ isChain: true, canSend: true, purposes: new Set(['orders']), isReversible: false, isExposed: false, maxUsd },
      ...more,
    },
  ];
}

/** The only direction of this desk, with a fee of half a percent. */
export const SELL: Direction = {
  slug: 'btc-usdt-erc20',
  from: 'BTC',
  to: 'USDT_ERC20',
  spread: [{ from: '0', percent: '0.5' }],
  costs: [],
  min: null,
  max: null,
  isOn: true,
  position: 1,
  version: 1,
};

/** Returns the price inputs of this desk; `change` overrides parts of the view. */
export function knownDesk(change: Partial<View> = {}): PriceInputs {
  const price = { ask: '1', bid: '1', live: 3, deviation: '0.0100' };
  const bitcoin = { ...price, ask: '90000', bid: '90000' };
  return {
    view: {
      currencies: new Map(),
      directions: [SELL],
      ownMoney: new Map([['USDT', { free: parse('USDT', '2000000').parts, spent: 0n }]]),
      payable: new Map([['USDT_ERC20', parse('USDT', '2000000').parts]]),
      arriving: new Map(),
      networkCosts: new Map([
        ['BTC', { fuel: 'BTC', parts: 1_500n }],
        ['USDT_ERC20', { fuel: 'ETH', parts: 2n * 10n ** 14n }],
      ]),
      railCosts: [],
      railsUp: new Set(['bitcoin', 'evm']),
      railsSending: new Set(['bitcoin', 'evm']),
      off: new Set(),
      usualMinutes: new Map(),
      ...change,
    },
    snapshot: {
      version: 7n,
      at: new Date(0),
      body: {
        assets: { USD: price, USDT: price, BTC: bitcoin, ETH: { ...price, ask: '3000', bid: '3000' } },
        sources: {},
        isSeeded: true,
      },
    },
    stopped: new Set<string>(),
    carried: new Map([
      carried('BTC', 'BTC', 'bitcoin', {}),
      carried('USDT_ERC20', 'USDT', 'evm', { railScale: 6, payDigits: 2, dust: 10_000n, fuel: 'ETH', arrivesAt: 'deposit' }),
    ]),
    rules: {
      minFee: usd('0.20'),
      minMargin: { percent: percent('0.10'), min: usd('0.10') },
      fixedCosts: percent('5'),
      refundCosts: 2n,
      smallestRefunds: 5n,
      visitorPercent: 10n,
      marginPercent: 5,
      sweepPercent: 150n,
      refill: 'unsaid',
    },
  };
}
