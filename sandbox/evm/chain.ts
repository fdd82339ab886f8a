import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { type AnvilChain, type AnvilProcess, NodeError, raw, rpc, startAnvil } from './anvil.ts';

/** Base fee of every block, in wei. On an idle chain it would fall to zero and make costs look free. */
const BASE_FEE = '0x3b9aca00';
/** Number of further blocks that come quickly after the newest transaction is final. */
const QUIET_AFTER = 6;
const IDLE_BLOCK_MS = 60_000;
/**
 * Minimum interval between saves, in ms: the most that a kill of this process loses. A long chain's slow save extends it to this
 * multiple of the save's duration.
 */
const SAVE_EVERY_MS = 1000;
const SAVE_SHARE = 10;
/** Calls per request to anvil. */
const BATCH = 200;

export interface ChainOptions extends AnvilChain {
  /** File of the chain; if absent, it lives as long as the process. */
  readonly file?: string;
}

interface Saved {
  /** anvil's answer with its dump; in files of an older form the dump itself. */
  readonly answer?: { readonly result: string };
  readonly state?: string;
  /** Signed transactions of the customer that wait for a block. */
  readonly pending: readonly string[];
}

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly transactions: readonly string[];
}

/**
 * EVM chain in an anvil process: blocks on request, reorgs, and a file from which a kill loses at most a second. If anvil dies,
 * it is started again from there. Changes run one after another.
 */
export class EvmChain {
  readonly chainId: number;
  readonly #options: ChainOptions;
  readonly #quietDepth: number;
  #anvil: Promise<AnvilProcess>;
  #closed = false;
  #turn: Promise<unknown> = Promise.resolve();
  /** Transactions of the customer that are in no block yet: hash → bytes. */
  readonly #pending = new Map<string, string>();
  #lastBusy = -Infinity;
  #lastBlockAt = 0;
  #savedAt = 0;
  #saveTook = 0;
  #saving: NodeJS.Timeout | undefined;

  private constructor(options: ChainOptions) {
    this.chainId = options.chainId;
    this.#options = options;
    this.#quietDepth = 2 * options.slots + QUIET_AFTER;
    this.#anvil = this.#start();
  }

  /** Opens the chain of the file, or a new one. */
  static async open(options: ChainOptions): Promise<EvmChain> {
    const chain = new EvmChain(options);
    await chain.#anvil;
    return chain;
  }

