// An Esplora server over a chain in memory, with faults to switch on: short pages, shared pages, a stale index, lies.

import { createHash } from 'node:crypto';
import type { Fate, Payin, ObservedPayment } from '../rail.ts';
import { type Page, type Transaction, coinsOf, pageOf } from './answers.ts';
import { type Esplora, Unreachable } from './client.ts';
import { bitcoin } from './config.ts';
import { seek } from './missing-payments.ts';
import { observe } from './observed-payments.ts';

/** A transaction on the chain, as the test made it. */
export interface ChainTx {
  readonly id: string;
  readonly outputs: readonly { readonly to: string; readonly parts: bigint }[];
  readonly inputs: readonly string[];
  readonly isReplaceable: boolean;
  readonly isFeeOk: boolean;
  readonly block?: { readonly height: number; readonly hash: string; readonly at: Date } | undefined;
}

/** A chain in memory. The explorer tells the truth about its blocks. */
export interface ChainInMemory {
  height(): number;
  hashAt(height: number): string | undefined;
  /** Returns every transaction that pays an address now, the newest last. */
  paying(address: string): readonly ChainTx[];
  transaction(id: string): ChainTx | undefined;
  /** Returns the ids of all transactions that spend an input now. */
  spending(input: string): readonly string[];
}

/** Faults of an explorer. */
export interface ExplorerTricks {
  /** Waiting and mined transactions share one first page of fifty, the waiting ones first. */
  readonly isShared: boolean;
  /** Number of mined transactions on a page. */
  readonly rows: number;
  /** Numbers of waiting and of mined dust payments at every address, newer than all other payments there. */
  readonly dust: { readonly waiting: number; readonly mined: number };
  /** True if no list and no look-up shows a transaction. */
  readonly hides: (id: string) => boolean;
  /** The index is frozen: it shows a transaction as it was at the first query. */
  readonly isStale: boolean;
  /** The explorer names no spender of any output. */
  readonly isUnspent: boolean;
  /** False statement about a mined transaction's block. */
  readonly lie: 'lower' | 'higher' | 'another block' | 'far above' | 'no time' | undefined;
}

export const HONEST: ExplorerTricks = {
  ...{ isShared: false, rows: 25, dust: { waiting: 0, mined: 0 }, hides: () => false },
  ...{ isStale: false, isUnspent: false, lie: undefined },
};

export interface Explorer {
  tricks: ExplorerTricks;
  /** The rail's own code over this explorer, with the chain's names in its results. */
  readonly payin: Pick<Payin, 'observe' | 'tip'> & Required<Pick<Payin, 'seek'>>;
}

const CONFIG = bitcoin({ esplora: 'http://memory', network: 'regtest' });
const WEIGHT = 560;
const DUST_PARTS = 300n;
const FEES = { ok: 2_800n, low: 140n };
/** Sequences of an input that is final, and of one that signals replacement. */
const [FIXED, REPLACEABLE] = [0xffffffff, 0xfffffffd];

/** Opens an explorer of a chain. It is honest until its tricks are set. */
export function openExplorer(chain: ChainInMemory): Explorer {
  const names = openNames();
  let tricks = HONEST;
  let frozen = new Map<string, ChainTx | undefined>();
  const esplora = serve(chain, names, {
    tricks: () => tricks,
    now: (id) => (tricks.isStale ? once(frozen, id, () => chain.transaction(id)) : chain.transaction(id)),
  });
  return {
    get tricks() {
      return tricks;
    },
    set tricks(next) {
      tricks = next;
      frozen = new Map();
    },
    payin: {
      tip: async () => ({ height: chain.height(), hash: await esplora.blockHash(chain.height()) }),
      observe: async (addresses, unread) => (await observe(esplora, CONFIG, addresses, unread)).map((one) => named(one, names)),
      seek: async (missing) => {
        const requests = missing.map((one) => ({ ...one, txid: names.hex(one.txid), key: keyOf(one.key, names.hex) }));
        return (await seek(esplora, CONFIG, requests)).map((fate) => namedFate(fate, names));
      },
    },
  };
}

function once<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  if (!known.has(key)) known.set(key, find());
  return known.get(key) as V;
}

/** Converts the chain's names to 64 hexadecimal digits, and back. */
interface Names {
  hex(name: string): string;
  name(hex: string): string;
}

function openNames(): Names {
  const [hexes, names] = [new Map<string, string>(), new Map<string, string>()];
  return {
    hex: (name) =>
      once(hexes, name, () => {
        const hex = createHash('sha256').update(name).digest('hex');
        names.set(hex, name);
        return hex;
      }),
    name: (hex) => names.get(hex) ?? hex,
  };
}

function keyOf(key: string, name: (part: string) => string): string {
  const [txid = '', vout = ''] = key.split(':');
  return `${name(txid)}:${vout}`;
}

const named = (one: ObservedPayment, { name }: Names): ObservedPayment => ({
  ...one,
  txid: name(one.txid),
  key: keyOf(one.key, name),
});

function namedFate(fate: Fate, names: Names): Fate {
  return 'sighting' in fate && fate.sighting ? { ...fate, sighting: named(fate.sighting, names) } : fate;
}

interface Serving {
  readonly tricks: () => ExplorerTricks;
  /** Returns a transaction as the index has it. */
  readonly now: (id: string) => ChainTx | undefined;
}

