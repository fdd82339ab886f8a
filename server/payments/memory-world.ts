import type { Call, Fault } from './memory-fault.ts';
import { hashOf, setOf, slotOf } from './memory-names.ts';

export type * from './memory-fault.ts';
export { hashOf, slotOf } from './memory-names.ts';

/** A transaction on a simulated chain or provider: a payment by somebody else, or a send of ours. */
export interface MemoryTx {
  readonly id: string;
  readonly outputs: readonly { readonly currency: string; readonly to: string; readonly parts: bigint }[];
  readonly from: readonly string[];
  readonly inputs?: readonly string[];
  readonly isReplaceable: boolean;
  readonly isFeeOk: boolean;
  /** Set for a send of ours: the inputs that it spends, the payouts that it carries, and its fee. */
  readonly own?: {
    readonly spends: readonly string[];
    readonly items: readonly string[];
    readonly fee: { readonly currency: string; readonly parts: bigint };
    /** Deposit address that the send empties; absent if it leaves the hot wallet. */
    readonly from?: string | undefined;
  };
  /** True if the transaction is mined without effect: only its fee is spent. */
  readonly isReverted: boolean;
}

interface Block {
  readonly height: number;
  readonly hash: string;
  readonly at: Date;
  readonly txs: readonly MemoryTx[];
}

export interface PayOptions {
  /** Inputs that the payment spends, if the rail should report them. */
  readonly inputs?: readonly string[];
  readonly currency?: string;
  readonly from?: readonly string[];
  readonly isReplaceable?: boolean;
  readonly isFeeOk?: boolean;
}

interface Move {
  readonly currency: string;
  readonly place: string;
  readonly address?: string;
  readonly parts: bigint;
}

/** Smallest depth at which a conflicting transaction rules another out. */
const CONCLUSIVE = 6;

/**
 * A simulated chain or provider, and the people who pay through it. Tests make payments, blocks, reorgs and faults happen. `held`
 * returns our money as the simulated chain has it, even if the books differ.
 */
export class MemoryWorld {
  readonly #blocks: Block[] = [{ height: 0, hash: 'genesis', at: new Date(0), txs: [] }];
  readonly #mempool = new Map<string, MemoryTx>();
  /** Height of each known transaction; null while it waits in the mempool. */
  readonly #where = new Map<string, number | null>();
  /** Ids of transactions that were in a block at some time. */
  readonly #mined = new Set<string>();
  readonly #txs = new Map<string, MemoryTx>();
  readonly #isBorneByReceiver = new Map<string, Set<string>>();
  readonly #bySpend = new Map<string, Set<string>>();
  readonly #held = new Map<string, bigint>();
  readonly #faults = new Map<Call, Fault[]>();
  readonly #own = new Set<string>();
  #made = 0;
  #highestSlot = -1;
  readonly #clock: () => Date;
  /** Clock of the simulated chain; undefined: real time. */
  now: (() => Date) | undefined;
  /** Default currency of payments. */
  readonly currency: string;
  /** Called before each call of the rail for which `inject` has set no fault. A returned fault affects only that call. */
  chance: (call: Call) => Fault | undefined = () => undefined;
  health: { isUp: boolean; isSilent?: boolean; lacks?: string; detail: string } = { isUp: true, detail: 'up' };
  /** For a provider: vouchers by number, with their value and whether they were used. */
  readonly vouchers = new Map<string, { readonly parts: bigint; isUsed: boolean }>();
  /** For a provider: number of times that each payment reference was prepared. */
  readonly opened = new Map<string, number>();
  /** For a provider: amount of each payment that the provider has taken back so far, in parts, by transaction. */
  readonly #taken = new Map<string, bigint>();
  /** For a provider: accounts of payers who dispute their payments. */
  readonly disputing = new Set<string>();
  /** For a provider: fee that it retains from each payment, in parts. */
  keeps = 0n;
  /** Addresses with more transactions than one poll may read. A poll shows no payments to them. */
  readonly endless = new Set<string>();
  /** Number of blocks by which the rail's answers lag behind the simulated chain. */
  lag = 0;
  /** Moment whose balance the rail reports; undefined: now. */
  balanceOf: Date | undefined;
  /** Time that the rail reports with a balance; undefined: none. */
  balanceSays: Date | undefined;
  /** Our amount at a place after each movement, with its time, oldest first. */
  readonly #moves: { readonly key: string; readonly at: Date; readonly held: bigint }[] = [];

  constructor(currency: string, now: () => Date = () => new Date(0)) {
    this.currency = currency;
    this.#clock = now;
  }

