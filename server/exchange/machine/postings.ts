// Postings of an order, by name: each moves money between certain accounts. Pure.
//
// A posting is a list of legs over the ledger's chart. Nothing is decided here. Amounts come from the order's positions, which
// are computed from these legs, and from its price breakdown.

import { conversion, conversionBack, min, move, takenBack as takenByRail } from '../../collecting/index.ts';
import { type AccountRef, type JournalKind, type Leg, type Place, accounts } from '../../ledger/index.ts';
import { REWARD_UNIT } from '@kurs/money';
import type { Exchange, OrderView, Payment, Positions, Transfer } from '../order/order.ts';
import {
  type PayoutBody,
  type PayoutBooks,
  type PayoutHappening,
  type PayoutMoney,
  type Returned,
  happeningOf,
  intentLegs,
  payoutLegs,
  returnedOf,
} from '../../payments/index.ts';

/** Names of the postings. */
export type PostingName = keyof typeof KIND_OF;

export interface Posting {
  readonly name: PostingName;
  readonly legs: readonly Leg[];
}

/** Ledger kind of the journal whose last step is this posting. */
export const KIND_OF = {
  reserve: 'reserve',
  reserve_release: 'reserve_back',
  payin: 'payin',
  payin_reverse: 'payin_reversed',
  exchange: 'exchange',
  exchange_reverse: 'unwind',
  buy_back: 'buy_back',
  payout_intent: 'payout_queued',
  payout_intent_reverse: 'payout_stopped',
  refund_intent: 'refund_queued',
  refund_intent_reverse: 'refund_stopped',
  unclaimed: 'unclaimed',
  claim: 'claimed',
  freeze: 'frozen',
  unfreeze: 'unfrozen',
  surrender: 'surrendered',
  unallocated: 'unallocated',
  unallocated_use: 'unallocated_used',
  reversal_debt: 'reversal',
  other_debt_settlement: 'reversal_settled',
  debt_settlement: 'reversal_settled',
  dispute_win: 'dispute_won',
  write_off: 'write_off',
  write_off_reverse: 'write_off',
} as const satisfies Record<string, JournalKind>;

