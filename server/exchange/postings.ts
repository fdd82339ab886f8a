// The postings of an order, named as in the money rules: what each moves from where to where. Pure.
//
// A posting is a list of legs over the ledger's chart. Nothing here decides; amounts come from the order's positions,
// which are kept from these very legs, and from its slip.

import { type AccountRef, type JournalKind, type Leg, type Place, accounts } from '../ledger/index.ts';
import type { Component, Exchange, OrderView, Payment, Positions, Transfer } from './order.ts';
import type { Returned } from '../payments/index.ts';

/** The postings by number; `b` and `u` mark ways back. */
export type PostingTag =
  | 'O1' | 'O1r' | 'O3' | 'O3r' | 'O4' | 'O4u' | 'O4b' | 'O5' | 'O5r' | 'O6' | 'O7' | 'O8' | 'O9' | 'O9r'
  | 'O10' | 'O10b' | 'O10f' | 'O10u' | 'O10s' | 'O11' | 'O11a' | 'O12' | 'O12p' | 'O12s' | 'O12w' | 'O12x'; // prettier-ignore

export interface Posting {
  readonly tag: PostingTag;
  readonly legs: readonly Leg[];
}

/** What the ledger calls a journal whose furthest step is this posting. */
export const KIND_OF = {
  O1: 'reserve',
  O1r: 'reserve_back',
  O3: 'payin',
  O3r: 'payin_reversed',
  O4: 'exchange',
  O4u: 'unwind',
  O4b: 'buy_back',
  O5: 'payout_queued',
  O5r: 'payout_stopped',
  O6: 'sent',
  O7: 'refused',
  O8: 'returned',
  O9: 'refund_queued',
  O9r: 'refund_stopped',
  O10: 'unclaimed',
  O10b: 'claimed',
  O10f: 'frozen',
  O10u: 'unfrozen',
  O10s: 'surrendered',
  O11: 'stray',
  O11a: 'stray_used',
  O12: 'reversal',
  O12p: 'reversal_settled',
  O12s: 'reversal_settled',
  O12w: 'dispute_won',
  O12x: 'write_off',
} as const satisfies Record<PostingTag, JournalKind>;

