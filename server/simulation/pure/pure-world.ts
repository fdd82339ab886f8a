// The pure world: the order machine with its postings over books in memory, and rails whose truth is hidden from it.
// No database, no waiting: one event a step, some orders at once that share the desk's money, prices that move.

import { type PriceTerms, fraction, money, percent, rate } from '@kurs/money';
import {
  KIND_OF,
  PAYOUT_KINDS,
  type Effect,
  type Machine,
  type MachineContext,
  type OrderEvent,
  type OrderView,
  type Outcome,
  type Payment,
  type OrderTransition,
  type StoredOrder,
  RESTING,
  freshFacts,
  orderFromUnallocated,
  payoutMoney,
  repayable,
  unallocatedOf,
} from '../../exchange/index.ts';
import { type PayoutEvent, happeningOf, payoutLegs } from '../../payments/index.ts';
import { type PayoutMove, type PayoutNode, RAIL_KINDS, payoutMoves } from '../../payments/testing.ts';
import { type AccountRef, type Journal, type Leg, type Memory, accounts, assertLegal, openMemory } from '../../ledger/index.ts';
import { type Dice, openDice } from '../dice.ts';
import { HeldRates } from '../audit/held-rates.ts';
import { Fault, OF_ORDERS, accountsOf, mustBeCovered, mustBeShown, mustRest } from '../audit/invariants.ts';

export type Code = 'BTC' | 'USDT_ERC20';
const UNITS = { BTC: 'BTC', USDT_ERC20: 'USDT' } as const;
const CAPITAL = { BTC: 3n * 10n ** 7n, USDT_ERC20: 30_000n * 10n ** 6n } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const ACCOUNT = { fields: { address: 'a' }, key: 'a' };

/** Shorter than the product's, so that all of them end within five hundred steps. */
const RULES = {
  offer: 3 * MINUTE,
  choice: 3 * HOUR,
  hold: 3 * HOUR,
  approval: 2 * HOUR,
  keepRate: 30 * MINUTE,
  better: 2,
  retries: 2,
  writeOff: HOUR,
};

/** An order's payout, with the rail's real action. */
interface Sending extends PayoutNode {
  readonly transfer: NonNullable<OrderView['facts']['transfer']>;
}

/** Writes the books: correctly, unless a broken part replaces this. */
export type Post = (books: Memory, journal: Journal) => void;

export class PureWorld {
  readonly dice: Dice;
  readonly orders: OrderView[] = [];
  /** By order. */
  readonly #sendings = new Map<string, Sending>();
  readonly #machine: Machine;
  readonly #count: (row: OrderTransition) => void;
  readonly #post: Post;
  readonly #books = openMemory();
  /** Accounts touched by the present step. */
  readonly #touched = new Map<string, AccountRef>();
  readonly #changed: OrderView[] = [];
  /** The rails' real holdings, and the part that left without our knowing yet. */
  readonly #holds: Record<Code, bigint> = { BTC: 0n, USDT_ERC20: 0n };
  readonly #away: Record<Code, bigint> = { BTC: 0n, USDT_ERC20: 0n };
  readonly #places = new Map<string, number>();
  readonly #held = new HeldRates({ hold: RULES.hold, withPapers: RULES.keepRate });
  #ids = 0;
  #price = 10;
  now = 0;

  constructor(seed: number, machine: Machine, count: (row: OrderTransition) => void, post: Post = postOrThrow) {
    this.dice = openDice(seed);
    this.#machine = machine;
    this.#count = count;
    this.#post = post;
    this.fund(1n);
  }

  /** The desk brings capital in. */
  fund(times: bigint): void {
    for (const code of ['BTC', 'USDT_ERC20'] as const) {
      const [unit, parts] = [UNITS[code], CAPITAL[code] * times];
      this.#holds[code] += parts;
      this.#write('capital_in', [{ from: accounts.custody(code, 'hot', unit), to: accounts.deskFree(unit), parts }]);
    }
  }

