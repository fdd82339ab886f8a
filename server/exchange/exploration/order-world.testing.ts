// Simulates everything around one order, for tests. There is a rail whose true state the order doesn't know, books with the
// ledger's limits, and actors who act in any sequence. The order must accept anything that the rail reports. The order's effects
// change the rail and the books.

import { type AccountRef, type Leg, accounts } from '../../ledger/index.ts';
import { type PayoutEvent, happeningOf, payoutLegs } from '../../payments/index.ts';
import { type PayoutMove, type PayoutNode, RAIL_KINDS, payoutMoves } from '../../payments/testing.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { countedAfter } from './order-counts.testing.ts';
import { BACK, TERMS, UNIT_GIVEN, UNIT_GOT } from './order-terms.testing.ts';
import { makeOffer } from '../machine/offers.ts';
import { EMPTY, type Approval, type OrderView, type Payment, type Transfer } from '../order/order.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import * as postings from '../machine/postings.ts';
import { applyLegs } from '../machine/postings.ts';
import type { OrderTransition } from '../machine/rows.ts';

/** Limits of a simulation. `sizes`: possible amounts of one payment. `pays`, `reversals`, `wins`, `returns`: how often each may happen. */
export interface Bounds {
  readonly sizes: readonly bigint[];
  /** If set, payments are also reversed, and come back, in parts of this size. */
  readonly part?: bigint;
  /** If true, another customer owes money and another payment waits, so that people can settle debts with them. */
  readonly hasDebts?: true;
  readonly pays: number;
  /** Number of kinds of rails; two by default. */
  readonly rails?: number;
  /** If true, papers are also requested and received. */
  readonly hasPapers?: true;
  readonly reversals: number;
  readonly wins: number;
  readonly returns: number;
  readonly retries: number;
}

/** An order's transfer, with the rail's hidden true state. */
export interface Sending extends PayoutNode {
  readonly transfer: Transfer;
}

/** Returns the possible moves of a payout: `payoutMoves`, or a broken version that a test must notice. */
export type Moves = (node: PayoutNode) => PayoutMove[];

export interface Node {
  readonly order: OrderView;
  readonly books: Books;
  /** The transfer that is being sent, or the last one that was sent and may come back. */
  readonly sending: Sending | undefined;
  /** Events of the payments room that the order has not received yet, oldest first. */
  readonly undelivered: readonly PayoutEvent[];
  /** Money in the currency given that the rail really holds for the desk. */
  readonly holdsGive: bigint;
  /** Money in the currency got that the rail really holds for the desk. */
  readonly holdsGet: bigint;
  /** Sum of the payouts that were executed and not returned. */
  readonly paid: bigint;
  /** Sum of the refunds that were executed and not returned, and of money handed to an authority. */
  readonly refunded: bigint;
  /** Sum of the order's debts that another order's money has settled. */
  readonly repaid: bigint;
  /** Number of payouts that were executed and not returned. */
  readonly payouts: number;
  /** Number of refunds that were executed and not returned. */
  readonly refunds: number;
  /** True if the order is completed according to its published events. */
  readonly isCounted: boolean;
  readonly left: { readonly pays: number; readonly reversals: number; readonly wins: number; readonly returns: number };
}

/** One step from a node to the next: by a row of the order's machine, or by a move of its payout. */
export interface Step {
  readonly by: { readonly event: string; readonly who: string };
  /** Row of the order's machine, if the step is an event of the order. */
  readonly row?: OrderTransition;
  readonly node: Node;
}

/** A violation of the rules that the simulation found. */
export class Fault extends Error {}

export const DUE = 20n;
const START = new Date(0);
const LOCKED = new Date(900_000);
const SOON = new Date(60_000);
export const END = new Date(1e12);
const ACCOUNT = { fields: { account: 'a' }, key: 'a' };

// --- books

/** Stored balances by account name. */
export type Books = Readonly<Record<string, bigint>>;

export const CUSTODY_GIVEN = accounts.custody('G', 'hot', UNIT_GIVEN);
export const CUSTODY_GOT = accounts.custody('U', 'hot', UNIT_GOT);
const FREE_GIVEN = accounts.deskFree(UNIT_GIVEN);
const FREE_GOT = accounts.deskFree(UNIT_GOT);

