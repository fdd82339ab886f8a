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

/**
 * Asks every source for every asset that it has a symbol for, all at once, 4 s at most. A failure (no answer, another
 * answer than documented, a book that is no price) concerns that source and asset only.
 */
export async function ask(assets: readonly Asset[], bases: Readonly<Record<string, string>>): Promise<Answers> {
  const books = new Map<string, Map<string, Heard>>();
  const failed = new Map<string, unknown>();
  const calls = SOURCES.flatMap((source) => {
    const bySymbol = new Map(
      assets.flatMap(({ code, symbols }) => (symbols[source.id] ? [[symbols[source.id] as string, code]] : [])),
    );
    return bySymbol.size === 0 ? [] : source.calls([...bySymbol.keys()]).map((call) => ({ source, call, bySymbol }));
  });
  await Promise.all(
    calls.map(async ({ source, call, bySymbol }) => {
      try {
        const answer = await get(`${bases[source.id] ?? source.base}${call.path}`);
        for (const symbol of call.symbols) hear(source, answer, symbol, bySymbol.get(symbol) as string);
      } catch (error) {
        failed.set(source.id, error);
      }
    }),
  );
  return { books, failed };

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
