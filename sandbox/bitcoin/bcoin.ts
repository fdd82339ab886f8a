import { createRequire } from 'node:module';

/**
 * Types of the parts of bcoin that the sandbox uses (bcoin is a full bitcoin node in JavaScript): the chain with its consensus
 * rules, the mempool with its policy, block templates and keys. Its peer-to-peer and HTTP servers are not loaded, since each
 * sandbox has its own network.
 *
 * Hashes inside bcoin are hex in wire order; people and Esplora write them reversed (`shown`).
 */

// bcoin selects its cryptography when it is loaded. Its native parts are never built.
process.env['NODE_BACKEND'] = 'js';
process.env['BCOIN_NETWORK'] = 'regtest';
const load = createRequire(import.meta.url);

export interface Outpoint {
  readonly hash: string;
  readonly index: number;
}

export interface Script {
  toRaw(): Buffer;
  isUnspendable(): boolean;
}

export interface Output {
  readonly value: number;
  readonly script: Script;
  getAddress(): BAddress | null;
}

export interface Input {
  readonly prevout: Outpoint;
  readonly script: Script;
  readonly sequence: number;
  readonly witness: { readonly items: readonly Buffer[] };
}

export interface TX {
  readonly version: number;
  readonly locktime: number;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  hash(encoding: 'hex'): string;
  txid(): string;
  toRaw(): Buffer;
  getSize(): number;
  getWeight(): number;
  getVirtualSize(): number;
  getFee(view: CoinView): number;
  isCoinbase(): boolean;
  isRBF(): boolean;
}

export interface CoinView {
  getOutputFor(input: Input): Output | null;
}

export interface Coin extends Outpoint {
  readonly value: number;
  readonly script: Script;
  readonly height: number;
  readonly coinbase: boolean;
}

export interface TXMeta {
  readonly tx: TX;
  /** Height of its block; −1 in the mempool. */
  readonly height: number;
  readonly block: string | null;
  readonly time: number;
}

export interface Block {
  readonly prevBlock: string;
  readonly time: number;
  readonly txs: readonly TX[];
  hash(encoding: 'hex'): string;
  toRaw(): Buffer;
}

export interface ChainEntry {
  readonly hash: string;
  readonly prevBlock: string;
  readonly height: number;
  readonly time: number;
}

interface Deployments {
  readonly flags: number;
  hasMTP(): boolean;
  hasWitness(): boolean;
}

export interface Chain {
  readonly tip: ChainEntry;
  readonly height: number;
  open(): Promise<void>;
  close(): Promise<void>;
  add(block: Block): Promise<ChainEntry | null>;
  on(event: 'connect' | 'disconnect', listener: (entry: ChainEntry, block: Block) => Promise<void>): void;
  on(event: 'reorganize', listener: () => Promise<void>): void;
  on(event: 'error', listener: (error: Error) => void): void;
  computeBlockVersion(previous: ChainEntry): Promise<number>;
  getMedianTime(previous: ChainEntry): Promise<number>;
  getDeployments(time: number, previous: ChainEntry): Promise<Deployments>;
  getTarget(time: number, previous: ChainEntry): Promise<number>;
  getEntry(hash: string): Promise<ChainEntry | null>;
  getEntryByHeight(height: number): Promise<ChainEntry | null>;
  isMainHash(hash: string): Promise<boolean>;
  getBlock(hash: string): Promise<Block | null>;
  hasTX(hash: string): Promise<boolean>;
  getMeta(hash: string): Promise<TXMeta | null>;
  getMetaByAddress(addresses: readonly BAddress[]): Promise<TXMeta[]>;
  getCoin(hash: string, index: number): Promise<Coin | null>;
  getCoinsByAddress(addresses: readonly BAddress[]): Promise<Coin[]>;
  getSpentView(tx: TX): Promise<CoinView>;
}

export interface MempoolEntry {
  readonly tx: TX;
  readonly fee: number;
  readonly size: number;
}