/** Returns an account's balance with the sign in which it is displayed. */
export function shown(books: Books, ref: AccountRef): bigint {
  const stored = books[ref.name] ?? 0n;
  return ref.class === 'held' || ref.class === 'spent' ? -stored : stored;
}

function post(books: Books, legs: readonly Leg[]): Books {
  const after: Record<string, bigint> = { ...books };
  for (const { from, to, parts } of legs) {
    if (from.unit !== to.unit || parts <= 0n) throw new Fault(`a leg of ${parts} from ${from.name} to ${to.name}`);
    after[from.name] = (after[from.name] ?? 0n) - parts;
    after[to.name] = (after[to.name] ?? 0n) + parts;
  }
  for (const { from, to } of legs) {
    if (from.floor !== null && (after[from.name] as bigint) < from.floor) throw new Fault(`${from.name} below its floor`);
    if (to.ceiling !== null && (after[to.name] as bigint) > to.ceiling) throw new Fault(`${to.name} above its ceiling`);
  }
  return after;
}

// --- start

export interface Start {
  readonly kind: 'order' | 'unallocated';
  readonly hasRoute: boolean;
  readonly askMe: boolean;
}

/** Returns the first node: an order that was just placed, or an unallocated payment whose payment was just seen. */
export function begin({ kind, hasRoute, askMe }: Start, bounds: Bounds): Node {
  const outside = bounds.hasDebts ? 100n : 0n;
  const books = post({}, [
    { from: CUSTODY_GIVEN, to: FREE_GIVEN, parts: 100n },
    { from: CUSTODY_GOT, to: FREE_GOT, parts: 100n },
    ...(bounds.hasDebts
      ? [
          { from: accounts.receivable(ANOTHER, UNIT_GIVEN), to: FREE_GIVEN, parts: outside },
          { from: CUSTODY_GIVEN, to: accounts.unallocated(ANOTHER, UNIT_GIVEN), parts: outside },
        ]
      : []),
  ]);
  const unallocated = kind === 'unallocated';
  let order: OrderView = {
    id: kind,
    kind,
    state: unallocated ? 'seen' : 'awaiting',
    version: 1,
    give: { currency: 'G', unit: UNIT_GIVEN, rail: 'rail', parts: DUE },
    ...(!unallocated && { get: { currency: 'U', unit: UNIT_GOT, rail: 'rail', parts: 18n }, receive: ACCOUNT }),
    ...(hasRoute && { refund: ACCOUNT }),
    pinned: {
      lockUntil: LOCKED,
      ratesVersion: '1',
      minimum: 1n,
      tolerance: 2n,
      refundCost: 1n,
      minRefund: 2n,
      confirmWithin: 3_600_000,
      outageWithin: 0,
      shortPercent: 80,
      isReversible: true,
      ...(!unallocated && { terms: TERMS }),
    },
    payments: unallocated ? [payment('p0', DUE, START)] : [],
    positions: EMPTY,
    facts: {
      since: START,
      isLate: unallocated,
      hasLowerRate: false,
      askMe,
      isAsked: false,
      isFreeRefund: false,
      tries: 0,
      isTransient: false,
      offers: 0,
      reminded: 0,
    },
  };
  const promise = unallocated ? [] : postings.reserve(order, 18n).legs;
  order = { ...order, positions: applyLegs(order, promise) };
  const { pays, reversals, wins, returns } = bounds;
  return {
    order,
    books: post(books, promise),
    sending: undefined,
    undelivered: [],
    holdsGive: 100n + outside,
    holdsGet: 100n,
    paid: 0n,
    refunded: 0n,
    repaid: 0n,
    payouts: 0,
    refunds: 0,
    isCounted: false,
    left: { pays: unallocated ? 0 : pays, reversals, wins, returns },
  };
}

const ANOTHER = 'another';

function payment(id: string, parts: bigint, seenAt: Date): Payment {
  return { id, parts, status: 'seen', place: 'hot', txid: id, seenAt, isFeeOk: true, confirmations: 0, needed: 1 };
}

// --- steps

const LETS_OUT: readonly Approval[] = [{ people: 0 }, { people: 1 }, { people: 0, clearingUntil: SOON }];
const NO_APPROVAL: Approval = { people: 0 };

