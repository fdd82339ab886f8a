// The directions that a desk begins with, as rules: which kinds of money are exchanged for which, at what list price.

import type { DirectionInput } from '../../pricing/index.ts';

const USDT = ['USDT_ERC20', 'USDT_TRC20', 'USDT_BEP20'] as const;
const COINS = ['BTC', 'ETH', 'BNB', 'TRX', ...USDT] as const;
/** Received through a hosted gateway that pays nothing out. */
const RECEIVED = ['LTC', 'DOGE'] as const;
const WALLETS = {
  USD: ['PAYPAL_USD', 'PAYEER_USD', 'VOLET_USD', 'WMZ', 'MONEYGO_USD', 'PMV_USD'],
  EUR: ['PAYPAL_EUR', 'PAYEER_EUR', 'VOLET_EUR', 'WME', 'MONEYGO_EUR', 'PMV_EUR'],
  RUB: ['PAYEER_RUB', 'VOLET_RUB', 'MONEYGO_RUB'],
} as const;

type Pair = readonly [from: string, to: string];

/** Pages that people know by these names; their reverses are the other way round. */
const NAMED: Readonly<Record<string, Pair>> = {
  'advcash-to-paypal-exchange': ['VOLET_USD', 'PAYPAL_USD'],
  'bitcoin-to-paypal-exchange': ['BTC', 'PAYPAL_USD'],
  'exchange-usdt-trx': ['USDT_TRC20', 'TRX'],
  'moneygo-usdt-exchange': ['MONEYGO_USD', 'USDT_TRC20'],
  'payeer-to-paypal-exchange': ['PAYEER_USD', 'PAYPAL_USD'],
  'perfectmoney-to-paypal-exchange': ['PMV_USD', 'PAYPAL_USD'],
  'tether-to-paypal-exchange': ['USDT_TRC20', 'PAYPAL_USD'],
  'usdt-moneygo-exchange': ['USDT_TRC20', 'MONEYGO_USD'],
  'webmoney-to-paypal-exchange': ['WMZ', 'PAYPAL_USD'],
  'paypal-to-advcash-exchange': ['PAYPAL_USD', 'VOLET_USD'],
  'paypal-to-bitcoin-exchange': ['PAYPAL_USD', 'BTC'],
  'exchange-trx-usdt': ['TRX', 'USDT_TRC20'],
  'paypal-to-payeer-exchange': ['PAYPAL_USD', 'PAYEER_USD'],
  'paypal-to-perfectmoney-exchange': ['PAYPAL_USD', 'PMV_USD'],
  'paypal-to-tether-exchange': ['PAYPAL_USD', 'USDT_TRC20'],
  'paypal-to-webmoney-exchange': ['PAYPAL_USD', 'WMZ'],
};

/** Pairs of coins that most people look for; switched on both ways, beside the named pages. */
const USUAL: readonly Pair[] = [
  ...USDT.flatMap((usdt): Pair[] => [
    ['BTC', usdt],
    ['ETH', usdt],
  ]),
  ['BTC', 'ETH'],
  ['BTC', 'TRX'],
  ['BTC', 'BNB'],
  ['BNB', 'USDT_BEP20'],
  // One unit on three chains: moving it between them costs what the networks do, and half a percent.
  ['USDT_ERC20', 'USDT_TRC20'],
  ['USDT_ERC20', 'USDT_BEP20'],
  ['USDT_TRC20', 'USDT_BEP20'],
];

const reverse = ([from, to]: Pair): Pair => [to, from];
const bothWays = (pairs: readonly Pair[]): Pair[] => pairs.flatMap((pair) => [pair, reverse(pair)]);
const across = (froms: readonly string[], tos: readonly string[]): Pair[] =>
  froms.flatMap((from) => tos.map((to): Pair => [from, to]));
const among = (codes: readonly string[]): Pair[] => across(codes, codes).filter(([from, to]) => from !== to);

/** Every pair that is sensible, those of the named pages first. */
const PAIRS: readonly Pair[] = [
  ...Object.values(NAMED),
  ...among(COINS),
  ...across(RECEIVED, ['BTC', 'USDT_ERC20', 'USDT_TRC20', 'PAYPAL_USD']),
  ...bothWays(across(WALLETS.USD, ['BTC', 'ETH', 'USDT_ERC20', 'USDT_TRC20'])),
  ...bothWays(across(WALLETS.EUR, ['BTC', 'USDT_TRC20'])),
  ...bothWays(across(WALLETS.RUB, ['BTC', 'USDT_TRC20'])),
  ...among(WALLETS.USD).filter(([from, to]) => [from, to].some((code) => /^(PAYPAL|PAYEER)/.test(code))),
  ...bothWays(across(['PAYPAL_EUR'], WALLETS.EUR.slice(1))),
];

const keyOf = ([from, to]: Pair): string => `${from} ${to}`;
const SLUGS: ReadonlyMap<string, string> = new Map(Object.entries(NAMED).map(([slug, pair]) => [keyOf(pair), slug]));
const ON: ReadonlySet<string> = new Set([...Object.values(NAMED), ...bothWays(USUAL)].map(keyOf));

const isCoin = (code: string): boolean => (COINS as readonly string[]).includes(code) || RECEIVED.some((one) => one === code);
const isRouble = (code: string): boolean => code.endsWith('_RUB');

/**
 * The list price of a pair in percent: 5 where PayPal is received (it can be taken back), 0.5 between coins, 1.5 between
 * coins and e-money, and 3 between two systems of e-money (one system's dollar may be worth less than another's, and the
 * desk is left with it) and for roubles, whose price a person sets by hand.
 */
function percentOf([from, to]: Pair): string {
  if (from.startsWith('PAYPAL')) return '5';
  if (isCoin(from) && isCoin(to)) return '0.5';
  if (isRouble(from) || isRouble(to)) return '3';
  return isCoin(from) || isCoin(to) ? '1.5' : '3';
}

/** What one payment by PayPal carries at most. */
const MOST: Readonly<Record<string, string>> = { PAYPAL_USD: '20000', PAYPAL_EUR: '18000' };

/** The page of a pair: `/services/<slug>`. */
export function slugOf(from: string, to: string): string {
  return SLUGS.get(keyOf([from, to])) ?? `${from}-${to}`.toLowerCase().replaceAll('_', '-');
}

/** Every direction that a desk begins with, whatever rails there are; those of `explicit` pairs are left out. */
export function seedDirections(explicit: readonly { readonly from: string; readonly to: string }[] = []): DirectionInput[] {
  const known = new Set(explicit.map(({ from, to }) => keyOf([from, to])));
  const pairs = new Map(PAIRS.map((pair) => [keyOf(pair), pair]));
  return [...pairs.values()]
    .filter((pair) => !known.has(keyOf(pair)))
    .map((pair, index) => ({
      slug: slugOf(...pair),
      from: pair[0],
      to: pair[1],
      spread: [{ from: '0', percent: percentOf(pair) }],
      max: MOST[pair[0]] ?? null,
      isOn: ON.has(keyOf(pair)),
      position: 100 + index,
    }));
}
