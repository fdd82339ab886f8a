// The initial directions of a desk, as rules over the catalogue (`defaults.json`): pairs of currencies and their list prices.

import { assetOf } from '@kurs/money';
import type { DirectionInput } from '../../pricing/index.ts';
import defaults from './defaults.json' with { type: 'json' };

const USDT = ['USDT_ERC20', 'USDT_TRC20', 'USDT_BEP20'] as const;
const COINS = ['BTC', 'ETH', 'BNB', 'TRX', ...USDT] as const;
/** Currencies received through a hosted gateway, which can't pay out. */
const RECEIVED = ['LTC', 'DOGE'] as const;

/** Exceptions of a currency from the rules of its kind. */
interface Dealt {
  /** True if it is exchanged with all other e-money of its asset, both ways. */
  readonly isForAll?: boolean;
  /** List price in percent when it is received, whatever is paid out. */
  readonly percent?: string;
  /** Maximum amount of one payment. */
  readonly max?: string;
}

const DEALT: Readonly<Record<string, Dealt>> = defaults.dealt;
/** Returns the e-money currencies of an asset, in the order of the catalogue. */
const walletsOf = (asset: string): readonly string[] =>
  defaults.currencies.filter(({ code, kind }) => kind === 'ewallet' && assetOf(code) === asset).map(({ code }) => code);
const isForAll = (code: string): boolean => DEALT[code]?.isForAll === true;
const [USD, EUR, RUB] = [walletsOf('USD'), walletsOf('EUR'), walletsOf('RUB')];

type Pair = readonly [from: string, to: string];

/** Pairs whose pages have well-known names, by the page's slug. They are switched on. */
const NAMED = defaults.pages as unknown as Readonly<Record<string, Pair>>;

/** Popular pairs of coins, which are also switched on, both ways. */
const USUAL: readonly Pair[] = [
  ...USDT.flatMap((usdt): Pair[] => [
    ['BTC', usdt],
    ['ETH', usdt],
  ]),
  ['BTC', 'ETH'],
  ['BTC', 'TRX'],
  ['BTC', 'BNB'],
  ['BNB', 'USDT_BEP20'],
  // One unit on three chains: a transfer between them costs the network fees and half a percent.
  ['USDT_ERC20', 'USDT_TRC20'],
  ['USDT_ERC20', 'USDT_BEP20'],
  ['USDT_TRC20', 'USDT_BEP20'],
];

const reverse = ([from, to]: Pair): Pair => [to, from];
const bothWays = (pairs: readonly Pair[]): Pair[] => pairs.flatMap((pair) => [pair, reverse(pair)]);
const across = (froms: readonly string[], tos: readonly string[]): Pair[] =>
  froms.flatMap((from) => tos.map((to): Pair => [from, to]));
const among = (codes: readonly string[]): Pair[] => across(codes, codes).filter(([from, to]) => from !== to);

/** Every pair that makes sense, those of the named pages first. */
const PAIRS: readonly Pair[] = [
  ...Object.values(NAMED),
  ...among(COINS),
  ...across(RECEIVED, ['BTC', 'USDT_ERC20', 'USDT_TRC20', 'PAYPAL_USD']),
  ...bothWays(across(USD, ['BTC', 'ETH', 'USDT_ERC20', 'USDT_TRC20'])),
  ...bothWays(across(EUR, ['BTC', 'USDT_TRC20'])),
  ...bothWays(across(RUB, ['BTC', 'USDT_TRC20'])),
  ...among(USD).filter((pair) => pair.some(isForAll)),
  ...bothWays(
    across(
      EUR.filter(isForAll),
      EUR.filter((code) => !isForAll(code)),
    ),
  ),
];

const keyOf = ([from, to]: Pair): string => `${from} ${to}`;
const SLUGS: ReadonlyMap<string, string> = new Map(Object.entries(NAMED).map(([slug, pair]) => [keyOf(pair), slug]));
const ON: ReadonlySet<string> = new Set([...Object.values(NAMED), ...bothWays(USUAL)].map(keyOf));

const isCoin = (code: string): boolean => (COINS as readonly string[]).includes(code) || RECEIVED.some((one) => one === code);
const isRouble = (code: string): boolean => code.endsWith('_RUB');

/**
 * Returns the list price of a pair in percent: the catalogue's for the received currency, if set (5 where payments can be
 * reversed); 0.5 between coins; 1.5 between coins and e-money; 3 for roubles, whose price a person sets by hand, and between two
 * systems of e-money, whose dollars may differ in worth.
 */
function percentOf([from, to]: Pair): string {
  const own = DEALT[from]?.percent;
  if (own !== undefined) return own;
  if (isCoin(from) && isCoin(to)) return '0.5';
  if (isRouble(from) || isRouble(to)) return '3';
  return isCoin(from) || isCoin(to) ? '1.5' : '3';
}

/** Returns the slug of a pair's page: `/services/<slug>`. */
export function slugOf(from: string, to: string): string {
  return SLUGS.get(keyOf([from, to])) ?? `${from}-${to}`.toLowerCase().replaceAll('_', '-');
}

/** Returns all initial directions, whatever rails exist, except those of the `explicit` pairs. */
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
      max: DEALT[pair[0]]?.max ?? null,
      isOn: ON.has(keyOf(pair)),
      position: 100 + index,
    }));
}