function serve(chain: ChainInMemory, { hex, name }: Names, { tricks, now }: Serving): Esplora {
  const hashAt = (height: number): string => {
    const hash = chain.hashAt(height);
    if (hash === undefined) throw new Unreachable(`no block at ${height}`);
    return hex(hash);
  };
  const write = (tx: ChainTx): object => written(tx, hex, statusOf(chain, tx, hex, tricks().lie));
  const find = (id: string): ChainTx | undefined => (tricks().hides(id) ? undefined : now(id));
  const rowsAt = (address: string): { waiting: object[]; mined: object[] } => {
    const all = chain
      .paying(address)
      .flatMap(({ id }) => find(id) ?? [])
      .toReversed();
    const { waiting, mined } = tricks().dust;
    const dust = (at: number, block?: ChainTx['block']): object => write(dustAt(address, at, block));
    const block = { height: chain.height(), hash: chain.hashAt(chain.height()) ?? '', at: new Date(1_000) };
    return {
      waiting: [...range(waiting).map((at) => dust(at)), ...all.filter((tx) => !tx.block).map(write)],
      mined: [...range(mined).map((at) => dust(waiting + at, block)), ...all.filter((tx) => tx.block).map(write)],
    };
  };
  const firstPage = (address: string): Page => {
    const { waiting, mined } = rowsAt(address);
    const { isShared, rows } = tricks();
    return pageOf(isShared ? [...waiting, ...mined].slice(0, 50) : [...waiting.slice(0, 50), ...mined.slice(0, rows)]);
  };
  const minedPage = (address: string, after: string): Page => {
    const { mined } = rowsAt(address);
    const from = after === '' ? 0 : mined.findIndex((row) => 'txid' in row && row.txid === after) + 1;
    return pageOf(mined.slice(from, from + tricks().rows));
  };
  const one = (id: string): Transaction | undefined => {
    const tx = find(name(id)) ?? coinOf(chain, name(id));
    return tx && pageOf([write(tx)]).transactions[0];
  };
  const served: Esplora = {
    calls: () => 0,
    within: () => served,
    tipHeight: async () => chain.height(),
    blockHash: async (height) => hashAt(height),
    blockTime: async () => new Date(1_000),
    transaction: async (id) => one(id),
    raw: async () => undefined,
    newest: async (address) => firstPage(address),
    mined: async (address, after) => minedPage(address, after),
    unspent: async (address) =>
      coinsOf([...rowsAt(address).waiting, ...rowsAt(address).mined].flatMap((row) => coins(row, address))),
    spending: async (id) => {
      const [txid] = tricks().isUnspent ? [] : chain.spending(name(id)).filter((spender) => find(spender));
      return txid === undefined ? { spent: false } : { spent: true, txid: hex(txid) };
    },
    feeEstimates: async () => new Map([[6, 5_000n]]),
    broadcast: async () => ({ ok: false, message: 'an explorer to look at only' }),
  };
  return served;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

function dustAt(to: string, at: number, block: ChainTx['block']): ChainTx {
  const inputs = [`coin of dust ${at}`];
  return { id: `dust ${at} at ${to}`, outputs: [{ to, parts: DUST_PARTS }], inputs, isReplaceable: false, isFeeOk: true, block };
}

/** Returns the mined transaction of a coin that a payment spends. */
function coinOf(chain: ChainInMemory, id: string): ChainTx | undefined {
  if (!id.startsWith('coin of ')) return undefined;
  const block = { height: 0, hash: chain.hashAt(0) ?? '', at: new Date(1_000) };
  return { id, outputs: [], inputs: [], isReplaceable: false, isFeeOk: true, block };
}

function statusOf(chain: ChainInMemory, { block }: ChainTx, hex: Names['hex'], lie: ExplorerTricks['lie']): object {
  if (!block) return { confirmed: false };
  const { height, hash, at } = block;
  const other = Math.max(0, height - 1);
  const truth = {
    confirmed: true,
    block_height: height,
    block_hash: hex(hash),
    block_time: Math.max(1, Math.floor(at.getTime() / 1_000)),
  };
  if (lie === 'lower') return { ...truth, block_height: Math.max(0, height - 9) };
  if (lie === 'higher') return { ...truth, block_height: height + 2 };
  if (lie === 'far above') return { ...truth, block_height: 900_000 };
  if (lie === 'another block') return { ...truth, block_hash: hex(chain.hashAt(other) ?? '') };
  return lie === 'no time' ? { ...truth, block_time: -1 } : truth;
}

function written({ id, outputs, inputs, isReplaceable, isFeeOk }: ChainTx, hex: Names['hex'], status: object): object {
  return {
    txid: hex(id),
    vin: inputs.map((input) => ({
      txid: hex(input),
      vout: 0,
      sequence: isReplaceable ? REPLACEABLE : FIXED,
      is_coinbase: false,
    })),
    vout: outputs.map(({ to, parts }) => ({ scriptpubkey: '', scriptpubkey_address: to, value: Number(parts) })),
    weight: WEIGHT,
    fee: Number(isFeeOk ? FEES.ok : FEES.low),
    status,
  };
}

/** Returns the outputs of a row that pay an address, as rows of `/utxo`. */
function coins(row: object, address: string): object[] {
  const { txid, vout, status } = row as { txid: string; vout: { scriptpubkey_address: string; value: number }[]; status: object };
  return vout.flatMap(({ scriptpubkey_address: to, value }, at) => (to === address ? [{ txid, vout: at, value, status }] : []));
}