function contextOf({ order, books }: Node, bounds: Bounds, now: Date): Context {
  return {
    now,
    rules: {
      offer: 180_000,
      choice: 1,
      hold: 1,
      approval: 1,
      keepRate: 1_800_000,
      better: 2,
      retries: bounds.retries,
      writeOff: 1_800_000,
    },
    newId: () => 'x',
    free: { get: shown(books, FREE_GOT), give: shown(books, FREE_GIVEN) },
    held: shown(books, CUSTODY_GIVEN),
    market: { terms: TERMS, back: BACK, version: '2' },
    allows: (parts) => parts <= order.give.parts * 4n,
    approvalFor: () => NO_APPROVAL,
    screening: 'clean',
  };
}

/**
 * Returns all steps that are possible from a node. Throws a `Fault` if the order refuses a fact of the rail, or a limit of the
 * ledger breaks.
 */
export function stepsOf(machine: Machine, node: Node, bounds: Bounds, moves: Moves = payoutMoves): Step[] {
  const found: Step[] = [];
  const soon = contextOf(node, bounds, SOON);
  const end = { ...soon, now: END };

  /** Tries an event, and adds the resulting steps if the order accepts it. `after`: changes of the rail that belong to the event. */
  const attempt: Attempt = (event, context, after = (next) => [next], before = node, who) => {
    const outcome = machine.decide(before.order, event, context);
    if (outcome.refused !== undefined) return false;
    const legs = outcome.postings.flatMap((posting) => posting.legs);
    const counted = countedAfter(before, outcome);
    if (typeof counted === 'string') throw new Fault(counted);
    const next = { ...before, order: timeless(outcome.next), books: post(before.books, legs), isCounted: counted };
    const { row } = outcome;
    for (const each of after(next).flatMap((one) => requested(one, outcome, bounds)))
      found.push({ by: { event: row.event, who: who ?? row.who }, row, node: each });
    return true;
  };
  // A reported fact always has the actor R, even if a person can cause the same event: a stop also follows if the last check
  // before sending refuses the payout.
  const fact: Fact = (event, context, after, before = node) => {
    if (!attempt(event, context, after, before, 'R')) throw new Fault(`${event.type} is not accepted in ${node.order.state}`);
  };

  payins(node, bounds, soon, end, fact);
  if (node.sending) found.push(...paid(node, node.sending, moves));
  reported(node, soon, fact);
  timers(end, attempt);
  people(node, bounds, soon, end, attempt);
  return found;
}

/**
 * Turns a transfer that an outcome requests into a payout, once for each kind of rail. Undelivered events of an earlier payout
 * are dropped.
 */
function requested(node: Node, { effects }: Outcome, { rails = 2 }: Bounds): Node[] {
  const request = effects.find((effect) => effect.do === 'request_payout');
  if (!request) return [node];
  const { transfer } = request;
  const queued = { status: 'queued', truth: 'nothing', returns: 0, transfer } as const;
  return RAIL_KINDS.slice(0, rails).map((rail) => ({ ...node, undelivered: [], sending: { ...queued, rail } }));
}

/** Returns the order without times, because any timer may fire at any moment. */
function timeless(order: OrderView): OrderView {
  const { hold } = order.facts;
  return {
    ...order,
    version: 1,
    facts: { ...order.facts, since: START, choiceSince: undefined, ...(hold && { hold: { ...hold, since: SOON } }) },
  };
}

type Fact = (event: OrderEvent, context: Context, after?: (next: Node) => Node[], before?: Node) => void;
type Attempt = (event: OrderEvent, context: Context, after?: (next: Node) => Node[], before?: Node, who?: string) => boolean;