export interface Mempool {
  readonly map: ReadonlyMap<string, MempoolEntry>;
  open(): Promise<void>;
  close(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
  /** Returns null if the transaction was admitted, a list if inputs are unknown. Throws a VerifyError with a `reason`. */
  addTX(tx: TX): Promise<readonly string[] | null>;
  getEntry(hash: string): MempoolEntry | undefined;
  getMeta(hash: string): TXMeta | null;
  getMetaByAddress(addresses: readonly BAddress[]): TXMeta[];
  getSpent(hash: string, index: number): MempoolEntry | undefined;
  isSpent(hash: string, index: number): boolean;
  getSpentView(tx: TX): Promise<CoinView>;
  /** Removes an entry and all transactions that spend it. */
  evictEntry(entry: MempoolEntry): void;
  _addBlock(entry: ChainEntry, txs: readonly TX[]): Promise<void>;
  _removeBlock(entry: ChainEntry, txs: readonly TX[]): Promise<void>;
  _handleReorg(): Promise<void>;
}

export interface BAddress {
  readonly type: number;
  /** Witness version; −1 for older types. */
  readonly version: number;
  readonly hash: Buffer;
  toString(): string;
}

interface Proof {
  verify(target: Buffer): boolean;
}

export interface BlockTemplate {
  readonly target: Buffer;
  fees: number;
  pushTX(tx: TX): void;
  refresh(): void;
  getProof(nonce1: number, nonce2: number, time: number, nonce: number): Proof;
  commit(proof: Proof): Block;
}

export interface KeyRing {
  witness: boolean;
  getAddress(): BAddress;
}

export interface MTX {
  readonly inputs: { sequence: number }[];
  addCoin(coin: Coin): void;
  addOutput(to: BAddress | Script, value: number): void;
  sign(ring: KeyRing | readonly KeyRing[]): number;
  toTX(): TX;
}

export interface HDKey {
  readonly privateKey: Buffer;
  derive(index: number, hardened?: boolean): HDKey;
}

interface Logger {
  open(): void;
}

type Make<T, O = void> = new (options: O) => T;

/** bcoin measures memory with each block for its log, which the sandbox does not use. */
const { prototype: logger } = load('blgr/lib/logger') as { readonly prototype: { memory(): void } };
logger.memory = () => undefined;

export const network = (load('bcoin/lib/protocol/network') as { get(name: string): { readonly halvingInterval: number } }).get(
  'regtest',
);

export const Chain = load('bcoin/lib/blockchain/chain') as Make<
  Chain,
  { network: object; memory: boolean; indexTX: boolean; indexAddress: boolean; entryCache: number; logger?: Logger }
>;

export const Mempool = load('bcoin/lib/mempool/mempool') as Make<
  Mempool,
  { network: object; chain: Chain; memory: boolean; indexAddress: boolean; replaceByFee: boolean; maxOrphans: number }
>;

export const BlockTemplate = load('bcoin/lib/mining/template') as Make<
  BlockTemplate,
  {
    prevBlock: string;
    height: number;
    version: number;
    time: number;
    bits: number;
    locktime: number;
    mtp: number;
    flags: number;
    address: BAddress;
    coinbaseFlags: Buffer;
    witness: boolean;
    interval: number;
  }
>;

export const Block = load('bcoin/lib/primitives/block') as { fromRaw(raw: Buffer): Block };
export const TX = load('bcoin/lib/primitives/tx') as { fromRaw(raw: Buffer): TX };
export const MTX = load('bcoin/lib/primitives/mtx') as Make<MTX>;
export const Coin = load('bcoin/lib/primitives/coin') as { fromTX(tx: TX, index: number, height: number): Coin };
export const Script = load('bcoin/lib/script/script') as { fromRaw(raw: Buffer): Script; fromAddress(address: BAddress): Script };
export const Address = load('bcoin/lib/primitives/address') as {
  fromString(text: string): BAddress;
  fromHash(hash: Buffer, type: 'witness', version: number): BAddress;
  fromScript(script: Script): BAddress | null;
};
export const KeyRing = load('bcoin/lib/primitives/keyring') as { fromPrivate(key: Buffer): KeyRing };
export const HD = load('bcoin/lib/hd') as {
  readonly Mnemonic: new (options: { bits: number }) => { getPhrase(): string };
  fromSeed(seed: Buffer): HDKey;
};

/** Reverses a hash: from bcoin's order to the one that people write, or back. */
export function shown(hash: string): string {
  return Buffer.from(Buffer.from(hash, 'hex').toReversed()).toString('hex');
}
