import type { Fraction } from '@kurs/money';
import { monotonicMs } from '../platform/index.ts';
import { SOURCES, type Source, priceOfBook } from './sources.ts';
import type { Asset } from './store.ts';

const TIMEOUT_MS = 4_000;
/** No documented answer comes near this size. */
const LARGEST_ANSWER = 200_000;

/** One source's price of one asset in USD, and the time of its answer (monotonic milliseconds). */
export interface Heard {
  readonly price: Fraction;
  readonly at: number;
}

export interface Answers {
  /** Prices by source, by asset. A source that answered for some assets only is in here and among the failed ones. */
  readonly books: ReadonlyMap<string, Map<string, Heard>>;
  readonly failed: ReadonlyMap<string, unknown>;
}

interface Asking {
  readonly source: Source;
  readonly call: ReturnType<Source['calls']>[number];
  /** Our assets for the source's symbols. */
  readonly bySymbol: ReadonlyMap<string, string>;
}

/**
 * Symbols that a source doesn't list, as `<source> <symbol>`, and the time until which they aren't queried (monotonic
 * milliseconds).
 */
export type Unlisted = Map<string, number>;

/** Time after which a source is queried again for an unlisted symbol: it may have been added, or have returned. */
const UNLISTED_MS = 10 * 60_000;

/**
 * Queries every source for every asset that it has a symbol for, in parallel, at most 4 s for a call. A failure (no answer, an
 * undocumented answer, a book without a valid price) concerns that source and asset only. If one symbol of a call isn't listed,
 * all of them are queried one by one, and that one is left out for ten minutes (noted in `unlisted`).
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
