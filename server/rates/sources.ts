import { type Fraction, decimal } from '@kurs/money';
import { z } from 'zod';
import { compareFractions, furtherApart, middle } from './compare.ts';

/** A public market. Requests and answers follow the provider's documented protocol. */
export interface Source {
  readonly id: string;
  /** Its default address. */
  readonly base: string;
  /** Returns the calls that fetch the books of these symbols: paths below the base URL. */
  calls(symbols: readonly string[]): readonly { readonly path: string; readonly symbols: readonly string[] }[];
  /** True if an answer only says that one symbol of the call isn't listed: it then says nothing about the others. */
  isUnlisted?(answer: unknown): boolean;
  /** Returns the book of one symbol in an answer. Throws for an undocumented answer. */
  book(answer: unknown, symbol: string): Book;
}

/** The best bid and ask as plain decimals. */
export interface Book {
  readonly bid: string;
  readonly ask: string;
}

const price = z.string().regex(/^(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?$/);
const oneEach = (path: (symbol: string) => string) => (symbols: readonly string[]) =>
  symbols.map((symbol) => ({ path: path(symbol), symbols: [symbol] }));

/** [price, whole lot volume, lot volume] */
const level = z.tuple([price, z.string(), z.string()]);
const krakenAnswer = z.object({
  error: z.array(z.string()).length(0),
  result: z.record(z.string(), z.unknown()),
});
/** Only the requested symbol is read from the answer; others are ignored. */
const krakenTicker = z.object({ a: level, b: level });

const krakenUnlisted = z.object({ error: z.array(z.string()).refine((errors) => errors.includes('EQuery:Unknown asset pair')) });

/**
 * docs.kraken.com/api-reference/market-data/get-ticker-information. Symbols are its own names: `XXBTZUSD`. One unknown name
 * fails the whole call.
 */
const kraken: Source = {
  id: 'kraken',
  base: 'https://api.kraken.com',
  calls: (symbols) => [{ path: `/0/public/Ticker?pair=${symbols.join(',')}`, symbols }],
  isUnlisted: (answer) => krakenUnlisted.safeParse(answer).success,
  book(answer, symbol) {
    const found = krakenAnswer.parse(answer).result[symbol];
    if (!found) throw new RangeError(`No ${symbol} in the answer`);
    const { a, b } = krakenTicker.parse(found);
    return { bid: b[0], ask: a[0] };
  },
};

const coinbaseAnswer = z.object({ bid: price, ask: price, trade_id: z.int(), time: z.iso.datetime() });

/** docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-ticker. Symbols like `BTC-USD`. */
const coinbase: Source = {
  id: 'coinbase',
  base: 'https://api.exchange.coinbase.com',
  calls: oneEach((symbol) => `/products/${symbol}/ticker`),
  book: (answer) => coinbaseAnswer.parse(answer),
};

const bitstampAnswer = z.object({ bid: price, ask: price, timestamp: z.string().regex(/^[0-9]+$/) });

/** www.bitstamp.net/api, "Ticker". Symbols like `btcusd`. */
const bitstamp: Source = {
  id: 'bitstamp',
  base: 'https://www.bitstamp.net',
  calls: oneEach((symbol) => `/api/v2/ticker/${symbol}/`),
  book: (answer) => bitstampAnswer.parse(answer),
};

/** Every supported market. */
export const SOURCES: readonly Source[] = [kraken, coinbase, bitstamp];

/** Maximum width of a book: in a wider one somebody has emptied one side. */
const WIDEST: Fraction = { numerator: 1n, denominator: 100n };

/** Returns the mid price of a book. Throws a RangeError if it is empty, crossed or wider than 1 %. */
export function priceOfBook(book: Book): Fraction {
  const [bid, ask] = [decimal(book.bid), decimal(book.ask)];
  if (bid.numerator === 0n) throw new RangeError('The book has no bid');
  if (compareFractions(bid, ask) > 0) throw new RangeError('The book is crossed');
  if (furtherApart(bid, ask, WIDEST)) throw new RangeError('The book is wider than 1 %');
  return middle(bid, ask);
}
