import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import { type Market, noise, walk } from './walk.ts';

/**
 * Options of three markets, served as their providers do: Kraken, Coinbase Exchange and Bitstamp, all from one seeded random
 * walk. They are mounted below `/sandbox/rates`: `/sandbox/rates/kraken/0/public/Ticker?pair=XXBTZUSD`,
 * `…/coinbase/products/BTC-USD/ticker` and `…/bitstamp/api/v2/ticker/btcusd/`.
 */
export interface RatesOptions {
  readonly seed?: string;
  /** Faults of the answers. */
  readonly faults?: Faults;
  /** Shifts of assets' prices at all sources, in millionths; missing ones are not shifted. */
  readonly moves?: ReadonlyMap<string, bigint>;
  /** Time in ms since 1970; tests replace it. */
  readonly now?: () => number;
}

const CENTS = 100_000_000n;
const MILLION = 1_000_000n;

const CENT = CENTS / 100n;

const MARKETS: Readonly<Record<string, Market>> = {
  BTC: { base: 90_000n * CENTS, share: 100n },
  ETH: { base: 3_000n * CENTS, share: 100n },
  BNB: { base: 900n * CENTS, share: 100n },
  LTC: { base: 100n * CENTS, share: 100n },
  TRX: { base: 30n * CENT, share: 100n },
  DOGE: { base: 20n * CENT, share: 100n },
  EUR: { base: 110n * CENT, share: 20n },
  USDT: { base: CENTS, share: 1n },
};

/** Names of pairs at Kraken; its answers use the first one. */
const KRAKEN_NAMES: Readonly<Record<string, readonly string[]>> = {
  BTC: ['XXBTZUSD', 'XBTUSD'],
  ETH: ['XETHZUSD', 'ETHUSD'],
  BNB: ['BNBUSD'],
  LTC: ['XLTCZUSD', 'LTCUSD'],
  TRX: ['TRXUSD'],
  DOGE: ['XDGUSD'],
  EUR: ['ZEURZUSD', 'EURUSD'],
  USDT: ['USDTZUSD', 'USDTUSD'],
};
const KRAKEN = new Map(Object.entries(KRAKEN_NAMES).flatMap(([asset, names]) => names.map((name) => [name, asset] as const)));
/** Name of each asset's pair in Kraken's answers. */
const KRAKEN_NAME = new Map(Object.entries(KRAKEN_NAMES).map(([asset, [name]]) => [asset, name as string]));

/**
 * Returns an asset if the market lists it and the source does not exclude it, since no real source lists all assets. Undefined
 * otherwise.
 */
const listed = (asset: string | undefined, except: readonly string[] = []): string | undefined =>
  asset !== undefined && Object.hasOwn(MARKETS, asset) && !except.includes(asset) ? asset : undefined;

interface Book {
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
}

/** Adds the three markets to a scope whose prefix is `/sandbox/rates`. */
export function mountRates(scope: FastifyInstance, { seed = 'kurs', faults, moves, now = Date.now }: RatesOptions = {}): void {
  faults?.mount(scope);
  const book = (source: string, asset: string): Book => bookOf(seed, source, asset, now(), moves?.get(asset));

  scope.get<{ Querystring: { pair?: string } }>('/kraken/0/public/Ticker', async ({ query }) => {
    const pairs = (query.pair ?? [...KRAKEN_NAME.values()].join(',')).split(',');
    const assets = pairs.map((pair) => KRAKEN.get(pair));
    if (assets.includes(undefined)) return { error: ['EQuery:Unknown asset pair'] };
    return {
      error: [],
      result: Object.fromEntries(assets.map((asset = '') => [KRAKEN_NAME.get(asset), krakenTicker(book('kraken', asset))])),
    };
  });

  scope.get<{ Params: { product: string } }>('/coinbase/products/:product/ticker', async ({ params }, reply) => {
    const asset = listed(/^([A-Z]+)-USD$/.exec(params.product)?.[1], ['EUR', 'TRX']);
    if (asset === undefined) return reply.code(404).send({ message: 'NotFound' });
    const { bid, ask, last } = book('coinbase', asset);
    const time = new Date(now());
    return {
      ask,
      bid,
      volume: '5360.20394015',
      trade_id: Math.floor(time.getTime() / 1_000),
      price: last,
      size: '0.00698254',
      time: time.toISOString(),
    };
  });

  scope.get<{ Params: { pair: string } }>('/bitstamp/api/v2/ticker/:pair/', async ({ params }, reply) => {
    const asset = listed(/^([a-z]+)usd$/.exec(params.pair)?.[1]?.toUpperCase(), ['BNB']);
    if (asset === undefined) return reply.code(404).send({ code: '404.002', message: 'Currency pair not found.' });
    return bitstampTicker(book('bitstamp', asset), now());
  });
}

function krakenTicker({ bid, ask, last }: Book): Record<string, unknown> {
  const twice = [last, last];
  return {
    a: [ask, '1', '1.000'],
    b: [bid, '1', '1.000'],
    c: [last, '0.00698254'],
    v: ['1200.1', '2400.2'],
    p: twice,
    t: [9_000, 18_000],
    l: twice,
    h: twice,
    o: last,
  };
}

function bitstampTicker({ bid, ask, last }: Book, milliseconds: number): Record<string, string> {
  const day = { open: last, high: last, low: last, vwap: last, open_24: last, percent_change_24: '0.00' };
  return {
    ...day,
    timestamp: Math.floor(milliseconds / 1_000).toString(),
    last,
    volume: '1532.10715844',
    bid,
    ask,
    side: '0',
    market_type: 'SPOT',
  };
}

/**
 * Returns one source's order book: the walk with a deviation of up to 0.01 % that changes every ten seconds, and a spread of 0.01
 * %.
 */
function bookOf(seed: string, source: string, asset: string, milliseconds: number, moved = 0n): Book {
  const price = (walk(seed, asset, MARKETS[asset] as Market, milliseconds) * (MILLION + moved)) / MILLION;
  const off = noise(`${seed} ${source} ${asset} ${Math.floor(milliseconds / 10_000)}`) / 10_000n;
  const middle = (price * (1_000_000_000n + off)) / 1_000_000_000n;
  const half = middle / 20_000n;
  return { bid: decimals(middle - half), ask: decimals(middle + half), last: decimals(middle) };
}

const decimals = (parts: bigint): string => `${parts / CENTS}.${(parts % CENTS).toString().padStart(8, '0')}`;
