import {
  type BAddress,
  Block,
  type ChainEntry,
  BlockTemplate,
  Chain,
  Mempool,
  type MempoolEntry,
  network,
  shown,
  TX,
} from './bcoin.ts';
import { Refused } from '../counterpart.ts';
import { BlockLog } from './block-log.ts';

/** Segwit is active on bcoin's regtest from block 432 on. */
const FIRST_BLOCKS = 440;
/** Spacing of the first blocks' timestamps, so that coins and times look like those of an older chain. */
const FIRST_SPACING_SECONDS = 60;
const BLOCK_WEIGHT = 3_900_000;
/** Size of bcoin's header cache: more than a year's blocks. A chain that outgrows it is thirty times slower. */
const ENTRY_CACHE = 1_000_000;

interface RegtestOptions {
  /** File of blocks and admitted transactions; if absent, they are in memory only. */
  readonly file?: string;
  /** Address that receives every block's reward. */
  readonly reward: BAddress;
  /** Called for every block that joins (`connected`) or leaves the best chain, before it is visible over HTTP. */
  readonly onBlock?: (block: Block, connected: boolean, height: number) => void;
}

type Submitted =
  | { readonly ok: true; readonly txid: string }
  /** `code` and `message` are those of Bitcoin Core's `sendrawtransaction`. */
  | { readonly ok: false; readonly code: number; readonly message: string };

interface Spender {
  readonly txid: string;
  readonly vin: number;
}

/**
 * Regtest chain in this process: real consensus and mempool rules, blocks on request, reorgs of any depth. Changes run one after
 * another.
 */
