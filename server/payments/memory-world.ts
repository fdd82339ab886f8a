import type { Call, Fault } from './memory-fault.ts';
import { hashOf, setOf, slotOf } from './memory-names.ts';

export type * from './memory-fault.ts';
export { hashOf, slotOf } from './memory-names.ts';

/** What moves in a memory world: a payment by somebody else, or a send of ours. */
export interface MemoryTx {
  readonly id: string;
  readonly outputs: readonly { readonly currency: string; readonly to: string; readonly parts: bigint }[];
  readonly from: readonly string[];
  readonly inputs?: readonly string[];
  readonly replaceable: boolean;
  readonly feeOk: boolean;
  /** For a send of ours: the coins that it spends, the payouts that it carries, its cost. */
  readonly own?: {
    readonly spends: readonly string[];
    readonly items: readonly string[];
    readonly fee: { readonly currency: string; readonly parts: bigint };
    /** The deposit address that it empties; else it comes out of the hot wallet. */
    readonly from?: string | undefined;
  };
  /** It is mined without effect: only its fee is spent. */
  readonly reverts: boolean;
}

interface Block {
  readonly height: number;
  readonly hash: string;
  readonly at: Date;
  readonly txs: readonly MemoryTx[];
}

export interface PayOptions {
  /** What it spends, where the rail is to tell. */
  readonly inputs?: readonly string[];
  readonly currency?: string;
  readonly from?: readonly string[];
  readonly replaceable?: boolean;
  readonly feeOk?: boolean;
}

interface Move {
  readonly currency: string;
  readonly place: string;
  readonly address?: string;
  readonly parts: bigint;
}

/** The least depth at which a conflicting transaction rules another out. */
const CONCLUSIVE = 6;

/**
 * A chain in memory and the people on it: anyone who holds it makes payments, blocks, reorgs and faults happen. Money of
 * ours lies in `held` and changes only by what really happened.
 */
export class MemoryWorld {
  readonly #blocks: Block[] = [{ height: 0, hash: 'genesis', at: new Date(0), txs: [] }];
  readonly #mempool = new Map<string, MemoryTx>();
  /** Where each known transaction stands: its height, or null in the mempool. */
  readonly #where = new Map<string, number | null>();
  /** Transactions that were in a block at some time. */
  readonly #mined = new Set<string>();
  readonly #txs = new Map<string, MemoryTx>();
  readonly #byReceiver = new Map<string, Set<string>>();
  readonly #bySpend = new Map<string, Set<string>>();
  readonly #held = new Map<string, bigint>();
  readonly #faults = new Map<Call, Fault[]>();
  readonly #own = new Set<string>();
  #made = 0;
  #highestSlot = -1;
  readonly #clock: () => Date;
  /** The chain's own clock, where it is to be another one. */
  now: (() => Date) | undefined;
  /** The currency that payments are in unless said otherwise. */
  readonly currency: string;
  /** Asked before each call; what it gives happens once. Programmed faults come first. */
  chance: (call: Call) => Fault | undefined = () => undefined;
  health: { up: boolean; silent?: boolean; detail: string } = { up: true, detail: 'up' };
  /** For a provider: vouchers by number, each with its worth and whether it was used. */
  readonly vouchers = new Map<string, { readonly parts: bigint; used: boolean }>();
  /** For a provider: how often each payment reference was prepared. */
  readonly opened = new Map<string, number>();
  /** For a provider: how much of a standing payment it has taken back so far, in minor units, by transaction. */
  readonly #taken = new Map<string, bigint>();
  /** For a provider: the fee that it keeps of each payment, in minor units. */
  keeps = 0n;
  /** Addresses whose history is longer than a look may read: nothing of it is shown. */
  readonly endless = new Set<string>();
  /** Blocks by which the rail's word lags behind the world. */
  lag = 0;
  /** The moment that its word of its balance is of; undefined: of now. */
  balanceOf: Date | undefined;
  /** The time that it says of its balance; undefined: it says none. */
  balanceSays: Date | undefined;
  /** What was held after each move, with its moment, oldest first. */
  readonly #moves: { readonly key: string; readonly at: Date; readonly held: bigint }[] = [];

  constructor(currency: string, now: () => Date = () => new Date(0)) {
    this.currency = currency;
    this.#clock = now;
  }

  /** The next `times` calls of this kind go wrong. */
  inject(call: Call, fault: Fault, times = 1): void {
    const queue = this.#faults.get(call) ?? [];
    this.#faults.set(call, [...queue, ...Array.from({ length: times }, () => fault)]);
  }

