import type { Fraction } from '@kurs/money';
import { monotonicMs } from '../platform/index.ts';
import { SOURCES, type Source, priceOfBook } from './sources.ts';
import type { Asset } from './store.ts';

const TIMEOUT_MS = 4_000;
/** No documented answer comes near this size. */
const LARGEST_ANSWER = 200_000;

/** One source's price of one asset in USD, and when it said so (monotonic milliseconds). */
export interface Heard {
  readonly price: Fraction;
  readonly at: number;
}

export interface Answers {
  /** By source, by asset. A source that answered for some assets only stands here and among the failed. */
  readonly books: ReadonlyMap<string, Map<string, Heard>>;
  readonly failed: ReadonlyMap<string, unknown>;
}

interface Asking {
  readonly source: Source;
  readonly call: ReturnType<Source['calls']>[number];
  /** What its symbols are to us. */
  readonly bySymbol: ReadonlyMap<string, string>;
}

/**
 * Symbols that a source said it doesn't list, as `<source> <symbol>`, and until when they aren't asked for (monotonic
 * milliseconds).
 */
export type Unlisted = Map<string, number>;

/** After so long a source is asked again for what it didn't list: it may have come, or come back. */
const UNLISTED_MS = 10 * 60_000;

/**
 * Asks every source for every asset that it has a symbol for, all at once, 4 s at most for a call. A failure (no answer,
 * another answer than documented, a book that is no price) concerns that source and asset only: where one symbol of a call
 * isn't listed, all of them are asked for one by one, and that one is left out for ten minutes (noted in `unlisted`).
 */
export async function ask(
  assets: readonly Asset[],
  bases: Readonly<Record<string, string>>,
  unlisted: Unlisted = new Map(),
): Promise<Answers> {
  const books = new Map<string, Map<string, Heard>>();
  const failed = new Map<string, unknown>();
  for (const [name, until] of unlisted) if (monotonicMs() >= until) unlisted.delete(name);
  const calls = SOURCES.flatMap((source) => {
    const bySymbol = new Map(
      assets.flatMap(({ code, symbols: { [source.id]: symbol } }) =>
        !symbol || unlisted.has(`${source.id} ${symbol}`) ? [] : [[symbol, code]],
      ),
    );
    return bySymbol.size === 0 ? [] : source.calls([...bySymbol.keys()]).map((call) => ({ source, call, bySymbol }));
  });
  await Promise.all(calls.map(askOne));
  return { books, failed };

  async function askOne({ source, call, bySymbol }: Asking): Promise<void> {
    try {
      const answer = await get(`${bases[source.id] ?? source.base}${call.path}`);
      const isUnlisted = source.isUnlisted?.(answer) === true;
      if (isUnlisted && call.symbols.length > 1) {
        const apart = call.symbols.flatMap((symbol) => source.calls([symbol]));
        await Promise.all(apart.map((one) => askOne({ source, call: one, bySymbol })));
        return;
      }
      if (isUnlisted) unlisted.set(`${source.id} ${call.symbols[0]}`, monotonicMs() + UNLISTED_MS);
      for (const symbol of call.symbols) hear(source, answer, symbol, bySymbol.get(symbol) as string);
    } catch (error) {
      failed.set(source.id, error);
    }
  }

  function hear(source: Source, answer: unknown, symbol: string, asset: string): void {
    try {
      const price = priceOfBook(source.book(answer, symbol));
      const heard = books.get(source.id) ?? new Map<string, Heard>();
      books.set(source.id, heard.set(asset, { price, at: monotonicMs() }));
    } catch (error) {
      failed.set(source.id, error);
    }
  }
}

async function get(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${response.status} from ${new URL(url).host}`);
  const text = await response.text();
  if (text.length > LARGEST_ANSWER) throw new Error(`${text.length} characters from ${new URL(url).host}`);
  return JSON.parse(text);
}