/** A leg, or none where nothing moves. */
function move(from: AccountRef, to: AccountRef, parts: bigint): Leg[] {
  return parts > 0n ? [{ from, to, parts }] : [];
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** An order's own accounts. A stray's money stands in `stray:<id>`. */
export function ownAccounts(order: OrderView, intent = order.facts.transfer) {
  const { id, give, get } = order;
  const transferUnit = intent?.kind === 'payout' ? unitGot(order) : give.unit;
  return {
    in: orderIn(order),
    out: get && accounts.orderOut(id, get.unit),
    reserve: get && accounts.orderReserve(id, get.unit),
    transfer: intent && accounts.payout(intent.intent, transferUnit),
    unclaimedIn: accounts.unclaimed(id, give.unit),
    // An account of its own, since both sides may be of one unit.
    unclaimedOut: get && accounts.unclaimed(`${id}.out`, get.unit),
    frozen: accounts.frozen(id, give.unit),
    receivable: accounts.receivable(id, give.unit),
  } as const;
}

function unitGot(order: OrderView): string {
  if (!order.get) throw new Error(`${order.id} has no got side`);
  return order.get.unit;
}

const orderIn = ({ id, kind, give }: OrderView): AccountRef =>
  kind === 'stray' ? accounts.stray(id, give.unit) : accounts.orderIn(id, give.unit);
const orderOut = (order: OrderView): AccountRef => accounts.orderOut(order.id, unitGot(order));
const orderReserve = (order: OrderView): AccountRef => accounts.orderReserve(order.id, unitGot(order));
/** Where what is given lies: at a place of its rail's, or in its holder's wallet. */
function custody({ give, pinned }: OrderView, place: Place): AccountRef {
  const holder = pinned.wallets?.give;
  return holder === undefined ? accounts.custody(give.currency, place, give.unit) : accounts.wallet(holder, give.unit);
}
const receivable = (order: OrderView): AccountRef => accounts.receivable(order.id, order.give.unit);

/** Whose wallet a payout or a refund goes into; undefined where a rail carries it. */
export function walletOf({ pinned }: OrderView, kind: Transfer['kind']): string | undefined {
  return kind === 'payout' ? pinned.wallets?.get : pinned.wallets?.give;
}

/** The account that an intent's money leaves from, and the custody or wallet it is paid out of. */
function sides(order: OrderView, { kind, intent }: Transfer): { source: AccountRef; payout: AccountRef; hot: AccountRef } {
  const side = kind === 'payout' ? order.get : order.give;
  if (!side) throw new Error(`${order.id} has nothing to pay out`);
  const holder = walletOf(order, kind);
  return {
    source: kind === 'payout' ? orderOut(order) : orderIn(order),
    payout: accounts.payout(intent, side.unit),
    hot: holder === undefined ? accounts.custody(side.currency, 'hot', side.unit) : accounts.wallet(holder, side.unit),
  };
}

/** O1: `parts` of the desk's free money are promised to the order. */
export function O1(order: OrderView, parts: bigint): Posting {
  return { tag: 'O1', legs: move(accounts.deskFree(unitGot(order)), orderReserve(order), parts) };
}

/** O1r: what is left of the promise goes back. */
export function O1r(order: OrderView): Posting {
  if (order.positions.reserve === 0n) return { tag: 'O1r', legs: [] };
  return {
    tag: 'O1r',
    legs: move(orderReserve(order), accounts.deskFree(unitGot(order)), order.positions.reserve),
  };
}

/** O3: a pay-in is final, `parts` gross. (What a provider kept is its rail's posting.) */
export function O3(order: OrderView, payment: Payment): Posting {
  return { tag: 'O3', legs: move(custody(order, payment.place), orderIn(order), payment.parts) };
}

/**
 * O3r: a pay-in is taken back before the exchange, out of `order:in`. A fact is never refused: what its place doesn't
 * hold (`held`) is owed to the rail, and what `order:in` lacks (a sending cost, a buy-back below what was given) is a loss.
 */
export function O3r(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  return { tag: 'O3r', legs: takenBack(order, orderIn(order), order.positions.in, place, parts, held) };
}

/** O3r of frozen money: what an authority holds is taken back by the rail. */
export function O3rFrozen(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  const frozen = accounts.frozen(order.id, order.give.unit);
  return { tag: 'O3r', legs: takenBack(order, frozen, order.positions.frozen, place, parts, held) };
}

/** O12: a pay-in is taken back after sending began; the customer owes it. */
export function O12(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  return { tag: 'O12', legs: takenBack(order, receivable(order), parts, place, parts, held) };
}

function takenBack(order: OrderView, from: AccountRef, has: bigint, place: Place, parts: bigint, held: bigint): Leg[] {
  const { unit, rail } = order.give;
  const there = min(parts, held);
  return [
    ...move(accounts.spent('loss', unit), from, parts - min(parts, has)),
    ...move(from, custody(order, place), there),
    ...move(from, accounts.owedRail(rail, unit), parts - there),
  ];
}

/** The accounts that lines of an exchange move. */
const LINE_ACCOUNTS = {
  'income:spread': (unit: string) => accounts.income('spread', unit),
  'income:fee': (unit: string) => accounts.income('fee', unit),
  'spent:discount': (unit: string) => accounts.spent('discount', unit),
} as const satisfies Record<Component['account'], (unit: string) => AccountRef>;

/**
 * O4: the exchange, two transfers through the desk's free money. Given: the desk's price and costs become income,
 * discounts come in addition, a leg for each line; the rest is the desk's. Got: the promise becomes the customer's.
 */
export function O4(order: OrderView, booked: Exchange): Posting {
  const unit = order.give.unit;
  const into = orderIn(order);
  const lines = booked.components.flatMap(({ kind, account, amount }) => {
    const other = LINE_ACCOUNTS[account](unit);
    return kind === 'discount' ? move(other, into, amount) : move(into, other, amount);
  });
  return {
    tag: 'O4',
    legs: [
      ...lines,
      ...move(into, accounts.deskFree(unit), booked.exchanged),
      ...move(accounts.income('spread', unit), accounts.provisionReversal(unit), booked.provision),
      ...move(orderReserve(order), orderOut(order), booked.got),
    ],
  };
}

/**
 * O4u: O4 turned round, the same amounts, a leg for each line. Discounts come back into the desk's free money (the nightly
 * close may have paid them from there already); of what was exchanged, what the desk (`free`) can't give any more is a loss.
 */
export function O4u(order: OrderView, free: bigint): Posting {
  const booked = order.facts.exchange;
  if (!booked) return { tag: 'O4u', legs: [] };
  const unit = order.give.unit;
  const into = orderIn(order);
  const desk = accounts.deskFree(unit);
  const lines = booked.components.flatMap(({ kind, account, amount }) =>
    kind === 'discount' ? move(into, desk, amount) : move(LINE_ACCOUNTS[account](unit), into, amount),
  );
  const cuts = booked.components.reduce((sum, { kind, amount }) => (kind === 'discount' ? sum + amount : sum), 0n);
  const fromFree = min(booked.exchanged, free + cuts);
  return {
    tag: 'O4u',
    legs: [
      ...move(orderOut(order), accounts.deskFree(unitGot(order)), min(booked.got, order.positions.out)),
      ...move(accounts.provisionReversal(unit), accounts.income('spread', unit), booked.provision),
      ...lines,
      ...move(desk, into, fromFree),
      ...move(accounts.spent('loss', unit), into, booked.exchanged - fromFree),
    ],
  };
}

/** O4b: what could not be delivered is bought back: all of `order:out` for `parts` given. */
export function O4b(order: OrderView, parts: bigint): Posting {
  return {
    tag: 'O4b',
    legs: [
      ...move(orderOut(order), accounts.deskFree(unitGot(order)), order.positions.out),
      ...move(accounts.deskFree(order.give.unit), orderIn(order), parts),
    ],
  };
}

/** O5, O9: an intent of payout or of refund takes its money; a refund's sending cost is a fee. */
export function intend(order: OrderView, transfer: Transfer): Posting {
  const { source, payout } = sides(order, transfer);
  return {
    tag: transfer.kind === 'payout' ? 'O5' : 'O9',
    legs: [...move(source, payout, transfer.parts), ...move(source, accounts.income('fee', order.give.unit), transfer.cost)],
  };
}

/** O5r, O9r: an intent that was stopped before the sender took it gives its money back, the fee too. */
export function unintend(order: OrderView, transfer: Transfer): Posting {
  return { tag: transfer.kind === 'payout' ? 'O5r' : 'O9r', legs: giveBack(order, transfer) };
}

/** O7: a send was refused, or is proven absent. */
export function O7(order: OrderView, transfer: Transfer): Posting {
  return { tag: 'O7', legs: giveBack(order, transfer) };
}

function giveBack(order: OrderView, transfer: Transfer): Leg[] {
  const { source, payout } = sides(order, transfer);
  return [...move(payout, source, transfer.parts), ...move(accounts.income('fee', order.give.unit), source, transfer.cost)];
}

/** O6: sent: the intent's money left custody. (The network's fee is booked once per transaction, by payments.) */
export function O6(order: OrderView, transfer: Transfer): Posting {
  const { payout, hot } = sides(order, transfer);
  return { tag: 'O6', legs: move(payout, hot, transfer.parts) };
}

/** O8: what was sent came back into our hands; the fee stays spent. */
export function O8(order: OrderView, transfer: Transfer, back: Returned = { came: transfer.parts, lost: 0n }): Posting {
  const { source, hot } = sides(order, transfer);
  return { tag: 'O8', legs: [...move(hot, source, back.came), ...move(accounts.spent('rail', source.unit), source, back.lost)] };
}

/** O10: nobody claims it: all of `order:in` and `order:out` is owed without end. */
export function O10(order: OrderView): Posting {
  const { in: into, out, unclaimedIn, unclaimedOut } = ownAccounts(order);
  const { positions } = order;
  return {
    tag: 'O10',
    legs: [...move(into, unclaimedIn, positions.in), ...(out && unclaimedOut ? move(out, unclaimedOut, positions.out) : [])],
  };
}

/** O10 back: claimed, or taken back. */
export function O10b(order: OrderView): Posting {
  const { in: into, out, unclaimedIn, unclaimedOut } = ownAccounts(order);
  const { positions } = order;
  return {
    tag: 'O10b',
    legs: [
      ...move(unclaimedIn, into, positions.unclaimedIn),
      ...(out && unclaimedOut ? move(unclaimedOut, out, positions.unclaimedOut) : []),
    ],
  };
}

/** O10f: the law holds it. */
export function O10f(order: OrderView): Posting {
  return {
    tag: 'O10f',
    legs: move(orderIn(order), accounts.frozen(order.id, order.give.unit), order.positions.in),
  };
}

/** O10f back: the law lets it go. */
export function O10u(order: OrderView): Posting {
  return {
    tag: 'O10u',
    legs: move(accounts.frozen(order.id, order.give.unit), orderIn(order), order.positions.frozen),
  };
}

/** Handed to an authority: it leaves our custody, wherever it was paid from. */
export function surrender({ id, give, positions }: OrderView): Posting {
  return {
    tag: 'O10s',
    legs: move(accounts.frozen(id, give.unit), accounts.custody(give.currency, 'hot', give.unit), positions.frozen),
  };
}

/** O11: money that is not this order's becomes a stray's: a further payment, or what exceeds. */
export function O11(order: OrderView, stray: string, parts: bigint, from: Place | 'order:in'): Posting {
  const source = from === 'order:in' ? orderIn(order) : custody(order, from);
  return { tag: 'O11', legs: move(source, accounts.stray(stray, order.give.unit), parts) };
}

/** O11a: a stray's money becomes a new order's. */
export function O11a(stray: OrderView, order: string): Posting {
  return {
    tag: 'O11a',
    legs: move(orderIn(stray), accounts.orderIn(order, stray.give.unit), stray.positions.in),
  };
}

/** O12s: a receivable is settled from the order's own money, as far as it reaches. */
export function O12s(order: OrderView): Posting {
  return {
    tag: 'O12s',
    legs: move(orderIn(order), receivable(order), min(order.positions.in, order.positions.receivable)),
  };
}

/** O12p: what arrived here settles what is owed for another order. */
export function O12p(order: OrderView, debt: string, parts: bigint): Posting {
  return { tag: 'O12p', legs: move(orderIn(order), accounts.receivable(debt, order.give.unit), parts) };
}

/** O12w: won or repaid: `owed` settles the receivable, `lost` what was written off (closed or not: the desk's again). */
export function O12w(order: OrderView, place: Place, owed: bigint, lost: bigint): Posting {
  return {
    tag: 'O12w',
    legs: [
      ...move(custody(order, place), receivable(order), owed),
      ...move(custody(order, place), accounts.deskFree(order.give.unit), lost),
    ],
  };
}

/** O12x: written off: from the order's own provision first (as long as the exchange stands), the rest is a loss. */
export function O12x(order: OrderView): Posting {
  const { give, positions, facts } = order;
  const provision = min(facts.exchange?.provision ?? 0n, positions.receivable);
  return {
    tag: 'O12x',
    legs: [
      ...move(accounts.provisionReversal(give.unit), receivable(order), provision),
      ...move(accounts.spent('loss', give.unit), receivable(order), positions.receivable - provision),
    ],
  };
}

/** A loss that was written off is owed again, since what we sent came back and is to be settled from it. */
export function O12again(order: OrderView): Posting {
  return {
    tag: 'O12x',
    legs: move(receivable(order), accounts.deskFree(order.give.unit), order.positions.loss),
  };
}

/** The order's positions after these legs. Held accounts (the receivable) grow by what goes from them. */
export function applyLegs(order: OrderView, legs: readonly Leg[], intent?: Transfer): Positions {
  const own = ownAccounts(order, intent ?? order.facts.transfer);
  const after: { -readonly [K in keyof Positions]: bigint } = { ...order.positions };
  for (const { from, to, parts } of legs) {
    for (const key of POSITION_KEYS) {
      const ref = own[key];
      if (!ref) continue;
      const sign = ref.class === 'held' ? -1n : 1n;
      if (ref.name === from.name) after[key] -= sign * parts;
      if (ref.name === to.name) after[key] += sign * parts;
    }
  }
  return after;
}

const POSITION_KEYS = ['in', 'out', 'reserve', 'transfer', 'unclaimedIn', 'unclaimedOut', 'frozen', 'receivable'] as const;
