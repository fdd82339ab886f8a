import { z } from 'zod';
import { reportOdd } from '../odd.ts';

/**
 * Schemas of an Esplora server's answers. README.md lists each field, its possible values and the handling of impossible ones.
 * An impossible row is left out alone. An impossible field that a payment can do without is left out of its row.
 */

const RAIL = 'bitcoin';
/** Maximum height of a block: thirty years of one block a second. */
const MAX_HEIGHT = 1_000_000_000;
/** Maximum supply of bitcoin, in satoshi. */
const MAX_SATOSHI = 2_100_000_000_000_000;

export const txid = z.string().regex(/^[0-9a-f]{64}$/);
export const height = z.int().min(0).max(MAX_HEIGHT);
const satoshi = z
  .int()
  .min(0)
  .max(MAX_SATOSHI)
  .transform((value) => BigInt(value));

/** Makes a field optional: an impossible value is reported and left out. */
const spare = <T extends z.ZodType>(field: string, schema: T) =>
  schema.optional().catch(({ value }) => {
    reportOdd(RAIL, field, { value });
    return undefined;
  });

/** Seconds since 1970, up to the year 2200. A miner's clock set them, so no closer bound is checked. */
const seconds = z.int().min(1).max(7_258_118_400);

const status = z.union([
  z.object({ confirmed: z.literal(true), block_height: height, block_hash: txid, block_time: spare('block_time', seconds) }),
  z.object({ confirmed: z.literal(false) }),
]);

const script = z.string().regex(/^([0-9a-f]{2})*$/);
const prevout = z.object({ scriptpubkey_address: z.string().max(100).optional() });
const output = z.object({ scriptpubkey: script, scriptpubkey_address: z.string().max(100).optional(), value: satoshi });
const input = z.object({
  txid,
  vout: z.int().min(0).max(0xffffffff),
  sequence: spare('sequence', z.int().min(0).max(0xffffffff)),
  is_coinbase: z.boolean(),
  prevout: spare('prevout', prevout.nullable()),
});

export const transaction = z.object({
  txid,
  vin: z.array(input),
  // An impossible output pays nobody. It becomes null, so that the others keep their index.
  vout: z.array(
    output.nullable().catch(({ value }) => {
      reportOdd(RAIL, 'vout', { value });
      return null;
    }),
  ),
  weight: spare('weight', z.int().positive().max(4_000_000)),
  fee: spare('fee', satoshi),
  status,
});

const unspent = z.object({ txid, vout: z.int().min(0).max(0xffffffff), value: satoshi, status });
export const spending = z.object({ spent: z.boolean(), txid: txid.optional(), status: spare('outspend.status', status) });
export const block = z.object({ timestamp: seconds });

export type Transaction = z.output<typeof transaction>;
export type Unspent = z.output<typeof unspent>;
export type Spending = z.output<typeof spending>;

/** A page of an address's transactions. `last`: id of the oldest mined one, to page on from; absent if none is mined. */
export interface Page {
  readonly transactions: readonly Transaction[];
  readonly last?: string | undefined;
}

/** Reads a list row by row. An impossible row is reported and left out. */
function rows<T extends z.ZodType>(field: string, schema: T, list: readonly unknown[]): z.output<T>[] {
  return list.flatMap((row) => {
    const read = schema.safeParse(row);
    if (read.success) return [read.data];
    reportOdd(RAIL, field, { row, why: z.prettifyError(read.error).slice(0, 300) });
    return [];
  });
}

const mined = z.object({ txid, status: z.object({ confirmed: z.literal(true) }) });

/** Returns the readable transactions of a page. A mined row that can't be read is left out, but paging continues from its id. */
export function pageOf(list: readonly unknown[]): Page {
  const last = list.map((row) => mined.safeParse(row).data).findLast((row) => row !== undefined);
  return { transactions: rows('transaction', transaction, list), last: last?.txid };
}

/** Returns the coins at an address, each once. An impossible coin is reported and left out. */
export function coinsOf(list: readonly unknown[]): Unspent[] {
  return [...new Map(rows('utxo', unspent, list).map((coin) => [`${coin.txid}:${coin.vout}`, coin])).values()];
}

const blocks = z.string().regex(/^[1-9]\d{0,4}$/);
/** Satoshi per virtual byte. No block was ever full of transactions above this maximum. */
const rate = z.number().positive().max(1e6);

/**
 * Returns fee rates in millisatoshi per virtual byte, by the number of blocks within which they get a transaction mined. An
 * impossible estimate is reported and left out alone.
 */
export function estimatesOf(answer: Readonly<Record<string, unknown>>): ReadonlyMap<number, bigint> {
  return new Map(
    Object.entries(answer).flatMap(([within, request]) => {
      const read = rate.safeParse(request);
      if (!blocks.safeParse(within).success || !read.success) {
        reportOdd(RAIL, 'fee-estimates', { within, requested: request });
        return [];
      }
      // An estimate is not an amount of money, so it may be rounded up to whole millisatoshi.
      return [[Number.parseInt(within, 10), BigInt(Math.ceil(read.data * 1000))] as const];
    }),
  );
}