  /** Nothing goes wrong from here on. */
  calm(): void {
    this.#faults.clear();
    this.chance = () => undefined;
  }

  /** The fault of this call, if it has one. */
  fault(call: Call): Fault | undefined {
    return this.#faults.get(call)?.shift() ?? this.chance(call);
  }

  /** Names an address of ours: what arrives there is held by us. */
  own(to: string): void {
    this.#own.add(to);
  }

  /** Gives us money from nowhere (`address` as in the rail's reserve). */
  fund(currency: string, place: string, parts: bigint): void {
    this.#move(currency, place, parts);
  }

  held(currency: string, place: string): bigint {
    return this.#held.get(`${currency}:${place}`) ?? 0n;
  }

  /** What the rail says is held: as it was at the moment that its word is of. */
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

  /** Somebody pays; it waits in the mempool. Gives the transaction's id. */
  pay(to: string, parts: bigint, options: PayOptions = {}): string {
    return this.payMany([{ to, parts }], options);
  }

  /** One transaction pays several addresses. */
  payMany(outputs: readonly { to: string; parts: bigint }[], options: PayOptions = {}): string {
    const made = this.#made++;
    const { currency = this.currency, from = [`someone-${made}`], inputs = [`coin of ${made}`] } = options;
    const tx: MemoryTx = {
      id: hashOf(`pay:${made}`),
      outputs: outputs.map((output) => ({ ...output, currency })),
      ...{ from, inputs, reverts: false, replaceable: options.replaceable ?? false, feeOk: options.feeOk ?? true },
    };
    this.#enter(tx);
    return tx.id;
  }

  /** A waiting payment vanishes without a trace. */
  evict(id: string): void {
    const tx = this.#mempool.get(id);
    if (tx) this.#forget(tx);
  }

  /** A waiting payment's coins go to somebody else: once that is in a block, the payment can never happen. */
  doubleSpend(id: string): void {
    const { outputs, ...tx } = this.#txs.get(id) as MemoryTx;
    this.evict(id);
    this.#enter({ ...tx, id: hashOf(`not ${id}`), outputs: outputs.map((one) => ({ ...one, to: 'somebody else' })) });
  }

