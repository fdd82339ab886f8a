import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { recoverAddress } from 'viem/utils';
import { AppendFile } from '../../server/platform/files/append-file.ts';
import { Refused } from '../counterpart.ts';
import { type Objection, type Outcome, State, carryOut, live, objection, trx, usdt } from './state.ts';
import { type Raw, readRaw, readTransaction, sha256, writeTransaction } from './wire.ts';

/** Number of blocks that must follow until a block is solid. No reorg goes deeper. */
export const SOLID_BEHIND = 19;
/** Depth of the newest transaction up to which blocks come quickly. */
const QUIET_DEPTH = 25;
/**
 * Interval between blocks of a quiet chain. It is far below a minute: wallets let a transaction expire a minute after the newest
 * block.
 */
const IDLE_BLOCK_MS = 15_000;
const DAY_MS = 86_400_000;
/** Bandwidth of a serialised result, in bytes. */
const RESULT_BYTES = 64;

/** Accepted transaction. */
export interface Transaction {
  readonly id: string;
  readonly hex: string;
  readonly raw: Raw & { readonly bytes: bigint };
  readonly rawHex: string;
  readonly signatures: readonly string[];
}

interface Block {
  readonly number: number;
  readonly id: string;
  readonly parent: string;
  /** Time in ms since 1970. */
  readonly time: number;
  readonly transactions: readonly string[];
  readonly before: ReadonlyMap<string, bigint>;
}

export interface Mined {
  readonly block: Block;
  readonly outcome: Outcome;
}

/** Refusal of a broadcast by a node: its code and message. */
export interface No {
  readonly code:
    | Objection['code']
    | 'SIGERROR'
    | 'DUP_TRANSACTION_ERROR'
    | 'TRANSACTION_EXPIRATION_ERROR'
    | 'TAPOS_ERROR'
    | 'OTHER_ERROR';
  readonly message: string;
}

/**
 * Line of the file: an accepted transaction, a block, removed blocks, a change by the chain's owner, or a clock that was moved
 * forward.
 */
type Line =
  | { readonly tx: string }
  | { readonly mined: readonly string[]; readonly at: number; readonly salt: string }
  | { readonly cut: number; readonly mayDrop: boolean }
  | { readonly set: readonly (readonly [string, string])[] }
  | { readonly skip: number };

export interface ChainOptions {
  /** Account that has all money at the beginning. */
  readonly bank: string;
  /** File of the chain; if absent, it lives as long as the process. */
  readonly file?: string;
  readonly now?: () => number;
}

/**
 * Simulated TRON chain: blocks on request, the newest 19 not solid, and reorgs above the solid one. Changes are appended to a
 * file and replayed at the next start; an incomplete last line is ignored.
 */
export class TronChain {
  readonly state = new State();
  readonly #blocks: Block[] = [];
  readonly #transactions = new Map<string, Transaction>();
  readonly #mined = new Map<string, Mined>();
  readonly #waiting = new Set<string>();
  /** Transactions of each account, in the order of their blocks. */
  readonly #touched = new Map<string, string[]>();
  readonly #now: () => number;
  readonly #file: AppendFile | undefined;
  #skipped = 0;
  #lastBusy = 0;
  #lastBlockAt = 0;