  /** Sets a fault for the next `times` calls of a kind. */
  inject(call: Call, fault: Fault, times = 1): void {
    const queue = this.#faults.get(call) ?? [];
    this.#faults.set(call, [...queue, ...Array.from({ length: times }, () => fault)]);
  }

  /** Removes all faults. */
  calm(): void {
    this.#faults.clear();
    this.chance = () => undefined;
  }

  /** Returns the fault of this call, if it has one. */
  fault(call: Call): Fault | undefined {
    return this.#faults.get(call)?.shift() ?? this.chance(call);
  }

  /** Registers an address of ours: coin that arrives there becomes ours. */
  own(to: string): void {
    this.#own.add(to);
  }

  /** Adds to our money at a place of the rail (`place` as in the rail's reserve), without any payment. */
  fund(currency: string, place: string, parts: bigint): void {
    this.#move(currency, place, parts);
  }

  held(currency: string, place: string): bigint {
    return this.#held.get(`${currency}:${place}`) ?? 0n;
  }

  /** Returns our amount at a place as the rail reports it, as of the moment that its balance describes. */
  saidHeld(currency: string, place: string): bigint {
    const [of, key] = [this.balanceOf, `${currency}:${place}`];
    if (!of) return this.held(currency, place);
    return this.#moves.findLast((move) => move.key === key && move.at <= of)?.held ?? 0n;
  }