  /** Puts a transaction that vanished back among the waiting ones: the very same bytes. */
  restore(tx: MemoryTx): void {
    if (!this.#where.has(tx.id)) this.#enter(tx);
  }

  /**
   * A send of ours arrives, in place of waiting ones that spend the same for a lower fee. Gives why it can't, if it
   * can't; the same bytes again change nothing.
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
    for (const { to } of tx.outputs) setOf(this.#byReceiver, to).add(tx.id);
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

  /** The address that fees in this currency are paid from; a rail with fuel overrides it. */
  feePlace: (currency: string) => string = () => 'hot';
  /** The address where payments to us arrive. */
  arrivesAt = 'hot';

  /** What a send of ours takes from us, from when it waits. */
  #debits({ own, outputs, reverts }: MemoryTx): Move[] {
    if (!own) return [];
    const { fee, from } = own;
    const of = (place: string): Pick<Move, 'place' | 'address'> =>
      from === undefined ? { place } : { place: 'deposit', address: from };
    const paid = reverts
      ? []
      : outputs.map(({ currency, to, parts }) => ({
          currency,
          parts,
          ...of(this.#own.has(to) ? this.feePlace(currency) : 'hot'),
        }));
    return [{ ...fee, ...of(this.feePlace(fee.currency)) }, ...paid];
  }

  /** What a transaction brings us, from when it is mined. */
  #credits({ own, outputs, reverts }: MemoryTx): Move[] {
    if (reverts) return [];
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

  /** Transactions that empty a deposit address. */
  sentFrom(address: string): number {
    return [...this.#where.keys()].filter((id) => this.#txs.get(id)?.own?.from === address).length;
  }

  /** Makes blocks; the first takes everything that waits. */
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

  /** A sweep of an address that does not hold so much: a reorg took the deposit away. */
  #isUnpaid({ own, outputs, reverts }: MemoryTx): boolean {
    const from = own?.from;
    return from !== undefined && !reverts && outputs.some(({ currency }) => this.held(currency, from) < 0n);
  }

  /** A provider takes a send of ours back: the money is ours again, its fee stays spent. */
  revert(id: string): void {
    const tx = this.#txs.get(id);
    if (tx && !tx.reverts && this.#where.has(id)) this.#revert(tx);
  }

  /** What was mined without effect: only its fee is spent. */
  #revert(tx: MemoryTx): MemoryTx {
    const reverted = { ...tx, reverts: true };
    this.#book(this.#credits(tx), -1n);
    this.#book(this.#debits(tx), 1n);
    this.#book(this.#debits(reverted), -1n);
    this.#txs.set(tx.id, reverted);
    return reverted;
  }

  /** A provider takes so much of a payment back, all told; less than before: it gives some back. */
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

  /** Replaces the newest blocks by as many others. `drop`: what was in them never happened; else it happens again. */
  reorg(depth: number, drop: boolean): MemoryTx[] {
    const gone = this.#blocks.splice(-depth).flatMap(({ txs }) => txs);
    for (const tx of gone) {
      if (this.takenOf(tx.id) > 0n) this.takeInPart(tx.id, 0n);
      this.#book(this.#credits(tx), -1n);
      this.#where.set(tx.id, null);
      if (drop) this.#forget(tx);
      else this.#mempool.set(tx.id, tx);
    }
    const waiting = drop ? [...this.#mempool.values()] : [];
    if (drop) this.#mempool.clear();
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

  /** The block at a height, as the rail may say it. */
  hashAt(height: number): string | undefined {
    return height > this.height ? undefined : this.#blocks[height]?.hash;
  }

  /** Payments in a block that spend this, as the rail may say it. */
  minedSpenders(input: string): { id: string; height: number }[] {
    const mined = this.#blocks.slice(0, this.height + 1);
    return mined.flatMap(({ txs, height }) => txs.flatMap(({ id, inputs }) => (inputs?.includes(input) ? { id, height } : [])));
  }

  /** Where a transaction stands as the rail may say it. */
  standing(id: string): { tx: MemoryTx; block?: Block; confirmations: number } | undefined {
    const where = this.#where.get(id);
    const tx = this.#txs.get(id);
    if (where === undefined || !tx) return undefined;
    const block = where === null || where > this.height ? undefined : this.#blocks[where];
    return block ? { tx, block, confirmations: this.height - block.height + 1 } : { tx, confirmations: 0 };
  }

  /** Every transaction that pays a receiver now. */
  paying(to: string): MemoryTx[] {
    const ids = this.#byReceiver.get(to) ?? [];
    return [...ids].flatMap((id) => (this.#where.has(id) ? (this.#txs.get(id) ?? []) : []));
  }

  /** Every transaction that had paid a receiver and does no more. */
  takenBack(to: string): MemoryTx[] {
    const ids = this.#byReceiver.get(to) ?? [];
    return [...ids].flatMap((id) => (this.#mined.has(id) && !this.#where.has(id) ? (this.#txs.get(id) ?? []) : []));
  }

  /** What a receiver has by the world's own word, waiting or mined. */
  received(to: string): bigint {
    const txs = this.paying(to).filter(({ reverts }) => !reverts);
    return txs.flatMap(({ outputs }) => outputs).reduce((sum, output) => (output.to === to ? sum + output.parts : sum), 0n);
  }

  /** Sends of ours that stand now and carry this payout: more than one is the worst that can happen. */
  executions(item: string): number {
    return this.carrying(item).filter(({ reverts }) => !reverts).length;
  }

  /** The same with those that had no effect but their fee. */
  carrying(item: string): MemoryTx[] {
    return [...this.#where.keys()].flatMap((id) => {
      const tx = this.#txs.get(id);
      return tx?.own?.items.includes(item) ? [tx] : [];
    });
  }

  /** Every send of ours that stands now, waiting or mined, and when its block was made. */
  ownSends(): { readonly tx: MemoryTx; readonly at: Date | undefined }[] {
    return [...this.#where].flatMap(([id, height]) => {
      const tx = this.#txs.get(id);
      return tx?.own ? [{ tx, at: height === null ? undefined : this.#blocks[height]?.at }] : [];
    });
  }

  isOurs = (to: string): boolean => this.#own.has(to);

  /** Another transaction that spends the same and stands now. */
  rivalOf(id: string, spends: readonly string[]): string | undefined {
    return spends.map((spend) => this.#spender(spend)).find((other) => other !== undefined && other !== id);
  }

  /** Can this never happen any more, since another that spends the same lies deep? */
  isRuledOut(id: string, spends: readonly string[]): boolean {
    return spends.some((spend) => {
      const other = this.#spender(spend);
      return other !== undefined && other !== id && (this.standing(other)?.confirmations ?? 0) >= CONCLUSIVE;
    });
  }

  /** The first slot that no send of ours has ever used here. */
  get nextSlot(): number {
    return this.#highestSlot + 1;
  }
}