export class Regtest {
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly #options: RegtestOptions;
  readonly #log: BlockLog | undefined;
  /** Spenders of outputs in the best chain, by `hash:index` in bcoin's order. */
  readonly #spenders = new Map<string, Spender>();
  #lastBusy = -Infinity;
  #lastBlockAt = 0;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: RegtestOptions) {
    this.#options = options;
    this.#log = options.file === undefined ? undefined : new BlockLog(options.file);
    this.chain = new Chain({ network, memory: true, indexTX: true, indexAddress: true, entryCache: ENTRY_CACHE });
    this.mempool = new Mempool({
      network,
      chain: this.chain,
      memory: true,
      indexAddress: true,
      replaceByFee: true,
      maxOrphans: 0,
    });
    // bcoin reports a transaction that a reorg made invalid; it stays out of the mempool.
    this.mempool.on('error', () => undefined);
    this.chain.on('error', () => undefined);
    this.chain.on('connect', async (entry, block) => {
      this.#index(entry, block, true);
      await this.mempool._addBlock(entry, block.txs);
    });
    this.chain.on('disconnect', async (entry, block) => {
      this.#index(entry, block, false);
      await this.mempool._removeBlock(entry, block.txs);
    });
    this.chain.on('reorganize', () => this.mempool._handleReorg());
  }

  /** Opens the chain of the file by replaying it, or starts a new one and mines its first blocks. */
  static async open(options: RegtestOptions): Promise<Regtest> {
    const regtest = new Regtest(options);
    await regtest.chain.open();
    await regtest.mempool.open();
    await regtest.#replay();
    if (regtest.chain.height === 0) await regtest.#firstBlocks();
    return regtest;
  }

  get height(): number {
    return this.chain.height;
  }

  /** Returns the number of blocks since the newest one with a transaction besides its reward; 0 while a transaction waits. */
  get quietBlocks(): number {
    return this.mempool.map.size > 0 ? 0 : this.height - this.#lastBusy;
  }

  /** Time at which the newest block was added in this process, in ms since 1970. */
  get lastBlockAt(): number {
    return this.#lastBlockAt;
  }

  /** Submits a raw transaction to the mempool, as `sendrawtransaction` does. Resolves once it is admitted or refused. */
  submit(raw: Buffer): Promise<Submitted> {
    return this.#inTurn(async () => {
      const answer = await this.#admit(raw);
      if (answer.ok && answer.isAdmitted) this.#log?.append('transaction', raw, false);
      return answer.ok ? { ok: true, txid: answer.txid } : answer;
    });
  }

  /**
   * Mines blocks from the mempool. With `txs`, the first block holds these transactions and their parents instead, whatever they
   * conflict with.
   */
  mine(count: number, txs?: readonly TX[]): Promise<number> {
    return this.#inTurn(async () => {
      for (let index = 0; index < count; index += 1) {
        const waiting = this.#waiting();
        const chosen = index === 0 && txs ? txs : [...waiting.values()];
        await this.#add(await this.#block(this.chain.tip, parentsFirst(chosen, waiting)));
      }
      return this.height;
    });
  }

  /**
   * Replaces the newest `depth` blocks by `depth + 1` others. Their transactions return to the mempool; with `drop` they and
   * their descendants are forgotten. `include` is mined in the first new block, so that conflicting transactions can never
   * return.
   */
  reorg(depth: number, drop: boolean, include: readonly TX[] = []): Promise<number> {
    return this.#inTurn(async () => {
      const fork = await this.chain.getEntryByHeight(this.height - depth);
      if (!fork || depth < 1) throw new Refused('depth', 'The chain is not that long');
      const undone = await this.#transactionsAbove(fork);
      const waiting = [...this.#waiting().values()];
      const first = parentsFirst(include, new Map(undone.map((tx) => [tx.hash('hex'), tx])));
      let previous = fork;
      for (let index = 0; index <= depth; index += 1)
        previous = await this.#add(await this.#block(previous, index === 0 ? first : []));
      if (drop) this.#forget(undone);
      // During a reorg bcoin loses waiting transactions that spend a reward, and, if the mempool was empty, those of removed
      // blocks.
      const again = new Map([...(drop ? [] : undone), ...waiting].map((tx) => [tx.hash('hex'), tx]));
      for (const tx of parentsFirst([...again.values()], again)) await this.#admit(tx.toRaw());
      return this.height;
    });
  }

  /** Returns the spender of a transaction's output in the best chain or the mempool. `hash` is in bcoin's order. */
  spender(hash: string, index: number): Spender | undefined {
    const mined = this.#spenders.get(`${hash}:${index}`);
    if (mined) return mined;
    const waiting = this.mempool.getSpent(hash, index);
    if (!waiting) return undefined;
    const vin = waiting.tx.inputs.findIndex(({ prevout }) => prevout.hash === hash && prevout.index === index);
    return { txid: waiting.tx.txid(), vin };
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.mempool.close();
      await this.chain.close();
      this.#log?.sync();
      this.#log?.close();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #replay(): Promise<void> {
    const waiting = new Map<string, Buffer>();
    for (const { kind, raw } of this.#log?.read() ?? []) {
      if (kind === 'block') await this.chain.add(Block.fromRaw(raw)).catch(() => undefined);
      else if (kind === 'transaction') waiting.set(TX.fromRaw(raw).hash('hex'), raw);
      else waiting.delete(TX.fromRaw(raw).hash('hex'));
    }
    for (const [hash, raw] of waiting) if (!(await this.chain.hasTX(hash))) await this.#admit(raw);
  }

  async #firstBlocks(): Promise<void> {
    const start = seconds() - FIRST_BLOCKS * FIRST_SPACING_SECONDS;
    for (let index = 1; index <= FIRST_BLOCKS; index += 1) {
      await this.#add(await this.#block(this.chain.tip, [], start + index * FIRST_SPACING_SECONDS), false);
    }
    this.#log?.sync();
  }

  #waiting(): Map<string, TX> {
    return new Map([...this.mempool.map].map(([hash, { tx }]) => [hash, tx]));
  }

  async #block(previous: ChainEntry, txs: readonly TX[], time = seconds()): Promise<Block> {
    const mtp = await this.chain.getMedianTime(previous);
    const at = Math.max(time, mtp + 1);
    const state = await this.chain.getDeployments(at, previous);
    const template = new BlockTemplate({
      prevBlock: previous.hash,
      height: previous.height + 1,
      version: await this.chain.computeBlockVersion(previous),
      time: at,
      bits: await this.chain.getTarget(at, previous),
      locktime: state.hasMTP() ? mtp : at,
      mtp,
      flags: state.flags,
      address: this.#options.reward,
      coinbaseFlags: Buffer.from('sandbox'),
      witness: state.hasWitness(),
      interval: network.halvingInterval,
    });
    for (const tx of txs) template.pushTX(tx);
    template.fees = txs.reduce((sum, tx) => sum + (this.mempool.getEntry(tx.hash('hex'))?.fee ?? 0), 0);
    template.refresh();
    for (let nonce = 0; ; nonce += 1) {
      const proof = template.getProof(0, 0, at, nonce);
      if (proof.verify(template.target)) return template.commit(proof);
    }
  }

  async #add(block: Block, sync = true): Promise<ChainEntry> {
    // Stored before it becomes visible: a block that someone saw survives a kill.
    this.#log?.append('block', block.toRaw(), sync);
    const entry = await this.chain.add(block);
    if (!entry) throw new Error('A block of ours was refused');
    this.#lastBlockAt = Date.now();
    return entry;
  }

  async #transactionsAbove(fork: ChainEntry): Promise<TX[]> {
    const txs: TX[] = [];
    for (let height = fork.height + 1; height <= this.height; height += 1) {
      const entry = await this.chain.getEntryByHeight(height);
      const block = entry && (await this.chain.getBlock(entry.hash));
      txs.push(...(block?.txs.slice(1) ?? []));
    }
    return txs;
  }

  #index(entry: ChainEntry, block: Block, connected: boolean): void {
    if (connected && block.txs.length > 1) this.#lastBusy = Math.max(this.#lastBusy, entry.height);
    for (const tx of block.txs.slice(1)) {
      for (const [vin, { prevout }] of tx.inputs.entries()) {
        const key = `${prevout.hash}:${prevout.index}`;
        if (connected) this.#spenders.set(key, { txid: tx.txid(), vin });
        else this.#spenders.delete(key);
      }
    }
    this.#options.onBlock?.(block, connected, entry.height);
  }

  async #admit(
    raw: Buffer,
  ): Promise<{ ok: true; txid: string; isAdmitted: boolean } | { ok: false; code: number; message: string }> {
    let tx: TX;
    try {
      tx = TX.fromRaw(raw);
      if (!tx.toRaw().equals(raw)) throw new Error('trailing bytes');
    } catch {
      return { ok: false, code: -22, message: 'TX decode failed. Make sure the tx has at least one input.' };
    }
    const hash = tx.hash('hex');
    if (this.mempool.getEntry(hash)) return { ok: true, txid: tx.txid(), isAdmitted: false };
    if (await this.chain.hasTX(hash)) return { ok: false, code: -27, message: 'Transaction outputs already in utxo set' };
    const replaced = this.#conflicts(tx);
    if (replaced.length > 0 && !(await this.#mayReplace(tx, replaced)))
      return { ok: false, code: -26, message: 'txn-mempool-conflict' };
    const evicted = this.#evict(replaced);
    const refusal = await this.#offer(tx);
    if (!refusal) return { ok: true, txid: tx.txid(), isAdmitted: true };
    for (const other of evicted) await this.#offer(other);
    return refusal;
  }

  async #offer(tx: TX): Promise<{ ok: false; code: number; message: string } | undefined> {
    try {
      const missing = await this.mempool.addTX(tx);
      return missing ? { ok: false, code: -25, message: 'bad-txns-inputs-missingorspent' } : undefined;
    } catch (error) {
      const reason = error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined;
      if (reason === undefined) throw error;
      return { ok: false, code: -26, message: reason };
    }
  }

  #forget(txs: readonly TX[]): void {
    const evicted = this.#evict(txs.flatMap((tx) => this.mempool.getEntry(tx.hash('hex')) ?? []));
    for (const tx of new Set([...txs, ...evicted])) this.#log?.append('dropped', tx.toRaw(), false);
  }

  #conflicts(tx: TX): MempoolEntry[] {
    const found = tx.inputs
      .map(({ prevout }) => this.mempool.getSpent(prevout.hash, prevout.index))
      .filter((entry) => entry !== undefined);
    return [...new Set(found)];
  }

  /**
   * Checks a replacement by BIP 125, which bcoin lacks: all conflicts must signal it, and the replacement must pay more than they
   * and their descendants.
   */
  async #mayReplace(tx: TX, conflicts: readonly MempoolEntry[]): Promise<boolean> {
    if (!conflicts.every((entry) => entry.tx.isRBF())) return false;
    const view = await this.mempool.getSpentView(tx);
    const fee = tx.getFee(view);
    const gone = conflicts.flatMap((entry) => this.#withDescendants(entry));
    const paid = gone.reduce((sum, entry) => sum + entry.fee, 0);
    const rateRises = conflicts.every((entry) => fee / tx.getVirtualSize() > entry.fee / entry.tx.getVirtualSize());
    return rateRises && fee >= paid + tx.getVirtualSize();
  }

  #withDescendants(entry: MempoolEntry): MempoolEntry[] {
    const children = entry.tx.outputs.flatMap((_, index) => this.mempool.getSpent(entry.tx.hash('hex'), index) ?? []);
    return [entry, ...new Set(children.flatMap((child) => this.#withDescendants(child)))];
  }

  #evict(entries: readonly MempoolEntry[]): TX[] {
    const gone = [...new Set(entries.flatMap((entry) => this.#withDescendants(entry)))];
    for (const entry of entries) if (this.mempool.getEntry(entry.tx.hash('hex'))) this.mempool.evictEntry(entry);
    return gone.map(({ tx }) => tx);
  }
}

/** Orders transactions after their parents in `pool`, as many as fit into a block. */
function parentsFirst(txs: readonly TX[], pool: ReadonlyMap<string, TX>): TX[] {
  const chosen = new Set<TX>();
  let weight = 0;
  const take = (tx: TX): void => {
    if (chosen.has(tx)) return;
    for (const { prevout } of tx.inputs) {
      const parent = pool.get(prevout.hash);
      if (parent) take(parent);
    }
    weight += tx.getWeight();
    if (weight <= BLOCK_WEIGHT) chosen.add(tx);
  };
  for (const tx of txs) take(tx);
  return [...chosen];
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Returns a hash in bcoin's order from the form that people write; undefined if the text is none. */
export function hashOf(text: string): string | undefined {
  return /^[0-9a-f]{64}$/.test(text) ? shown(text) : undefined;
}