  constructor({ bank, file, now = Date.now }: ChainOptions) {
    this.#now = now;
    for (const key of [trx(bank), usdt(bank)]) this.state.set(key, 10n ** 15n);
    this.state.set(live(bank), 1n);
    this.#seal(1_767_225_600_000, '', []);
    if (file === undefined) return;
    this.#file = new AppendFile(file);
    for (const line of this.#file.values<Line>()) this.#apply(line);
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  get solid(): number {
    return Math.max(0, this.height - SOLID_BEHIND);
  }

  /** Returns a block of the present chain. */
  block(number: number): Block | undefined {
    return this.#blocks[number];
  }

  transaction(id: string): Transaction | undefined {
    return this.#transactions.get(id);
  }

  /** Returns the block and the outcome of a transaction in the present chain. */
  mined(id: string): Mined | undefined {
    return this.#mined.get(id);
  }

  /** Returns the transactions that wait for a block. */
  waiting(): Transaction[] {
    return [...this.#waiting].map((id) => this.#transactions.get(id) as Transaction);
  }

  /** Returns the mined transactions of an account, newest first. */
  of(address: string): (Mined & { readonly transaction: Transaction })[] {
    return (this.#touched.get(address) ?? []).toReversed().flatMap((id) => {
      const [mined, transaction] = [this.#mined.get(id), this.#transactions.get(id)];
      return mined && transaction ? [{ ...mined, transaction }] : [];
    });
  }

  /** Returns a value of the state after a block. */
  valueAt(key: string, number: number): bigint {
    const changed = this.#blocks.slice(number + 1).find(({ before }) => before.has(key));
    return changed?.before.get(key) ?? this.state.get(key);
  }

  /** Accepts a signed transaction, or returns a node's refusal. */
  async submit(hex: string): Promise<{ readonly id: string; readonly no?: No }> {
    let transaction: Transaction;
    try {
      transaction = parse(hex);
    } catch (error) {
      return { id: '', no: { code: 'OTHER_ERROR', message: error instanceof Error ? error.message : 'unreadable' } };
    }
    const { id } = transaction;
    const no = await this.#refuses(transaction);
    if (!no) this.#write({ tx: transaction.hex });
    return no ? { id, no } : { id };
  }

  async #refuses(transaction: Transaction): Promise<No | undefined> {
    const { id, raw, signatures } = transaction;
    if (this.#waiting.has(id) || this.#mined.has(id)) return { code: 'DUP_TRANSACTION_ERROR', message: 'Dup transaction.' };
    const head = this.#blocks[this.height] as Block;
    if (!this.#fits(raw)) return { code: 'TAPOS_ERROR', message: 'Tapos check error.' };
    if (raw.expiration <= head.time || raw.expiration > head.time + DAY_MS)
      return { code: 'TRANSACTION_EXPIRATION_ERROR', message: 'Transaction expired' };
    if (signatures.length !== 1 || (await signerOf(id, signatures[0] as string)) !== raw.owner)
      return { code: 'SIGERROR', message: 'Validate signature error: sig error' };
    return objection(this.state, raw);
  }

  /** True if the transaction's reference block belongs to this chain. */
  #fits({ refBytes, refHash }: Raw): boolean {
    const low = Number.parseInt(refBytes, 16);
    const number = this.height - ((this.height - low) & 0xffff);
    return this.#blocks[number]?.id.slice(16, 32) === refHash;
  }

  /** Returns the time of the next block if it is mined now. */
  get time(): number {
    return Math.max(this.#now() + this.#skipped, (this.#blocks[this.height] as Block).time + 1);
  }

  /** Mines blocks and returns the new height. */
  mine(blocks: number): number {
    for (let count = 0; count < blocks; count += 1) {
      this.#write({ mined: [...this.#waiting], at: this.time, salt: '' });
      this.#lastBlockAt = this.#now();
    }
    return this.height;
  }

  /** Mines one block if there is something to mine, or if the last one is old. */
  tick(): void {
    const isBusy = this.#waiting.size > 0 || this.height - this.#lastBusy < QUIET_DEPTH;
    if (isBusy || this.#now() - this.#lastBlockAt >= IDLE_BLOCK_MS) this.mine(1);
  }

  /**
   * Replaces the newest blocks by empty ones. Their transactions wait again, or are dropped. Throws Refused for a depth beyond
   * the solid block.
   */
  reorg(depth: number, mayDrop: boolean): number {
    if (depth > this.height - this.solid) throw new Refused('depth', 'What is solid is never taken back');
    this.#write({ cut: depth, mayDrop });
    const salt = randomBytes(8).toString('hex');
    for (let count = 0; count < depth; count += 1) this.#write({ mined: [], at: this.time, salt });
    return this.height;
  }

  /** Changes the state immediately, as only the chain's owner can. */
  change(values: readonly (readonly [string, bigint])[]): void {
    this.#write({ set: values.map(([key, value]) => [key, value.toString()]) });
  }

  /** Moves the chain's clock forward. */
  skip(ms: number): void {
    this.#write({ skip: ms });
  }

  /** Writes all changes to the disk. */
  save(): void {
    this.#file?.sync();
  }

  close(): void {
    this.#file?.close();
  }

  #write(line: Line): void {
    this.#file?.append(`${JSON.stringify(line)}\n`);
    this.#apply(line);
  }

  #apply(line: Line): void {
    if ('tx' in line) {
      const transaction = parse(line.tx);
      this.#transactions.set(transaction.id, transaction);
      this.#waiting.add(transaction.id);
    } else if ('mined' in line) this.#seal(line.at, line.salt, line.mined);
    else if ('cut' in line) this.#cut(line.cut, line.mayDrop);
    else if ('set' in line) for (const [key, value] of line.set) this.state.set(key, BigInt(value));
    else this.#skipped += line.skip;
  }

  #seal(time: number, salt: string, ids: readonly string[]): void {
    const number = this.#blocks.length;
    const parent = this.#blocks.at(-1)?.id ?? '0'.repeat(64);
    const outcomes = ids.flatMap((id) => {
      const outcome = this.#carryOut(id, time);
      return outcome ? [{ id, outcome }] : [];
    });
    const text = JSON.stringify([number, parent, time, salt, ids]);
    const id = number.toString(16).padStart(16, '0') + sha256(Buffer.from(text).toString('hex')).slice(16);
    const transactions = outcomes.map((one) => one.id);
    const block = { number, id, parent, time, transactions, before: this.state.seal() };
    this.#blocks.push(block);
    for (const one of outcomes) this.#mined.set(one.id, { block, outcome: one.outcome });
    if (outcomes.length > 0) this.#lastBusy = number;
  }

  /** Carries out a transaction. One that has become invalid is dropped, as nodes do. */
  #carryOut(id: string, time: number): Outcome | undefined {
    this.#waiting.delete(id);
    const transaction = this.#transactions.get(id);
    if (!transaction) return undefined;
    const { raw } = transaction;
    if (raw.expiration <= time || !this.#fits(raw) || objection(this.state, raw)) {
      this.#transactions.delete(id);
      return undefined;
    }
    const outcome = carryOut(this.state, raw);
    const parties = new Set([raw.owner, raw.to, ...outcome.logs.map(({ topics }) => `41${topics[2]?.slice(-40)}`)]);
    for (const party of parties) this.#touched.set(party, [...(this.#touched.get(party) ?? []).filter((one) => one !== id), id]);
    return outcome;
  }

  #cut(depth: number, drop: boolean): void {
    const gone = this.#blocks.splice(this.#blocks.length - depth);
    for (const { before } of gone.toReversed()) this.state.undo(before);
    const waited = [...this.#waiting];
    this.#waiting.clear();
    const ids = gone.flatMap(({ transactions }) => transactions);
    for (const id of ids) this.#mined.delete(id);
    for (const id of [...ids, ...waited]) {
      if (drop) this.#transactions.delete(id);
      else this.#waiting.add(id);
    }
    this.#lastBusy = this.height;
  }
}

function parse(hex: string): Transaction {
  const { raw: rawHex, signatures } = readTransaction(hex);
  const bytes = BigInt(writeTransaction(rawHex, signatures).length / 2 + RESULT_BYTES);
  return { id: sha256(rawHex), hex, rawHex, signatures, raw: { ...readRaw(rawHex), bytes } };
}

/** Returns the address of the signer by recovering the public key, with 0x41 before its 20 bytes. */
async function signerOf(id: string, signature: string): Promise<string | undefined> {
  try {
    return `41${(await recoverAddress({ hash: `0x${id}`, signature: `0x${signature}` as Hex })).slice(2).toLowerCase()}`;
  } catch {
    return undefined;
  }
}
