// One currency's rail with all its users: its real holdings, and its faulty answers.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import { explored, explorerMood, exploring } from './explorer-chain.ts';
import { type Call, type Fault, type MemoryRail, type MemoryTx, openMemoryRail } from '../payments/memory.ts';
import type { Attempt, Found, Payin, Payout, Rail, Sent, ObservedPayment } from '../rails/rail.ts';
import { type Explorer, HONEST } from '../rails/testing.ts';

export type Code = 'BTC' | 'USDT_ERC20';

/**
 * - `chain`: signed transactions, never in doubt; its blocks may be replaced · `provider`: happens each time it is asked,
 *   and looks references up · `deduper`: answers a reference that it knows with its first answer
 */
export type RailKind = 'chain' | 'provider' | 'deduper';

/** A payment that a customer made. */
export interface Paid {
  readonly txid: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly parts: bigint;
  /** Maximum number of confirmations that it ever had. */
  deepest: number;
}

/** A request that is still on its way while we believe it unanswered. */
interface Late {
  readonly reference: string;
  readonly arrive: () => Promise<unknown>;
}

type Trouble = Fault['kind'] | 'late';

/** Faults of each call instead of a correct answer, with weights. A false conclusive look-up is never among them. */
const TROUBLES: Readonly<Record<Call, readonly (readonly [number, Trouble])[]>> = {
  health: [
    [1, 'error'],
    [1, 'delay'],
    [1, 'hang'],
  ],
  tip: [
    [2, 'error'],
    [1, 'delay'],
    [1, 'hang'],
  ],
  observe: [
    [2, 'error'],
    [1, 'delay'],
    [1, 'hang'],
    [2, 'drop'],
    [3, 'duplicate'],
    [4, 'lie'],
  ],
  seek: [
    [2, 'error'],
    [1, 'delay'],
    [1, 'hang'],
  ],
  reserve: [
    [1, 'error'],
    [1, 'hang'],
  ],
  prepare: [
    [2, 'error'],
    [3, 'refuse'],
    [1, 'hang'],
  ],
  send: [
    [1, 'error'],
    [1, 'delay'],
    [1, 'hang'],
    [6, 'drop'],
    [4, 'lost'],
    [3, 'refuse'],
    [3, 'lie'],
    [4, 'late'],
  ],
  find: [
    [2, 'error'],
    [1, 'delay'],
    [1, 'hang'],
    [4, 'lie'],
  ],
  bump: [[1, 'error']],
  holdings: [
    [1, 'error'],
    [1, 'hang'],
  ],
  ownSends: [],
  open: [],
  redeem: [],
  recall: [],
};

/** Calls about our own sends are few, so they go wrong more often. */
const likely = (trouble: number, call: Call): number =>
  ['prepare', 'send', 'find', 'bump'].includes(call) ? Math.min(0.5, trouble * 4) : trouble / 2;

export interface ChainTerms {
  readonly code: Code;
  readonly kind: RailKind;
  readonly dice: Dice;
  /** Probability of a faulty call. */
  readonly trouble: number;
  readonly now: () => number;
  /** Counts what went wrong. */
  readonly tally: (fault: string) => void;
  /** True if the product has recorded this payment: only then may the rail answer wrongly about it. */
  readonly isKnown: (txid: string) => boolean;
}

const UNITS = { BTC: 'BTC', USDT_ERC20: 'USDT' } as const;

export class Chain {
  readonly code: Code;
  readonly kind: RailKind;
  readonly unit: string;
  readonly memory: MemoryRail;
  /** The rail's interface for our workers. */
  readonly rail: Rail;
  readonly paid: Paid[] = [];
  /** Every intent that was ever handed to the rail to be sent. */
  readonly requested = new Set<string>();
  /** Payments that left their address, or were taken back in part, at some time. */
  readonly disturbed = new Set<string>();
  readonly #terms: ChainTerms;
  /** The explorer of payments in bitcoin; undefined on other rails. */
  readonly #explorer: Explorer | undefined;
  #late: Late[] = [];
  #calm = false;