  readonly id = (): string => {
    this.#ids += 1;
    return `00000000-0000-7000-8000-${this.#ids.toString(16).padStart(12, '0')}`;
  };

  /** Time passes and the price moves. */
  pass(ms: number): void {
    this.now += ms;
    if (this.dice.chance(0.1)) this.#price = Math.min(MARKET.length - 1, Math.max(0, this.#price + this.dice.int(-1, 1)));
  }

  /** A customer places an order, with a promise from the desk's free money if that is enough. */
  place(): void {
    const from = this.dice.pick<Code>(['BTC', 'USDT_ERC20']);
    const to: Code = from === 'BTC' ? 'USDT_ERC20' : 'BTC';
    const terms = (MARKET[this.#price] as Market)[from];
    const give = from === 'BTC' ? BigInt(this.dice.int(1, 60)) * 100_000n : BigInt(this.dice.int(1, 60)) * 100_000_000n;
    const get = from === 'BTC' ? give * 850n : give / 1_000n;
    const id = this.id();
    const now = new Date(this.now);
    const bare: OrderView = {
      id,
      kind: 'order',
      state: 'awaiting',
      version: 1,
      give: { currency: from, unit: UNITS[from], rail: from, parts: give },
      get: { currency: to, unit: UNITS[to], rail: to, parts: get },
      receive: ACCOUNT,
      ...(this.dice.chance(0.8) && { refund: ACCOUNT }),
      pinned: {
        lockUntil: new Date(this.now + 15 * MINUTE),
        terms,
        ratesVersion: '1',
        minimum: give / 10n,
        tolerance: give / 50n,
        refundCost: give / 500n,
        minRefund: give / 200n,
        confirmWithin: HOUR,
        outageWithin: 0,
        shortPercent: 80,
        isReversible: this.dice.chance(0.3),
      },
      payments: [],
      positions: {
        in: 0n,
        out: 0n,
        reserve: 0n,
        transfer: 0n,
        unclaimedIn: 0n,
        unclaimedOut: 0n,
        frozen: 0n,
        receivable: 0n,
        loss: 0n,
      },
      facts: freshFacts(now, { askMe: this.dice.chance(0.2) }),
    };
    const free = accounts.deskFree(UNITS[to]);
    if (this.#books.balance(free) < get || this.dice.chance(0.1)) return this.#add(bare);
    this.#write('reserve', [{ from: free, to: accounts.orderReserve(id, UNITS[to]), parts: get }]);
    this.#add({ ...bare, positions: { ...bare.positions, reserve: get } });
  }

  #add(order: OrderView): void {
    this.#places.set(order.id, this.orders.length);
    this.orders.push(order);
    this.#audit(order);
  }

  /** Returns the machine's context for an order; the dice decide its approval. */
  context({ give, get }: OrderView, given: Partial<MachineContext> = {}): MachineContext {
    const market = MARKET[this.#price] as Market;
    const [giving, getting] = [give.currency as Code, get?.currency as Code | undefined];
    return {
      now: new Date(this.now),
      rules: RULES,
      newId: this.id,
      free: {
        get: getting ? this.#books.balance(accounts.deskFree(UNITS[getting])) : 0n,
        give: this.#books.balance(accounts.deskFree(UNITS[giving])),
      },
      // Money on its way is no longer there, although the books have it until the event is handled.
      held: this.#books.balance(accounts.custody(giving, 'hot', UNITS[giving])) - this.#away[giving],
      ...(getting && { market: { terms: market[giving], back: market[getting], version: '2' } }),
      allows: () => true,
      approvalFor: () => this.#approval(),
      screening: 'clean',
      ...given,
    };
  }

  #approval(): ReturnType<MachineContext['approvalFor']> {
    const people = this.dice.weighed([
      [6, 0],
      [1, 1],
      [1, 2],
    ] as const);
    return people === 0 && this.dice.chance(0.15) ? { people, clearingUntil: new Date(this.now + HOUR) } : { people };
  }

  /** True if an order's transfer can leave: its rail holds that much. */
  canSend({ facts: { transfer }, give, get }: OrderView): boolean {
    const code = (transfer?.kind === 'payout' ? get : give)?.currency as Code;
    return (
      transfer !== undefined &&
      this.#books.balance(accounts.custody(code, 'hot', UNITS[code])) - this.#away[code] >= transfer.parts
    );
  }

  /** Decides an event of an order, and applies the consequences in the books and outside. Returns false if it is refused. */
  happen(order: OrderView, event: OrderEvent, given: Partial<MachineContext> = {}): boolean {
    // A rail acts before it publishes.
    const { give } = order;
    if (event.type === 'payin_final') this.#holds[give.currency as Code] += event.payment.parts;
    if (event.type === 'dispute_won') this.#holds[give.currency as Code] += event.parts;
    if (event.type === 'payin_reversed') this.#holds[give.currency as Code] -= event.parts;
    const outcome = this.#machine.decide(order, event, this.context(order, given));
    if (outcome.refused !== undefined) {
      if (FACTS.has(event.type)) throw new Fault(`${event.type} is not accepted in ${order.state}: ${outcome.refused}`);
      return false;
    }
    this.#count(outcome.row);
    this.#mustBePriced(order, outcome.next);
    this.#outside(order, event);
    const place = this.#places.get(order.id) as number;
    this.orders[place] = outcome.next;
    const last = outcome.postings.findLast(({ legs }) => legs.length > 0);
    if (last)
      this.#write(
        KIND_OF[last.name],
        outcome.postings.flatMap(({ legs }) => legs),
      );
    for (const effect of outcome.effects) this.#follow(outcome, effect);
    this.#audit(outcome.next);
    this.#mustBeAnswered();
    this.#custody();
    return true;
  }

  /** Invariants 9 and 10: the shown rates, and after a hold the remaining ones. */
  #mustBePriced(before: OrderView, next: OrderView): void {
    this.#held.follow(before, next, this.now);
    const { rate } = (MARKET[this.#price] as Market).BTC;
    if (next.get) mustBeShown(next, before, [rate], this.#held.of(next));
  }

  /** Two people settle an order's debt from another's payment, as far as possible. Returns false if they can't. */
  settleDebt(debt: OrderView, from: OrderView): boolean {
    const parts = repayable(debt, from);
    if (parts === 0n) return false;
    const outcome = this.#machine.decide(debt, { type: 'repaid', parts }, this.context(debt));
    if (outcome.refused !== undefined) return false;
    this.#count(outcome.row);
    this.orders[this.#places.get(debt.id) as number] = outcome.next;
    this.#changed.push(outcome.next);
    if (!this.happen(from, { type: 'settle_debt', debt: debt.id, parts })) throw new Fault(`${from.id} settles no debt`);
    this.#audit(outcome.next);
    return true;
  }

  /** Applies an event to the rails' holdings. */
  #outside(before: OrderView, { type }: OrderEvent): void {
    const { transfer, sent } = before.facts;
    if (type === 'transfer_sent' && transfer) this.#away[this.#sideOf(before, transfer.kind)] -= transfer.parts;
    if (type === 'transfer_returned' && sent) this.#away[this.#sideOf(before, sent.kind)] += sent.parts;
    if (type === 'surrender') this.#holds[before.give.currency as Code] -= before.positions.frozen;
  }

  /** Payments stops an order's payout that nobody has claimed; then an event happens that says so. */
  stopping(order: OrderView, happens: (isStopped: { isStopped?: true }) => boolean): boolean {
    const canStop = this.isQueued(order);
    if (!happens(canStop ? { isStopped: true } : {})) return false;
    if (canStop) this.#sendings.delete(order.id);
    return true;
  }

  /** True if payments can stop an order's payout. */
  readonly isQueued = ({ id, facts, positions }: OrderView): boolean =>
    facts.transfer !== undefined && positions.receivable === 0n && this.#sendings.get(id)?.status === 'queued';

  /** Something happens to an order's payout: one of these steps, or any. Returns false if nothing can. */
  move(order: OrderView, ...steps: readonly PayoutMove['step'][]): boolean {
    const sending = this.#sendings.get(order.id);
    if (!sending) return false;
    const open = payoutMoves(sending).filter(
      ({ step, pays }) => (steps.length === 0 || steps.includes(step)) && (pays !== 1 || this.canSend(order)),
    );
    if (open.length === 0) return false;
    const { node, pays, reports } = this.dice.pick(open);
    const { transfer } = sending;
    const code = this.#sideOf(order, transfer.kind);
    this.#sendings.set(order.id, { ...node, transfer });
    this.#holds[code] -= BigInt(pays) * transfer.parts;
    this.#away[code] += BigInt(pays) * transfer.parts;
    for (const event of reports) this.#report(event, order.id);
    return true;
  }

  #report(event: PayoutEvent, id: string): void {
    const order = this.orders[this.#places.get(id) as number] as OrderView;
    // Payments has posted the events that it publishes, at the same moment.
    const happening = happeningOf(event);
    const transfer = happening === 'returned' ? order.facts.sent : order.facts.transfer;
    if (happening && transfer) this.#write(PAYOUT_KINDS[happening], payoutLegs(happening, payoutMoney(order, transfer)));
    const owes = order.positions.receivable > 0n;
    const reported: Partial<Record<PayoutEvent, OrderEvent>> = {
      ...{ accepted: { type: 'transfer_sent', txid: 't' }, found: { type: 'transfer_sent', txid: 't' } },
      ...{
        refused: { type: 'transfer_failed', isTransient: this.dice.chance(0.6) },
        absent: { type: 'transfer_failed', isTransient: true },
      },
      ...{
        final: { type: 'transfer_final' },
        returned: { type: 'transfer_returned' },
        kept: owes ? { type: 'transfer_failed', isTransient: false, isRetained: true } : { type: 'stop' },
      },
    };
    const means = reported[event];
    if (means && !this.happen(order, means)) throw new Fault(`${event} is not accepted in ${order.state}`);
    if (event === 'kept' || event === 'refused' || event === 'absent' || event === 'returned') this.#sendings.delete(id);
  }

  #sideOf({ give, get }: OrderView, kind: 'payout' | 'refund'): Code {
    return (kind === 'payout' ? (get ?? give) : give).currency as Code;
  }

  #follow({ next }: Outcome, effect: Effect): void {
    if (effect.do === 'request_payout') {
      const queued = { status: 'queued', truth: 'nothing', rail: this.dice.pick(RAIL_KINDS), returns: 1 } as const;
      this.#sendings.set(next.id, { ...queued, transfer: effect.transfer });
      return;
    }
    const parent = stored(next, this.now);
    const now = new Date(this.now);
    if (effect.do === 'open_unallocated') return this.#add(unallocatedOf(parent, effect, '', now).view);
    const order = orderFromUnallocated(parent, effect, '', now).view;
    this.#add(order);
    this.happen(order, { type: 'choose_continue', offer: effect.offer.number });
  }

  #write(kind: Journal['kind'], legs: readonly Leg[]): void {
    if (legs.length === 0) return;
    const id = this.id();
    const expected = new Map<string, { readonly ref: AccountRef; readonly stored: bigint }>();
    for (const { from, to, parts } of legs) {
      for (const [ref, change] of [
        [from, -parts],
        [to, parts],
      ] as const)
        expected.set(ref.name, { ref, stored: (expected.get(ref.name)?.stored ?? this.#stored(ref)) + change });
    }
    this.#post(this.#books, { id, kind, cause: id, legs });
    for (const { ref, stored } of expected.values()) {
      if (this.#stored(ref) !== stored) throw new Fault(`${ref.name} holds ${this.#stored(ref)}, its journals make ${stored}`);
      this.#touched.set(ref.name, ref);
    }
  }

  readonly #stored = (ref: AccountRef): bigint =>
    this.#books.balance(ref) * (ref.class === 'held' || ref.class === 'spent' ? -1n : 1n);

  /** The order accounts that a step touched changed by exactly what the orders say, and no other did. */
  #mustBeAnswered(): void {
    const answered = new Set(this.#changed.flatMap((order) => accountsOf(order).map(([{ name }]) => name)));
    for (const [name, ref] of this.#touched) {
      const isOfOrder = OF_ORDERS.has(name.slice(0, name.indexOf(':')));
      if (isOfOrder && !answered.has(name) && this.#stored(ref) !== 0n)
        throw new Fault(`${name} holds ${this.#stored(ref)} of no order`);
    }
    this.#touched.clear();
    this.#changed.length = 0;
  }

  #audit(order: OrderView): void {
    this.#changed.push(order);
    for (const [ref, parts] of accountsOf(order)) {
      const held = this.#books.balance(ref);
      if (held !== parts) throw new Fault(`${ref.name} holds ${held}, its order says ${parts}`);
    }
    mustRest(order);
    mustBeCovered(order);
  }

  /** The books equal the rails' real holdings, except for sends without an answer yet. */
  #custody(): void {
    for (const code of ['BTC', 'USDT_ERC20'] as const) {
      const books = this.#books.balance(accounts.custody(code, 'hot', UNITS[code]));
      const overdraft = this.#books.balance(accounts.owedRail(code, UNITS[code]));
      if (books - overdraft - this.#away[code] !== this.#holds[code]) {
        throw new Fault(`the rail holds ${this.#holds[code]} ${code}, the books say ${books}, ${this.#away[code]} on its way`);
      }
    }
  }

  /** Orders that must not stay in their state: all but those at rest, and those that only a person releases. */
  restless(): OrderView[] {
    return this.orders.filter(({ state, facts }) => !RESTING.has(state) && facts.hold?.cause !== 'hard');
  }
}

/** Events of a rail: accepted in every state (6). */
const FACTS = new Set<OrderEvent['type']>([
  'payin_seen',
  'payin_final',
  'payin_dropped',
  'payin_reversed',
  'dispute_won',
  'transfer_returned',
]);

/** Posts to the books as they are. Throws where a bound refuses what the machine decided. */
export function postOrThrow(books: Memory, journal: Journal): void {
  assertLegal(journal);
  const [answer] = books.post([journal]);
  if (answer?.status !== 'posted') throw new Fault(`the books refuse a journal: ${answer?.status}`);
}

const stored = (view: OrderView, now: number): StoredOrder => ({
  view,
  number: '',
  email: '',
  locale: 'en',
  usd: 0n,
  createdAt: new Date(now),
  updatedAt: new Date(now),
  tokenVersion: 1,
});

/** A payment that was just seen. */
export function observedPayment(id: string, parts: bigint, now: number, isFeeOk: boolean): Payment {
  return { id, parts, status: 'seen', place: 'hot', txid: id, seenAt: new Date(now), isFeeOk, confirmations: 0, needed: 1 };
}

type Market = Readonly<Record<Code, PriceTerms>>;

/** Prices of a bitcoin from 80 000 to 100 000 in steps of 1 %: the terms of both directions at each. */
const MARKET: readonly Market[] = Array.from({ length: 22 }, (_, step): Market => {
  const market = rate('BTC', 'USDT', fraction(BigInt(80_000 + step * 900), 1n));
  const terms = (giveUnit: string, getUnit: string, giveDigits: number, getDigits: number, min: bigint): PriceTerms => ({
    giveUnit,
    getUnit,
    giveDigits,
    getDigits,
    rate: market,
    spread: [{ from: money(giveUnit, 0n), percent: percent('0.5') }],
    minFee: money(giveUnit, min),
    costs: [{ code: 'network', fixed: money(giveUnit, min) }],
    discounts: [{ code: 'coupon', percent: percent('20') }],
    minMargin: { percent: percent('0.1'), min: money(giveUnit, min / 2n), afterRewards: fraction(1n, 1n) },
  });
  return { BTC: terms('BTC', 'USDT', 8, 2, 220n), USDT_ERC20: terms('USDT', 'BTC', 2, 8, 200_000n) };
});