function payins(node: Node, bounds: Bounds, soon: Context, end: Context, fact: Fact): void {
  const { order, left } = node;
  const seen = order.payments.filter((each) => each.status === 'seen');
  if (left.pays > 0 && seen.length < 2) {
    const before = { ...node, left: { ...left, pays: left.pays - 1 } };
    for (const parts of bounds.sizes) {
      for (const seenAt of order.facts.isLate ? [END] : [START, END]) {
        fact({ type: 'payin_seen', payment: payment(`p${left.pays}`, parts, seenAt) }, soon, undefined, before);
      }
    }
  }
  const came = (parts: bigint) => (next: Node) => [{ ...next, holdsGive: next.holdsGive + parts }];
  for (const each of seen) {
    const final = { type: 'payin_final', payment: { ...each, status: 'final' } } as const;
    for (const screening of ['soft', 'hard'] as const) fact(final, { ...soon, screening }, came(each.parts));
    for (const approval of LETS_OUT) fact(final, { ...soon, approvalFor: () => approval }, came(each.parts));
    for (const context of [soon, end]) fact({ type: 'payin_dropped', payment: each.id }, context);
  }
  for (const each of order.payments) {
    const { part = 0n } = bounds;
    for (const parts of part > 0n && part < each.parts ? [each.parts, part] : [each.parts]) {
      if (each.status === 'final' && left.reversals > 0) {
        const before = { ...node, left: { ...left, reversals: left.reversals - 1 }, holdsGive: node.holdsGive - parts };
        const { isStopped, after } = stopping(node);
        fact({ type: 'payin_reversed', payment: each.id, parts, ...(isStopped && { isStopped }) }, soon, after, before);
      }
      if (each.status === 'reversed' && left.wins > 0) {
        const before = { ...node, left: { ...left, wins: left.wins - 1 } };
        for (const screening of ['clean', 'soft'] as const) {
          fact({ type: 'dispute_won', payment: each.id, parts }, { ...soon, screening }, came(parts), before);
        }
      }
    }
  }
}

/** Returns `stopped` if the payments room can stop the order's transfer, and `after`: the change of the simulation by that stop. */
function stopping({ order, sending, undelivered }: Node): { isStopped?: true; after: (next: Node) => Node[] } {
  const isOut = order.facts.transfer !== undefined && order.positions.receivable === 0n;
  const can = isOut && (sending?.status === 'queued' || (sending?.status === 'stopped' && undelivered.includes('kept')));
  if (!can) return { after: (next) => [next] };
  return { isStopped: true, after: (next) => [{ ...next, sending: undefined, undelivered: [] }] };
}

/** Payout events that change the order's state; the others only appear in the timeline. */
const ACTED_UPON: ReadonlySet<PayoutEvent> = new Set(['accepted', 'found', 'refused', 'absent', 'final', 'returned', 'kept']);

/** Returns the steps that the payments room and the rail can take with the payout. */
function paid(node: Node, sending: Sending, moves: Moves): Step[] {
  const { transfer } = sending;
  const { parts } = transfer;
  return moves({ ...sending, returns: node.left.returns }).map(({ step, node: payout, reports, pays, who }) => {
    const by = BigInt(pays);
    const moved =
      transfer.kind === 'payout'
        ? { paid: node.paid + by * parts, payouts: node.payouts + pays, holdsGet: node.holdsGet - by * parts }
        : { refunded: node.refunded + by * parts, refunds: node.refunds + pays, holdsGive: node.holdsGive - by * parts };
    // The payments room posts an event's legs when it publishes the event.
    const legs = reports.flatMap((event) => {
      const happening = happeningOf(event);
      return happening ? payoutLegs(happening, postings.payoutMoney(node.order, transfer)) : [];
    });
    const next: Node = {
      ...node,
      ...moved,
      books: post(node.books, legs),
      sending: { ...payout, returns: 0, transfer },
      undelivered: [...node.undelivered, ...reports.filter((event) => ACTED_UPON.has(event))],
      left: { ...node.left, returns: payout.returns },
    };
    return { by: { event: step, who }, node: next };
  });
}

/** Delivers the oldest undelivered event to the order. */
function reported(node: Node, soon: Context, fact: Fact): void {
  const [event, ...undelivered] = node.undelivered;
  if (event === undefined) return;
  const before = { ...node, undelivered };
  const gone = (next: Node): Node[] => [{ ...next, sending: undefined }];
  if (event === 'accepted' || event === 'found') return fact({ type: 'transfer_sent', txid: 't' }, soon, undefined, before);
  if (event === 'kept') {
    const owes = node.order.positions.receivable > 0n;
    return fact(owes ? { type: 'transfer_failed', isTransient: false, isRetained: true } : { type: 'stop' }, soon, gone, before);
  }
  if (event === 'returned') return fact({ type: 'transfer_returned' }, soon, gone, before);
  // If no return can follow, the transfer is over and is removed from the simulation.
  const isOver = node.left.returns === 0 && !undelivered.includes('returned');
  if (event === 'final') return fact({ type: 'transfer_final' }, soon, isOver ? gone : undefined, before);
  for (const isTransient of event === 'refused' ? [true, false] : [true])
    fact({ type: 'transfer_failed', isTransient }, soon, gone, before);
}