  constructor(terms: ChainTerms) {
    const { code, kind, trouble, dice } = terms;
    this.#terms = terms;
    this.code = code;
    this.kind = kind;
    this.unit = UNITS[code];
    this.memory = openMemoryRail(optionsOf(code, kind));
    this.memory.world.chance = (call) => {
      if (this.#calm || !dice.chance(likely(trouble, call))) return undefined;
      return this.#faultOf(call);
    };
    this.#explorer = code === 'BTC' && kind === 'chain' ? exploring(this.memory.world, code) : undefined;
    this.rail = this.#behind(this.memory.rail);
  }

  get isChain(): boolean {
    return this.kind === 'chain';
  }

  /** Returns this rail's real balance of a currency for us. */
  held(currency: string): bigint {
    const { world } = this.memory;
    return world.held(currency, 'hot') + world.held(currency, 'deposit') + world.held(currency, 'fuel');
  }

  /** Returns the number of sends with this intent. */
  executions(intent: string): number {
    return this.memory.world.executions(intent);
  }

  /** True if any send with this intent exists, even without effect. */
  isShown(intent: string): boolean {
    return this.memory.world.carrying(intent).length > 0;
  }

  /** True if a customer's payment is in a block. */
  isMined(txid: string): boolean {
    return this.memory.world.status(txid)?.block !== undefined;
  }

  /** Confirmations of a transaction; 0 while it waits or isn't there. */
  depthOf(txid: string): number {
    return this.memory.world.status(txid)?.confirmations ?? 0;
  }

  /** A payment is made. `from`: its sender's account, if money may be sent back there. */
  pay(
    to: string,
    parts: bigint,
    options: { currency?: string; isFeeOk?: boolean; isReplaceable?: boolean; from?: string } = {},
  ): void {
    const { currency = this.code, from = `payer ${this.paid.length} of ${this.code}` } = options;
    const txid = this.memory.world.pay(to, parts, { ...options, currency, from: [from] });
    this.paid.push({ txid, from, to, currency, parts, deepest: 0 });
  }

  mine(blocks: number): void {
    const { world } = this.memory;
    world.mine(blocks);
    const { lag } = world;
    world.lag = 0;
    for (const paid of this.paid) paid.deepest = Math.max(paid.deepest, world.status(paid.txid)?.confirmations ?? 0);
    world.lag = lag;
  }

  /**
   * Replaces the newest blocks. Payments for which `isLost` returns true never happened; all others wait again. A provider's
   * blocks only measure the time in which payments can be charged back: its sends for us stay sent.
   */
  reorg(depth: number, isLost: (tx: MemoryTx) => boolean): MemoryTx[] {
    const gone = this.memory.world.reorg(depth, true);
    for (const { id } of gone) this.disturbed.add(id);
    return gone.filter((tx) => {
      const lost = isLost(tx) && (this.isChain || !tx.own);
      if (!lost) this.memory.world.restore(tx);
      return lost;
    });
  }

  /** Makes the explorer answer in another way. Returns that way, or undefined without an explorer. */
  explore(): string | undefined {
    if (!this.#explorer) return undefined;
    const { name, tricks } = explorerMood(this.#terms.dice);
    this.#explorer.tricks = tricks;
    return name;
  }

  /** Delivers requests that were on their way, however late. */
  async deliver(): Promise<number> {
    const due = this.#late.splice(0);
    for (const { arrive } of due) await arrive();
    return due.length;
  }

  get hasLate(): boolean {
    return this.#late.length > 0;
  }

  /** Stops all faults. */
  calm(): void {
    this.#calm = true;
    this.memory.world.calm();
    this.memory.world.lag = 0;
    if (this.#explorer) this.#explorer.tricks = HONEST;
  }

  #faultOf(call: Call): Fault | undefined {
    // Wrong answers and late arrivals are made in `#behind`, which knows whether the rail may make them.
    const kinds = TROUBLES[call].filter(([, kind]) => kind !== 'late' && (kind !== 'lie' || (call === 'send' && this.isChain)));
    const kind = this.#terms.dice.weighed(kinds) as Fault['kind'];
    this.#terms.tally(`${call}: ${kind === 'lie' ? 'reverts' : kind}`);
    return kind === 'delay' ? { kind, until: sleep(1) } : kind === 'refuse' ? { kind, reason: 'blocked' } : ({ kind } as Fault);
  }

  /** Returns true if a fault of the wrapper happens now. */
  #wrapped(call: Call, kind: Trouble): boolean {
    const { dice, trouble, tally } = this.#terms;
    const weights = TROUBLES[call];
    const all = weights.reduce((sum, [weight]) => sum + weight, 0);
    const mine = weights.find(([, each]) => each === kind)?.[0] ?? 0;
    const happens = !this.#calm && dice.chance((likely(trouble, call) * mine) / all);
    if (happens) tally(`${call}: ${kind}`);
    return happens;
  }

  #behind(inner: MemoryRail['rail']): Rail {
    const seen = this.#explorer ? explored(inner.payin, this.#explorer, this.code) : inner.payin;
    const payin: Payin = { ...seen, observe: async (...call) => this.#lies(await seen.observe(...call)) };
    const payout: Payout = {
      ...inner.payout,
      send: (attempt) => this.#send(inner.payout, attempt),
      find: (attempt) => this.#find(inner.payout, attempt),
    };
    return { ...inner, payin, payout };
  }

  /** Another amount than before for a payment that we know. */
  #lies(seen: ObservedPayment[]): ObservedPayment[] {
    const known = seen.filter(({ txid }) => this.#terms.isKnown(txid));
    if (known.length === 0 || !this.#wrapped('observe', 'lie')) return seen;
    return seen.map((one) => (known.includes(one) ? { ...one, parts: one.parts * 2n } : one));
  }

  async #send(inner: Payout, attempt: Attempt): Promise<Sent> {
    for (const item of attempt.items) this.requested.add(item);
    if (!this.#wrapped('send', 'late')) return this.#answered(attempt, await inner.send(attempt));
    const quiet = async (): Promise<unknown> => {
      const { chance } = this.memory.world;
      this.memory.world.chance = () => undefined;
      const said = await inner.send(attempt);
      this.memory.world.chance = chance;
      return said;
    };
    this.#late.push({ reference: attempt.reference, arrive: quiet });
    return new Promise(() => {});
  }

  /** A provider's definite refusal holds for the reference: a later request under it is refused as well. */
  #answered({ reference }: Attempt, said: Sent): Sent {
    const isOver = said.outcome === 'refused' && !this.isChain;
    if (isOver) this.#late = this.#late.filter((late) => late.reference !== reference);
    return said;
  }

  /** It overlooks a reference, however long ago that was sent. */
  async #find(inner: Payout, attempt: Attempt): Promise<Found> {
    if (this.#wrapped('find', 'lie')) return { outcome: 'absent', isConclusive: false };
    return inner.find(attempt);
  }
}

function optionsOf(code: Code, kind: RailKind): Parameters<typeof openMemoryRail>[0] {
  const provider = kind === 'chain' ? {} : { provider: { hasDedupe: kind === 'deduper' } };
  if (code === 'BTC') {
    const id = kind === 'chain' ? 'bitcoin' : `${kind}_btc`;
    const currencies = [
      { code, unit: 'BTC', payDigits: 8 },
      { code: 'LTC', unit: 'LTC', payDigits: 8 },
    ];
    return { id, currencies, fee: 1_500n, batch: 3, ...provider };
  }
  const id = kind === 'chain' ? 'evm' : `${kind}_usdt`;
  const fuelled = kind === 'chain' ? { fuel: 'ETH', fee: 10n ** 14n } : { fee: 500_000n };
  return { id, currencies: [{ code, unit: 'USDT', payDigits: 2, dust: 10_000n }], batch: 1, ...fuelled, ...provider };
}
