// The directions that a desk begins with, as rules over the catalogue (`defaults.json`): which kinds of money are exchanged for
// which, at what list price.

import { assetOf } from '@kurs/money';
import type { DirectionInput } from '../../pricing/index.ts';
import defaults from './defaults.json' with { type: 'json' };

const USDT = ['USDT_ERC20', 'USDT_TRC20', 'USDT_BEP20'] as const;
const COINS = ['BTC', 'ETH', 'BNB', 'TRX', ...USDT] as const;
/** Received through a hosted gateway that pays nothing out. */
const RECEIVED = ['LTC', 'DOGE'] as const;

/** How a currency is dealt, where it is not as others of its kind. */
interface Dealt {
  /** E-money that is exchanged for all other of its asset, and for it. */
  readonly forAll?: boolean;
  /** The list price in percent where it is received, whatever is paid out. */
  readonly percent?: string;
  /** What one payment by it carries at most. */
  readonly most?: string;
}

const DEALT: Readonly<Record<string, Dealt>> = defaults.dealt;
/** Systems of e-money that keep an asset, in the order of the catalogue. */
const walletsOf = (asset: string): readonly string[] =>
  defaults.currencies.filter(({ code, kind }) => kind === 'ewallet' && assetOf(code) === asset).map(({ code }) => code);
const isForAll = (code: string): boolean => DEALT[code]?.forAll === true;
const [USD, EUR, RUB] = [walletsOf('USD'), walletsOf('EUR'), walletsOf('RUB')];

type Pair = readonly [from: string, to: string];

/** Pages that people know by their names, and the reverse of each. */
const NAMED = defaults.pages as unknown as Readonly<Record<string, Pair>>;

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
 * The list price of a pair in percent: what the catalogue says of what is received (5 where that can be taken back), 0.5 between coins, 1.5 between
 * coins and e-money, and 3 between two systems of e-money (one system's dollar may be worth less than another's, and the
 * desk is left with it) and for roubles, whose price a person sets by hand.
 */
function percentOf([from, to]: Pair): string {
  const own = DEALT[from]?.percent;
  if (own !== undefined) return own;
  if (isCoin(from) && isCoin(to)) return '0.5';
  if (isRouble(from) || isRouble(to)) return '3';
  return isCoin(from) || isCoin(to) ? '1.5' : '3';
}

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
      max: DEALT[pair[0]]?.most ?? null,
      isOn: ON.has(keyOf(pair)),
      position: 100 + index,
    }));
}