function timers(end: Context, attempt: Attempt): void {
  for (const type of [
    'hold_rate_over',
    'lock_over',
    'window_over',
    'rate_over',
    'deadline',
    'clearing_over',
    'retry',
    'settle_reversal',
  ] as const) {
    attempt({ type }, end);
  }
  for (const type of ['take_short', 'go_on_better'] as const) {
    for (const approval of LETS_OUT) attempt({ type }, { ...end, approvalFor: () => approval });
  }
}

function people(node: Node, bounds: Bounds, soon: Context, end: Context, attempt: Attempt): void {
  const { order } = node;
  for (const type of ['cancel', 'choose_refund'] as const) attempt({ type }, soon);
  if (!order.refund) attempt({ type: 'give_route', account: { ...ACCOUNT, side: 'give' } }, soon);
  for (const type of ['new_account', 'claim', 'op_claim'] as const) {
    for (const side of ['give', 'get'] as const) attempt({ type, account: { ...ACCOUNT, side } }, soon);
  }
  const offer = makeOffer(order, soon);
  if (offer) {
    const before = { ...node, order: { ...order, facts: { ...order.facts, offer } } };
    for (const type of ['choose_continue', 'choose_new_order', 'take_back'] as const) {
      for (const approval of type === 'choose_continue' ? LETS_OUT : [NO_APPROVAL]) {
        attempt({ type, offer: offer.number }, { ...soon, approvalFor: () => approval }, undefined, before);
      }
    }
  }
  for (const type of ['op_hold', 'op_retry', 'unfreeze'] as const) attempt({ type }, soon);
  const { isStopped, after } = stopping(node);
  if (isStopped) attempt({ type: 'stop' }, soon, after);
  attempt({ type: 'freeze', ...(isStopped && { isStopped }) }, soon, after);
  attempt({ type: 'write_off', evidence: '' }, end);
  attempt({ type: 'take_over', to: accounts.invoiceIn(ANOTHER, UNIT_GIVEN) }, soon);
  if (bounds.hasDebts) debts(node, soon, attempt);
  attempt({ type: 'surrender' }, soon, (next) => {
    const handed = order.positions.frozen;
    return [{ ...next, refunded: next.refunded + handed, holdsGive: next.holdsGive - handed }];
  });
  for (const type of ['op_refund', 'decide_refund'] as const) {
    for (const isOurs of [true, false]) attempt({ type, isOurs }, soon);
  }
  attempt({ type: 'approve', people: 2 }, end);
  if (bounds.hasPapers) for (const type of ['papers_asked', 'papers_came'] as const) attempt({ type }, soon);
  for (const approval of LETS_OUT) attempt({ type: 'release' }, { ...soon, approvalFor: () => approval });
  attempt({ type: 'release' }, end);
  attempt({ type: 'release', isCustomerAsked: true }, soon);
}

/** Settles another order's debt with this order's money, and this order's debt with another's money. */
function debts({ order }: Node, soon: Context, attempt: Attempt): void {
  const { in: there, receivable } = order.positions;
  attempt({ type: 'settle_debt', debt: ANOTHER, parts: there }, soon);
  if (there > 1n) attempt({ type: 'settle_debt', debt: ANOTHER, parts: there - 1n }, soon);
  if (receivable === 0n) return;
  const leg = {
    from: accounts.unallocated(ANOTHER, UNIT_GIVEN),
    to: accounts.receivable(order.id, UNIT_GIVEN),
    parts: receivable,
  };
  attempt({ type: 'repaid', parts: receivable }, soon, (next) => [
    { ...next, books: post(next.books, [leg]), repaid: next.repaid + receivable },
  ]);
}
