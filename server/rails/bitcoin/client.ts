import { z } from 'zod';

/**
 * The Esplora HTTP API (github.com/Blockstream/esplora, API.md): what we ask and how we read it. Every answer is
 * checked for its shape; whatever doesn't fit counts as no answer.
 */

/** No usable answer: whether a call had an effect is unknown. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

const txid = z.string().regex(/^[0-9a-f]{64}$/);
const satoshi = z
  .int()
  .min(0)
  .transform((value) => BigInt(value));

const status = z.union([
  z.object({ confirmed: z.literal(true), block_height: z.int().min(0), block_hash: txid, block_time: z.int().min(0) }),
  z.object({ confirmed: z.literal(false) }),
]);

const output = z.object({
  scriptpubkey: z.string().regex(/^([0-9a-f]{2})*$/),
  scriptpubkey_address: z.string().optional(),
  value: satoshi,
});

const transaction = z.object({
  txid,
  vin: z.array(
    z.object({ txid, vout: z.int().min(0), sequence: z.int().min(0), is_coinbase: z.boolean(), prevout: output.nullish() }),
  ),
  vout: z.array(output),
  weight: z.int().positive(),
  fee: satoshi,
  status,
});

const unspent = z.object({ txid, vout: z.int().min(0), value: satoshi, status });
const spending = z.object({ spent: z.boolean(), txid: txid.optional(), status: status.optional() });
const estimates = z.record(z.string().regex(/^\d{1,5}$/), z.number().positive().max(1e6));

export type Transaction = z.output<typeof transaction>;
export type Unspent = z.output<typeof unspent>;
type Spending = z.output<typeof spending>;

export interface Esplora {
  tipHeight(): Promise<number>;
  blockHash(height: number): Promise<string>;
  /** Undefined for a transaction that is neither mined nor waiting. */
  transaction(id: string): Promise<Transaction | undefined>;
  /** The raw transaction in hex; undefined like `transaction`. */
  raw(id: string): Promise<string | undefined>;
  /** Everything that touches an address, waiting ones first, back to a height; each transaction once. */
  history(address: string, sinceHeight: number): Promise<Transaction[]>;
  unspent(address: string): Promise<Unspent[]>;
  spending(id: string, vout: number): Promise<Spending>;
  /** Millisatoshi per virtual byte by the number of blocks within which that gets mined. */
  feeEstimates(): Promise<ReadonlyMap<number, bigint>>;
  /** Broadcasts. `ok: false` is the node's own refusal, with its words. */
  broadcast(
    raw: string,
  ): Promise<{ readonly ok: true; readonly txid: string } | { readonly ok: false; readonly message: string }>;
}

/** Largest answer that is read, and most calls under way at once. */
const MOST_BYTES = 20_000_000;
const MOST_CALLS = 8;
/** Esplora lists confirmed transactions by pages of 25. */
const PAGE = 25;
const MOST_PAGES = 40;

/** A client of one Esplora server; each call is given up after `timeoutMs` and then throws Unreachable. */
export function openEsplora(base: string, timeoutMs: number): Esplora {
  const gate = openGate(MOST_CALLS);
  const call = (path: string, init: RequestInit = {}): Promise<Reply> => gate(() => fetchText(`${base}${path}`, init, timeoutMs));
  const found = async (path: string): Promise<string> => {
    const { status, text } = await call(path);
    if (status !== 200) throw new Unreachable(`Esplora answered ${status} to ${path}: ${text.slice(0, 200)}`);
    return text;
  };
  const maybe = async (path: string): Promise<string | undefined> => {
    const { status, text } = await call(path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Unreachable(`Esplora answered ${status} to ${path}: ${text.slice(0, 200)}`);
    return text;
  };
  return {
    tipHeight: async () => read(z.int().min(0), await found('/blocks/tip/height')),
    blockHash: async (height) => check(txid, (await found(`/block-height/${height}`)).trim()),
    transaction: async (id) => {
      const text = await maybe(`/tx/${id}`);
      return text === undefined ? undefined : read(transaction, text);
    },
    raw: async (id) => {
      const text = await maybe(`/tx/${id}/hex`);
      return text === undefined ? undefined : check(z.string().regex(/^([0-9a-f]{2})+$/), text.trim());
    },
    history: async (address, sinceHeight) => {
      const list = z.array(transaction);
      const all = read(list, await found(`/address/${address}/txs`));
      for (let page = 1, last = lastOf(all, sinceHeight, PAGE); last !== undefined; page += 1) {
        if (page > MOST_PAGES) throw new Unreachable(`${address} has more transactions than can be read`);
        const more = read(list, await found(`/address/${address}/txs/chain/${last}`));
        all.push(...more);
        last = lastOf(more, sinceHeight, PAGE);
      }
      return once(all);
    },
    unspent: async (address) => {
      const coins = read(z.array(unspent), await found(`/address/${address}/utxo`));
      return [...new Map(coins.map((coin) => [`${coin.txid}:${coin.vout}`, coin])).values()];
    },
    spending: async (id, vout) => read(spending, await found(`/tx/${id}/outspend/${vout}`)),
    feeEstimates: async () => {
      const rates = read(estimates, await found('/fee-estimates'));
      // An estimate is no sum of money: rounding it up to whole thousandths loses nothing that anybody is owed.
      return new Map(
        Object.entries(rates).map(([blocks, rate]) => [Number.parseInt(blocks, 10), BigInt(Math.ceil(rate * 1000))]),
      );
    },
    broadcast: async (raw) => {
      const { status, text } = await call('/tx', { method: 'POST', body: raw, headers: { 'content-type': 'text/plain' } });
      if (status === 200) return { ok: true, txid: check(txid, text.trim()) };
      if (status === 400) return { ok: false, message: text.slice(0, 500) };
      throw new Unreachable(`Esplora answered ${status} to a broadcast`);
    },
  };
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function fetchText(url: string, init: RequestInit, timeoutMs: number): Promise<Reply> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MOST_BYTES) throw new Error('the answer is too long');
      chunks.push(chunk);
    }
    return { status: response.status, text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    throw new Unreachable(`Esplora did not answer: ${error instanceof Error ? error.message : 'unknown'}`, error);
  }
}

function read<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Unreachable('Esplora answered something else than JSON', error);
  }
  return check(schema, value);
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw new Unreachable(`Esplora answered in another form: ${z.prettifyError(result.error).slice(0, 300)}`);
  return result.data;
}

/** The id to page on from, or undefined where nothing older is asked for. */
function lastOf(page: readonly Transaction[], sinceHeight: number, size: number): string | undefined {
  const confirmed = page.filter(({ status: at }) => at.confirmed);
  const last = confirmed.at(-1);
  if (confirmed.length < size || !last?.status.confirmed || last.status.block_height < sinceHeight) return undefined;
  return last.txid;
}

/** Each transaction once; one that was mined between two reads counts as mined. */
function once(all: readonly Transaction[]): Transaction[] {
  const byId = new Map<string, Transaction>();
  for (const tx of all) if (!byId.get(tx.txid)?.status.confirmed) byId.set(tx.txid, tx);
  return [...byId.values()];
}

function openGate(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