/** Returns the order's own accounts. An unallocated payment's money is in `unallocated:<id>`. */
export function ownAccounts(order: OrderView, intent = order.facts.transfer) {
  const { id, give, get } = order;
  const transferUnit = intent?.kind === 'payout' ? unitGot(order) : give.unit;
  return {
    in: orderIn(order),
    out: get && accounts.orderOut(id, get.unit),
    reserve: get && accounts.orderReserve(id, get.unit),
    transfer: intent && accounts.payout(intent.intent, transferUnit),
    unclaimedIn: accounts.unclaimed(id, give.unit),
    // A separate account, because both sides may have the same unit.
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
  kind === 'unallocated' ? accounts.unallocated(id, give.unit) : accounts.orderIn(id, give.unit);
const orderOut = (order: OrderView): AccountRef => accounts.orderOut(order.id, unitGot(order));
const orderReserve = (order: OrderView): AccountRef => accounts.orderReserve(order.id, unitGot(order));
/** Account that holds the amount given: a place of its rail, or the holder's wallet. */
function custody({ give, pinned }: OrderView, place: Place): AccountRef {
  const holder = pinned.wallets?.give;
  return holder === undefined ? accounts.custody(give.currency, place, give.unit) : accounts.wallet(holder, give.unit);
}
const receivable = (order: OrderView): AccountRef => accounts.receivable(order.id, order.give.unit);

/** Returns the wallet that a payout or refund goes into; undefined if it leaves by a rail. */
export function walletOf({ pinned }: OrderView, kind: Transfer['kind']): string | undefined {
  return kind === 'payout' ? pinned.wallets?.get : pinned.wallets?.give;
}

/** Ledger kinds of the journals that payments posts for an order's transfers. */
export const PAYOUT_KINDS = { sent: 'sent', notSent: 'refused', returned: 'returned' } as const satisfies PayoutBooks['kinds'];

/** Returns an order's transfer as the request for payments, with the accounts that payments posts its outcome to. */
export function payoutMoney(
  order: OrderView,
  { kind, intent, parts, cost }: Transfer,
): PayoutMoney & { readonly books: PayoutBooks } {
  const side = kind === 'payout' ? order.get : order.give;
  if (!side) throw new Error(`${order.id} has nothing to pay out`);
  const back = kind === 'payout' ? orderOut(order) : orderIn(order);
  const { currency, unit } = side;
  return { id: intent, currency, unit, parts, books: { cause: order.id, back, fee: cost, kinds: PAYOUT_KINDS } };
}

/** Returns the legs of a transfer into a wallet. It arrives at once: no rail carries it, and payments posts nothing. */
export function intoWallet(order: OrderView, transfer: Transfer, holder: string): Leg[] {
  const { id, unit, parts } = payoutMoney(order, transfer);
  return move(accounts.payout(id, unit), accounts.wallet(holder, unit), parts);
}

/** Promises `parts` of the desk's free money to the order. */
export function reserve(order: OrderView, parts: bigint): Posting {
  return { name: 'reserve', legs: move(accounts.deskFree(unitGot(order)), orderReserve(order), parts) };
}

/** Releases the rest of the promise. */
export function reserveRelease(order: OrderView): Posting {
  if (order.positions.reserve === 0n) return { name: 'reserve_release', legs: [] };
  return {
    name: 'reserve_release',
    legs: move(orderReserve(order), accounts.deskFree(unitGot(order)), order.positions.reserve),
  };
}

/** Books a final pay-in of `parts`, gross. (The rail posts the provider's deduction.) */
export function payin(order: OrderView, payment: Payment): Posting {
  return { name: 'payin', legs: move(custody(order, payment.place), orderIn(order), payment.parts) };
}

/**
 * Reverses a pay-in before the exchange, out of `order:in`. Facts are never refused. The part that its place doesn't hold
 * (`held`) is owed to the rail. The part that `order:in` lacks (a sending cost, a buy-back below the amount given) is a loss.
 */
export function payinReverse(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  return { name: 'payin_reverse', legs: takenBack(order, orderIn(order), order.positions.in, place, parts, held) };
}

/** Reverses a pay-in whose money is frozen: the rail takes back money that an authority holds. */
export function payinReverseFrozen(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  const frozen = accounts.frozen(order.id, order.give.unit);
  return { name: 'payin_reverse', legs: takenBack(order, frozen, order.positions.frozen, place, parts, held) };
}

/** Books a pay-in that was taken back after sending began: the customer owes it. */
export function reversalDebt(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  return { name: 'reversal_debt', legs: takenBack(order, receivable(order), parts, place, parts, held) };
}

function takenBack(order: OrderView, from: AccountRef, has: bigint, place: Place, parts: bigint, held: bigint): Leg[] {
  const { unit, rail } = order.give;
  return [
    ...move(accounts.spent('loss', unit), from, parts - min(parts, has)),
    ...takenByRail([[from, parts]], { place: custody(order, place), rail, held }),
  ];
}

/**
 * Books the exchange through the desk's free money: the amount given leaves `order:in`, and the promised amount becomes the
 * customer's.
 */
export function exchange(order: OrderView, booked: Exchange): Posting {
  const between = { given: orderIn(order), promised: orderReserve(order), got: orderOut(order) };
  const coupons = takenOfAccounts(booked).flatMap(({ coupon, parts }) => move(couponAccount(coupon), REWARD_FREE, parts));
  return { name: 'exchange', legs: [...conversion(between, booked), ...coupons] };
}

const couponAccount = (coupon: string): AccountRef => accounts.coupon(coupon, REWARD_UNIT);
const REWARD_FREE = accounts.deskFree(REWARD_UNIT);
const takenOfAccounts = ({ coupons = [] }: Exchange) => coupons.filter(({ isFunded }) => isFunded);

/**
 * Reverses the exchange with the desk's free money (`free` in the unit given, `rewards` in the unit of coupons); the shortfall is
 * a loss.
 */
export function exchangeReverse(order: OrderView, free: bigint, rewards = 0n): Posting {
  const booked = order.facts.exchange;
  if (!booked) return { name: 'exchange_reverse', legs: [] };
  const between = { given: orderIn(order), got: orderOut(order) };
  const legs = conversionBack(between, booked, { free, left: order.positions.out });
  return { name: 'exchange_reverse', legs: [...legs, ...couponsBack(booked, left(rewards, legs))] };
}

/** Returns the desk's free money in the unit of coupons after these legs. */
const left = (had: bigint, legs: readonly Leg[]): bigint =>
  legs.reduce(
    (sum, { from, to, parts }) =>
      sum + (to.name === REWARD_FREE.name ? parts : 0n) - (from.name === REWARD_FREE.name ? parts : 0n),
    had,
  );

/** Returns the coupons' amounts to their accounts; the part that the desk lacks is a loss. */
function couponsBack(booked: Exchange, free: bigint): Leg[] {
  let there = free > 0n ? free : 0n;
  return takenOfAccounts(booked).flatMap(({ coupon, parts }) => {
    const given = min(there, parts);
    there -= given;
    const into = couponAccount(coupon);
    return [...move(REWARD_FREE, into, given), ...move(accounts.spent('loss', REWARD_UNIT), into, parts - given)];
  });
}

/** Buys back an undeliverable payout: all of `order:out` for `parts` given. */
export function buyBack(order: OrderView, parts: bigint): Posting {
  return {
    name: 'buy_back',
    legs: [
      ...move(orderOut(order), accounts.deskFree(unitGot(order)), order.positions.out),
      ...move(accounts.deskFree(order.give.unit), orderIn(order), parts),
    ],
  };
}

/** Moves the money of a payout or refund into its intent; a refund's sending cost becomes a fee. */
export function transferIntent(order: OrderView, transfer: Transfer): Posting {
  return {
    name: transfer.kind === 'payout' ? 'payout_intent' : 'refund_intent',
    legs: intentLegs(payoutMoney(order, transfer)),
  };
}

/** Returns the money of an intent that was stopped before it was sent, including the fee. */
export function transferIntentReverse(order: OrderView, transfer: Transfer): Posting {
  return {
    name: transfer.kind === 'payout' ? 'payout_intent_reverse' : 'refund_intent_reverse',
    legs: payoutLegs('notSent', payoutMoney(order, transfer)),
  };
}

/**
 * Returns the order after payments has posted an outcome of its transfer: positions are updated, and the transfer on its way or
 * last sent is noted. `back`: the amount that came back of a returned transfer.
 */
export function followPayout(order: OrderView, happening: PayoutHappening, back?: Returned): OrderView {
  const { transfer, sent, ...facts } = order.facts;
  const moved = happening === 'returned' ? sent : transfer;
  if (!moved) throw new Error(`${order.id} sends nothing that could be ${happening}`);
  const positions = applyLegs(order, payoutLegs(happening, payoutMoney(order, moved), back), moved);
  const left = happening === 'sent' ? moved : happening === 'notSent' ? sent : undefined;
  return { ...order, positions, facts: { ...facts, ...(left && { sent: left }) } };
}

/** Returns the order after payout events, oldest first, that payments has posted but not yet delivered. */
export function asPosted(order: OrderView, undelivered: readonly PostedEvent[]): OrderView {
  return undelivered.reduce((view, body) => {
    const happening = happeningOf(body.event);
    const of = happening === 'returned' ? view.facts.sent : view.facts.transfer;
    if (!happening || of?.intent !== body.intentId) return view;
    return followPayout(view, happening, returnedOf(body, of.parts));
  }, order);
}

type PostedEvent = Pick<PayoutBody, 'event' | 'intentId' | 'back' | 'isBorneByReceiver'>;

/** Moves all of `order:in` and `order:out` to the unclaimed accounts, where it is owed without end. */
export function unclaimed(order: OrderView): Posting {
  const { in: into, out, unclaimedIn, unclaimedOut } = ownAccounts(order);
  const { positions } = order;
  return {
    name: 'unclaimed',
    legs: [...move(into, unclaimedIn, positions.in), ...(out && unclaimedOut ? move(out, unclaimedOut, positions.out) : [])],
  };
}

/** Moves unclaimed money back to the order: it is claimed, or was taken back. */
export function claim(order: OrderView): Posting {
  const { in: into, out, unclaimedIn, unclaimedOut } = ownAccounts(order);
  const { positions } = order;
  return {
    name: 'claim',
    legs: [
      ...move(unclaimedIn, into, positions.unclaimedIn),
      ...(out && unclaimedOut ? move(unclaimedOut, out, positions.unclaimedOut) : []),
    ],
  };
}

/** Moves the money to the account that the law holds. */
export function freeze(order: OrderView): Posting {
  return {
    name: 'freeze',
    legs: move(orderIn(order), accounts.frozen(order.id, order.give.unit), order.positions.in),
  };
}

/** Returns money that the law releases. */
export function unfreeze(order: OrderView): Posting {
  return {
    name: 'unfreeze',
    legs: move(accounts.frozen(order.id, order.give.unit), orderIn(order), order.positions.frozen),
  };
}

/** Books money handed to an authority: it leaves custody, whatever place it is paid from. */
export function surrender({ id, give, positions }: OrderView): Posting {
  return {
    name: 'surrender',
    legs: move(accounts.frozen(id, give.unit), accounts.custody(give.currency, 'hot', give.unit), positions.frozen),
  };
}

/** Moves money that isn't this order's to an unallocated payment: a further payment, or the excess. */
export function unallocated(order: OrderView, payment: string, parts: bigint, from: Place | 'order:in'): Posting {
  const source = from === 'order:in' ? orderIn(order) : custody(order, from);
  return { name: 'unallocated', legs: move(source, accounts.unallocated(payment, order.give.unit), parts) };
}

/** Moves an unallocated payment's money to a new order. */
export function unallocatedUse(payment: OrderView, order: string): Posting {
  return {
    name: 'unallocated_use',
    legs: move(orderIn(payment), accounts.orderIn(order, payment.give.unit), payment.positions.in),
  };
}

/** Settles a receivable from the order's own money, as far as that is enough. */
export function debtSettlement(order: OrderView): Posting {
  return {
    name: 'debt_settlement',
    legs: move(orderIn(order), receivable(order), min(order.positions.in, order.positions.receivable)),
  };
}

/** Settles the debt of another order with money that arrived here. */
export function otherDebtSettlement(order: OrderView, debt: string, parts: bigint): Posting {
  return { name: 'other_debt_settlement', legs: move(orderIn(order), accounts.receivable(debt, order.give.unit), parts) };
}

/** Books a won dispute or a repayment. `owed` settles the receivable; `lost` was written off and returns to the desk. */
export function disputeWin(order: OrderView, place: Place, owed: bigint, lost: bigint): Posting {
  return {
    name: 'dispute_win',
    legs: [
      ...move(custody(order, place), receivable(order), owed),
      ...move(custody(order, place), accounts.deskFree(order.give.unit), lost),
    ],
  };
}

/** Writes off a receivable: from the order's own provision first (while the exchange stands), the rest as a loss. */
export function writeOff(order: OrderView): Posting {
  const { give, positions, facts } = order;
  const provision = min(facts.exchange?.provision ?? 0n, positions.receivable);
  return {
    name: 'write_off',
    legs: [
      ...move(accounts.provisionReversal(give.unit), receivable(order), provision),
      ...move(accounts.spent('loss', give.unit), receivable(order), positions.receivable - provision),
    ],
  };
}

/** Turns a written-off loss into a debt again, because our transfer came back and can settle it. */
export function writeOffReverse(order: OrderView): Posting {
  return {
    name: 'write_off_reverse',
    legs: move(receivable(order), accounts.deskFree(order.give.unit), order.positions.loss),
  };
}

/** Returns the order's positions after these legs. Held accounts (the receivable) grow by what leaves them. */
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
