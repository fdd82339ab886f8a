import { z } from 'zod';
import { monotonicMs } from '../../platform/index.ts';
import {
  type Page,
  type Spending,
  type Transaction,
  type Unspent,
  block,
  coinsOf,
  estimatesOf,
  height,
  pageOf,
  spending,
  transaction,
  txid,
} from './answers.ts';

/**
 * Client of the Esplora HTTP API (github.com/Blockstream/esplora, API.md). The shape of every answer is checked; an answer of
 * another shape counts as none.
 */

/** No usable answer came: it is unknown if the call had an effect. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

export type { Transaction, Unspent } from './answers.ts';

export interface Esplora {
  /** Returns the number of calls made so far. */
  calls(): number;
  /**
   * Returns the same server with a deadline in monotonic milliseconds. A call whose turn comes after the deadline is not made, so
   * that calls of abandoned work don't hold up others.
   */
  within(until: number): Esplora;
  tipHeight(): Promise<number>;
  blockHash(height: number): Promise<string>;
  /** Returns the time of a block, by its miner's clock; used for a transaction without a time. */
  blockTime(hash: string): Promise<Date>;
  /** Returns undefined for a transaction that is neither mined nor waiting. */
  transaction(id: string): Promise<Transaction | undefined>;
  /** Returns the raw transaction in hex; undefined as in `transaction`. */
  raw(id: string): Promise<string | undefined>;
  /** Returns the first transactions of an address: waiting ones, then the newest mined ones. The server decides on their number. */
  newest(address: string): Promise<Page>;
  /** Returns a page of mined transactions older than the transaction `after` ('': the newest). */
  mined(address: string, after: string): Promise<Page>;
  unspent(address: string): Promise<Unspent[]>;
  spending(id: string, vout: number): Promise<Spending>;
  /** Returns rates in millisatoshi per virtual byte, by the number of blocks within which they get a transaction mined. */
  feeEstimates(): Promise<ReadonlyMap<number, bigint>>;
  /** Broadcasts a transaction. `ok: false` is the node's own refusal, with its words. */
  broadcast(
    raw: string,
  ): Promise<{ readonly ok: true; readonly txid: string } | { readonly ok: false; readonly message: string }>;
}

/** Maximum size of an answer. */
const MAX_BYTES = 20_000_000;
/** Maximum number of calls under way at once. */
const MAX_CALLS = 8;
const list = z.array(z.unknown());

/** Returns a client of one Esplora server. A call without an answer within `timeoutMs` throws `Unreachable`. */
export function openEsplora(base: string, timeoutMs: number): Esplora {
  const gate = openGate(MAX_CALLS);
  let calls = 0;
  const open = (until: number): Esplora => ({
    ...interfaceOf((path, init = {}) =>
      gate(() => {
        const left = until - monotonicMs();
        if (left <= 0) throw new Unreachable('Esplora was not asked: the time for it was over');
        calls += 1;
        return fetchText(`${base}${path}`, init, Math.ceil(Math.min(timeoutMs, left)));
      }),
    ),
    calls: () => calls,
    within: open,
  });
  return open(Infinity);
}

/** Returns the calls of the API; `call` sends a request to the server. */
function interfaceOf(call: (path: string, init?: RequestInit) => Promise<Reply>): Omit<Esplora, 'calls' | 'within'> {
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
    tipHeight: async () => read(height, await found('/blocks/tip/height')),
    blockHash: async (at) => check(txid, (await found(`/block-height/${at}`)).trim()),
    blockTime: async (hash) => new Date(read(block, await found(`/block/${hash}`)).timestamp * 1000),
    transaction: async (id) => {
      const text = await maybe(`/tx/${id}`);
      return text === undefined ? undefined : read(transaction, text);
    },
    raw: async (id) => {
      const text = await maybe(`/tx/${id}/hex`);
      return text === undefined ? undefined : check(z.string().regex(/^([0-9a-f]{2})+$/), text.trim());
    },
    newest: async (address) => pageOf(read(list, await found(`/address/${address}/txs`))),
    mined: async (address, after) => pageOf(read(list, await found(`/address/${address}/txs/chain${after && `/${after}`}`))),
    unspent: async (address) => coinsOf(read(list, await found(`/address/${address}/utxo`))),
    spending: async (id, vout) => read(spending, await found(`/tx/${id}/outspend/${vout}`)),
    feeEstimates: async () => estimatesOf(read(z.record(z.string(), z.unknown()), await found('/fee-estimates'))),
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
      if (size > MAX_BYTES) throw new Error('the answer is too long');
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

function openGate(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = max;
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