  #move(currency: string, place: string, parts: bigint): void {
    const [key, held] = [`${currency}:${place}`, this.held(currency, place) + parts];
    this.#held.set(key, held);
    this.#moves.push({ key, held, at: (this.now ?? this.#clock)() });
  }

  /** Makes somebody pay; the payment waits in the mempool. Returns the transaction's id. */
  pay(to: string, parts: bigint, options: PayOptions = {}): string {
    return this.payMany([{ to, parts }], options);
  }

  /** Makes one transaction pay several addresses. */
  payMany(outputs: readonly { to: string; parts: bigint }[], options: PayOptions = {}): string {
    const made = this.#made++;
    const { currency = this.currency, from = [`someone-${made}`], inputs = [`coin of ${made}`] } = options;
    const tx: MemoryTx = {
      id: hashOf(`pay:${made}`),
      outputs: outputs.map((output) => ({ ...output, currency })),
      ...{ from, inputs, isReverted: false, isReplaceable: options.isReplaceable ?? false, isFeeOk: options.isFeeOk ?? true },
    };
    this.#enter(tx);
    return tx.id;
  }

  /** Removes a waiting payment from the mempool without a trace. */
  evict(id: string): void {
    const tx = this.#mempool.get(id);
    if (tx) this.#forget(tx);
  }

  /**
   * Spends a waiting payment's inputs in favour of somebody else. Once that transaction is in a block, the payment can never
   * happen.
   */
  doubleSpend(id: string): void {
    const { outputs, ...tx } = this.#txs.get(id) as MemoryTx;
    this.evict(id);
    this.#enter({ ...tx, id: hashOf(`not ${id}`), outputs: outputs.map((one) => ({ ...one, to: 'somebody else' })) });
  }

  /** Puts a vanished transaction back among the waiting ones, with the same bytes. */
  restore(tx: MemoryTx): void {
    if (!this.#where.has(tx.id)) this.#enter(tx);
  }

  /**
   * Receives a send of ours. The send replaces waiting sends that have the same inputs and a lower fee. Returns `spent` if
   * another transaction has already spent the inputs. Receiving the same bytes again changes nothing.
   */
  submit(tx: MemoryTx): 'spent' | undefined {
    if (this.#where.has(tx.id)) return undefined;
    const rivals = new Set(tx.own?.spends.flatMap((spend) => this.#spender(spend) ?? []));
    for (const rival of rivals) {
      const waiting = this.#mempool.get(rival);
      if (!waiting || (waiting.own?.fee.parts ?? 0n) >= (tx.own?.fee.parts ?? 0n)) return 'spent';
    }
    for (const rival of rivals) this.evict(rival);
    this.#enter(tx);
    return undefined;
  }

  #spender(spend: string): string | undefined {
    return [...(this.#bySpend.get(spend) ?? [])].find((id) => this.#where.has(id));
  }

  #enter(tx: MemoryTx): void {
    this.#mempool.set(tx.id, tx);
    this.#where.set(tx.id, null);
    this.#txs.set(tx.id, tx);
    for (const { to } of tx.outputs) setOf(this.#isBorneByReceiver, to).add(tx.id);
    for (const spend of tx.own?.spends ?? []) {
      setOf(this.#bySpend, spend).add(tx.id);
      this.#highestSlot = Math.max(this.#highestSlot, slotOf(spend));
    }
    this.#book(this.#debits(tx), -1n);
  }

  #forget(tx: MemoryTx): void {
    this.#mempool.delete(tx.id);
    this.#where.delete(tx.id);
    this.#book(this.#debits(tx), 1n);
  }

  /** Returns the place that pays fees in a currency. A rail with separate gas overrides this. */
  feePlace: (currency: string) => string = () => 'hot';
  /** Place where payments to us arrive. */
  arrivesAt = 'hot';

  /** Returns the amounts that a send of ours takes from our places while it waits. */
  #debits({ own, outputs, isReverted }: MemoryTx): Move[] {
    if (!own) return [];
    const { fee, from } = own;
    const of = (place: string): Pick<Move, 'place' | 'address'> =>
      from === undefined ? { place } : { place: 'deposit', address: from };
    const paid = isReverted
      ? []
      : outputs.map(({ currency, to, parts }) => ({
          currency,
          parts,
          ...of(this.#own.has(to) ? this.feePlace(currency) : 'hot'),
        }));
    return [{ ...fee, ...of(this.feePlace(fee.currency)) }, ...paid];
  }

  /** Returns the amounts that a transaction adds to our places once it is mined. */
  #credits({ own, outputs, isReverted }: MemoryTx): Move[] {
    if (isReverted) return [];
    return outputs.flatMap(({ currency, to, parts }): Move[] => {
      if (own && to === 'hot') return [{ currency, parts, place: 'hot' }];
      return this.#own.has(to) ? [{ currency, parts, place: own ? 'deposit' : this.arrivesAt, address: to }] : [];
    });
  }

  #book(moves: readonly Move[], sign: bigint): void {
    for (const { currency, place, address, parts } of moves) {
      this.#move(currency, place, sign * parts);
      if (address !== undefined) this.#move(currency, address, sign * parts);
    }
  }

  /** Returns the number of transactions that empty a deposit address. */
  sentFrom(address: string): number {
    return [...this.#where.keys()].filter((id) => this.#txs.get(id)?.own?.from === address).length;
  }

  /** Makes blocks. The first one includes all waiting transactions. */
  mine(count = 1): void {
    for (let at = 0; at < count; at += 1) {
      const height = this.#blocks.length;
      const txs = [...this.#mempool.values()];
      this.#mempool.clear();
      this.#blocks.push({ height, hash: hashOf(`block:${this.#made++}`), at: (this.now ?? this.#clock)(), txs });
      for (const tx of txs) {
        this.#where.set(tx.id, height);
        this.#mined.add(tx.id);
        this.#book(this.#credits(tx), 1n);
      }
      txs.forEach((tx, index) => this.#isUnpaid(tx) && (txs[index] = this.#revert(tx)));
    }
  }

  /** True for a sweep of an address that holds less than the sweep moves, because a reorg removed the deposit. */
  #isUnpaid({ own, outputs, isReverted }: MemoryTx): boolean {
    const from = own?.from;
    return from !== undefined && !isReverted && outputs.some(({ currency }) => this.held(currency, from) < 0n);
  }

  /** Makes a provider return a send of ours: the money is ours again, its fee stays spent. */
  revert(id: string): void {
    const tx = this.#txs.get(id);
    if (tx && !tx.isReverted && this.#where.has(id)) this.#revert(tx);
  }

  /** Marks a transaction as mined without effect: only its fee is spent. */
  #revert(tx: MemoryTx): MemoryTx {
    const reverted = { ...tx, isReverted: true };
    this.#book(this.#credits(tx), -1n);
    this.#book(this.#debits(tx), 1n);
    this.#book(this.#debits(reverted), -1n);
    this.#txs.set(tx.id, reverted);
    return reverted;
  }

  /**
   * Sets the amount of a payment that the provider has taken back, in total. A smaller total than before gives the difference
   * back.
   */
  takeInPart(id: string, parts: bigint): void {
    const tx = this.#txs.get(id);
    const [output] = tx?.outputs ?? [];
    if (!tx || !output) throw new Error(`no payment ${id}`);
    this.#book([{ currency: output.currency, place: this.arrivesAt, address: output.to, parts: this.takenOf(id) - parts }], 1n);
    this.#taken.set(id, parts);
  }

  takenOf(id: string): bigint {
    return this.#taken.get(id) ?? 0n;
  }

  /**
   * Replaces the newest `depth` blocks by new ones. `mayDrop`: true if the transactions of the replaced blocks never happened;
   * false if they are mined again. Returns the dropped transactions.
   */
  reorg(depth: number, mayDrop: boolean): MemoryTx[] {
    const gone = this.#blocks.splice(-depth).flatMap(({ txs }) => txs);
    for (const tx of gone) {
      if (this.takenOf(tx.id) > 0n) this.takeInPart(tx.id, 0n);
      this.#book(this.#credits(tx), -1n);
      this.#where.set(tx.id, null);
      if (mayDrop) this.#forget(tx);
      else this.#mempool.set(tx.id, tx);
    }
    const waiting = mayDrop ? [...this.#mempool.values()] : [];
    if (mayDrop) this.#mempool.clear();
    this.mine(depth);
    for (const tx of waiting) this.#mempool.set(tx.id, tx);
    return gone;
  }

  get height(): number {
    return Math.max(0, this.#blocks.length - 1 - this.lag);
  }

  get hash(): string {
    return this.#blocks[this.height]?.hash ?? '';
  }

  /** Returns the hash of the block at a height, as the rail reports it. */
  hashAt(height: number): string | undefined {
    return height > this.height ? undefined : this.#blocks[height]?.hash;
  }

  /** Returns transactions in a block that spend an input, as the rail reports them. */
  minedSpenders(input: string): { id: string; height: number }[] {
    const mined = this.#blocks.slice(0, this.height + 1);
    return mined.flatMap(({ txs, height }) => txs.flatMap(({ id, inputs }) => (inputs?.includes(input) ? { id, height } : [])));
  }

  /** Returns the status of a transaction, as the rail reports it. */
  status(id: string): { tx: MemoryTx; block?: Block; confirmations: number } | undefined {
    const where = this.#where.get(id);
    const tx = this.#txs.get(id);
    if (where === undefined || !tx) return undefined;
    const block = where === null || where > this.height ? undefined : this.#blocks[where];
    return block ? { tx, block, confirmations: this.height - block.height + 1 } : { tx, confirmations: 0 };
  }

  /** Returns every transaction that pays a receiver now. */
  paying(to: string): MemoryTx[] {
    const ids = this.#isBorneByReceiver.get(to) ?? [];
    return [...ids].flatMap((id) => (this.#where.has(id) ? (this.#txs.get(id) ?? []) : []));
  }

  /** Returns transactions that once paid a receiver, and no longer do. */
  takenBack(to: string): MemoryTx[] {
    const ids = this.#isBorneByReceiver.get(to) ?? [];
    return [...ids].flatMap((id) => (this.#mined.has(id) && !this.#where.has(id) ? (this.#txs.get(id) ?? []) : []));
  }

  /** Returns the amount that a receiver really has, waiting or mined, in parts. */
  received(to: string): bigint {
    const txs = this.paying(to).filter(({ isReverted }) => !isReverted);
    return txs.flatMap(({ outputs }) => outputs).reduce((sum, output) => (output.to === to ? sum + output.parts : sum), 0n);
  }

  /** Returns the number of our current sends that carry a payout. If there are several, the payout was paid more than once. */
  executions(item: string): number {
    return this.carrying(item).filter(({ isReverted }) => !isReverted).length;
  }

  /** Returns our current sends that carry this payout, also those that had no effect but their fee. */
  carrying(item: string): MemoryTx[] {
    return [...this.#where.keys()].flatMap((id) => {
      const tx = this.#txs.get(id);
      return tx?.own?.items.includes(item) ? [tx] : [];
    });
  }

  /** Returns every current send of ours, waiting or mined, with the time of its block. */
  ownSends(): { readonly tx: MemoryTx; readonly at: Date | undefined }[] {
    return [...this.#where].flatMap(([id, height]) => {
      const tx = this.#txs.get(id);
      return tx?.own ? [{ tx, at: height === null ? undefined : this.#blocks[height]?.at }] : [];
    });
  }

  isOurs = (to: string): boolean => this.#own.has(to);

  /** Returns the id of another current transaction with the same inputs; undefined if there is none. */
  rivalOf(id: string, spends: readonly string[]): string | undefined {
    return spends.map((spend) => this.#spender(spend)).find((other) => other !== undefined && other !== id);
  }

  /** True if a transaction can never happen any more, because one with the same inputs is deep enough. */
  isRuledOut(id: string, spends: readonly string[]): boolean {
    return spends.some((spend) => {
      const other = this.#spender(spend);
      return other !== undefined && other !== id && (this.status(other)?.confirmations ?? 0) >= CONCLUSIVE;
    });
  }

  /** Returns the first slot that no send of ours has ever used here. */
  get nextSlot(): number {
    return this.#highestSlot + 1;
  }
}