  /** Returns the address of the node, for the proxy. */
  async url(): Promise<string> {
    return (await this.#anvil).url;
  }

  /** Returns the process id of the node, for tests that kill it. */
  async pid(): Promise<number> {
    return (await this.#anvil).pid;
  }

  /** Makes one call. Throws NodeError. */
  async call<R>(method: string, ...params: unknown[]): Promise<R> {
    return (await this.#ask([{ method, params }]))[0] as R;
  }

  async height(): Promise<number> {
    return Number.parseInt(await this.call<string>('eth_blockNumber'), 16);
  }

  /** Submits a signed transaction to the node and stores it until it is in a block. Returns its hash. */
  async submit(raw: string): Promise<string> {
    const hash = await this.call<string>('eth_sendRawTransaction', raw);
    this.#pending.set(hash, raw);
    return hash;
  }

  /** Runs `work`, then mines blocks, both without other changes between. Returns the new height. */
  mine(blocks: number, work: () => Promise<unknown> = async () => {}): Promise<number> {
    return this.#alone(async () => {
      await work();
      return this.#mine(blocks);
    });
  }

  /** Mines one block if there is something to mine, or if the last one is old. */
  async tick(): Promise<void> {
    await this.#alone(async () => {
      const [status, height] = (await this.#ask([
        { method: 'txpool_status', params: [] },
        { method: 'eth_blockNumber', params: [] },
      ])) as [{ pending: string }, string];
      const isBusy = BigInt(status.pending) > 0n || Number.parseInt(height, 16) - this.#lastBusy < this.#quietDepth;
      if (isBusy || Date.now() - this.#lastBlockAt >= IDLE_BLOCK_MS) await this.#mine(1);
    });
  }

  /**
   * Replaces the newest `depth` blocks by empty ones. Their transactions return to the mempool in their order, or are dropped
   * permanently. Throws NodeError for a depth beyond the blocks that this run of the node has mined.
   */
  reorg(depth: number, drop: boolean): Promise<number> {
    return this.#alone(async () => {
      const height = await this.height();
      const removed = drop ? [] : await this.#transactions(height - depth + 1, height);
      // A different beneficiary makes each new block differ from the old one, whatever the clock says.
      await this.call('anvil_setCoinbase', `0x${randomBytes(20).toString('hex')}`);
      await this.call('anvil_reorg', depth, []);
      for (const raw of removed) await this.submit(raw).catch(ignoreNode);
      if (drop) this.#pending.clear();
      await this.#noteNewest();
      await this.#save();
      return this.height();
    });
  }

  /** Writes the chain to its file atomically; it is on the disk when this returns. */
  save(): Promise<void> {
    return this.#alone(() => this.#save());
  }

  async close(): Promise<void> {
    await this.save();
    this.#closed = true;
    await (await this.#anvil).kill();
  }

  async #save(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const { file } = this.#options;
    if (file === undefined) return;
    this.#savedAt = Date.now();
    // The node's answer is streamed: a chain has megabytes and is saved each second.
    const answer = raw(await this.url(), { method: 'anvil_dumpState', params: [] });
    const draft = await open(`${file}.new`, 'w', 0o600);
    try {
      await draft.writeFile(`{"pending":${JSON.stringify([...this.#pending.values()])},"answer":`);
      for await (const chunk of answer) await draft.writeFile(chunk as Buffer);
      await draft.writeFile('}');
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${file}.new`, file);
    this.#saveTook = Date.now() - this.#savedAt;
  }

  async #start(): Promise<AnvilProcess> {
    const anvil = await startAnvil(this.#options);
    const saved = readSaved(this.#options.file);
    if (saved) {
      await rpc(anvil.url, [{ method: 'anvil_loadState', params: [saved.answer?.result ?? saved.state] }]);
      for (const raw of new Set([...saved.pending, ...this.#pending.values()])) {
        const sent = await rpc(anvil.url, [{ method: 'eth_sendRawTransaction', params: [raw] }]).catch(ignoreNode);
        if (sent) this.#pending.set(sent[0] as string, raw);
      }
    }
    await this.#noteNewest(anvil.url);
    void anvil.ended.then(() => {
      if (!this.#closed) this.#anvil = this.#start();
    });
    return anvil;
  }

  async #ask(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<unknown[]> {
    const { url } = await this.#anvil;
    const results: unknown[] = [];
    for (let from = 0; from < calls.length; from += BATCH) results.push(...(await rpc(url, calls.slice(from, from + BATCH))));
    return results;
  }

  #alone<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #mine(blocks: number): Promise<number> {
    const block = [
      { method: 'anvil_setNextBlockBaseFeePerGas', params: [BASE_FEE] },
      { method: 'evm_mine', params: [] },
    ];
    await this.#ask(Array.from({ length: blocks }, () => block).flat());
    const height = await this.height();
    await this.#noteBlocks(Math.max(0, height - blocks + 1), height);
    this.#lastBlockAt = Date.now();
    this.#saveSoon();
    return height;
  }

  #saveSoon(): void {
    if (this.#options.file === undefined || this.#saving) return;
    const wait = Math.max(0, this.#savedAt + Math.max(SAVE_EVERY_MS, SAVE_SHARE * this.#saveTook) - Date.now());
    this.#saving = setTimeout(() => {
      // The node died meanwhile; it continues from the last save, and is saved again.
      this.save().catch(() => this.#saveSoon());
    }, wait);
  }

  /** Records which of the customer's transactions new blocks contain, and the block of the newest transaction. */
  async #noteBlocks(from: number, to: number, url?: string): Promise<void> {
    for (const block of await this.#blocks(from, to, url)) {
      if (block.transactions.length > 0) this.#lastBusy = Number.parseInt(block.number, 16);
      for (const hash of block.transactions) this.#pending.delete(hash);
    }
  }

  /** Finds the block of the newest transaction after a load or a reorg. */
  async #noteNewest(url?: string): Promise<void> {
    const at = url ?? (await this.#anvil).url;
    const height = Number.parseInt((await rpc(at, [{ method: 'eth_blockNumber', params: [] }]))[0] as string, 16);
    this.#lastBusy = -Infinity;
    await this.#noteBlocks(Math.max(0, height - this.#quietDepth), height, at);
  }

  async #blocks(from: number, to: number, url?: string): Promise<Block[]> {
    const calls = [];
    for (let height = from; height <= to; height += 1)
      calls.push({ method: 'eth_getBlockByNumber', params: [hex(height), false] });
    return (await (url === undefined ? this.#ask(calls) : rpc(url, calls))) as Block[];
  }

  async #transactions(from: number, to: number): Promise<string[]> {
    const hashes = (await this.#blocks(from, to)).flatMap((block) => block.transactions);
    return (await this.#ask(hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })))) as string[];
  }
}

/** Writes a number as JSON-RPC does. */
export function hex(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`;
}

function readSaved(file: string | undefined): Saved | undefined {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function ignoreNode(error: unknown): undefined {
  if (error instanceof NodeError) return undefined;
  throw error;
}
