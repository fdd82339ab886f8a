// Postings of an order, by name: each moves money between certain accounts. Pure.
//
// A posting is a list of legs between accounts of the ledger's chart. It decides nothing: its amounts come from the order's price
// breakdown and from its positions, which are computed from such legs.

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

/** Ledger kind of an event's journal, by the name of the event's last posting. */
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
  unallocated_back: 'unallocated_used',
  reversal_debt: 'reversal',
  other_debt_settlement: 'reversal_settled',
  debt_settlement: 'reversal_settled',
  dispute_win: 'dispute_won',
  write_off: 'write_off',
  write_off_reverse: 'write_off',
} as const satisfies Record<string, JournalKind>;

/** Returns the order's own accounts. For an unallocated payment, `in` is the account `unallocated:<id>`. */
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
/** Returns the account that the payment came from: a custody account of its rail, the holder's wallet, or another owner's account. */
function custody({ give, pinned }: OrderView, place: Place): AccountRef {
  if (pinned.returnsTo) return pinned.returnsTo;
  const holder = pinned.wallets?.give;
  return holder === undefined ? accounts.custody(give.currency, place, give.unit) : accounts.wallet(holder, give.unit);
}
const receivable = (order: OrderView): AccountRef => accounts.receivable(order.id, order.give.unit);

/** Returns the holder of the wallet that a payout or refund goes into; undefined if it leaves by a rail. */
export function walletOf({ pinned }: OrderView, kind: Transfer['kind']): string | undefined {
  return kind === 'payout' ? pinned.wallets?.get : pinned.wallets?.give;
}

/** Ledger kinds of the journals that the payments room posts for an order's transfers. */
export const PAYOUT_KINDS = { sent: 'sent', notSent: 'refused', returned: 'returned' } as const satisfies PayoutBooks['kinds'];

/** Returns an order's transfer in the form of a request to the payments room, with the accounts to which that room posts the outcome. */
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

/**
 * Returns the legs of a transfer into a wallet. The money arrives with the posting: no rail carries it, and the payments room
 * posts nothing for it.
 */
export function intoWallet(order: OrderView, transfer: Transfer, holder: string): Leg[] {
  const { id, unit, parts } = payoutMoney(order, transfer);
  return move(accounts.payout(id, unit), accounts.wallet(holder, unit), parts);
}

/** Reserves `parts` of the desk's free money for the order. */
export function reserve(order: OrderView, parts: bigint): Posting {
  return { name: 'reserve', legs: move(accounts.deskFree(unitGot(order)), orderReserve(order), parts) };
}

/** Releases the order's remaining reserve. */
export function reserveRelease(order: OrderView): Posting {
  if (order.positions.reserve === 0n) return { name: 'reserve_release', legs: [] };
  return {
    name: 'reserve_release',
    legs: move(orderReserve(order), accounts.deskFree(unitGot(order)), order.positions.reserve),
  };
}

/** Books a final pay-in at its full amount. The rail posts the provider's deduction separately. */
export function payin(order: OrderView, payment: Payment): Posting {
  return { name: 'payin', legs: move(custody(order, payment.place), orderIn(order), payment.parts) };
}

/**
 * Reverses a pay-in of an order that is not exchanged, out of `order:in`. This posting never fails, because the rail reports a
 * fact. `held`: balance of the custody account. The part that exceeds this balance is owed to the rail. The part that `order:in`
 * lacks (after a sending cost, or a buy-back for less than was given) is a loss.
 */
export function payinReverse(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  return { name: 'payin_reverse', legs: takenBack(order, orderIn(order), order.positions.in, place, parts, held) };
}

/** Reverses a pay-in whose money is frozen: the rail takes back money that an authority holds. */
export function payinReverseFrozen(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  const frozen = accounts.frozen(order.id, order.give.unit);
  return { name: 'payin_reverse', legs: takenBack(order, frozen, order.positions.frozen, place, parts, held) };
}

/** Books a pay-in that was taken back when the payout or refund could no longer be stopped: the customer owes it. */
export function reversalDebt(order: OrderView, place: Place, parts: bigint, held: bigint): Posting {
  return { name: 'reversal_debt', legs: takenBack(order, receivable(order), parts, place, parts, held) };
}

function takenBack(order: OrderView, from: AccountRef, has: bigint, place: Place, parts: bigint, held: bigint): Leg[] {
  const { unit, rail } = order.give;
  const lost = move(accounts.spent('loss', unit), from, parts - min(parts, has));
  // Another owner's account takes any amount: that owner books what its rail took.
  if (order.pinned.returnsTo) return [...lost, ...move(from, order.pinned.returnsTo, parts)];
  return [...lost, ...takenByRail([[from, parts]], { place: custody(order, place), rail, held })];
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
 * Reverses the exchange out of the desk's free money; the part that the desk lacks is a loss. `free`: the desk's free money in
 * the unit given. `rewards`: its free money in the unit of rewards.
 */
export function exchangeReverse(order: OrderView, free: bigint, rewards = 0n): Posting {
  const booked = order.facts.exchange;
  if (!booked) return { name: 'exchange_reverse', legs: [] };
  const between = { given: orderIn(order), got: orderOut(order) };
  const legs = conversionBack(between, booked, { free, left: order.positions.out });
  return { name: 'exchange_reverse', legs: [...legs, ...couponsBack(booked, left(rewards, legs))] };
}

/** Returns the desk's free money in the unit of rewards after these legs. */
const left = (had: bigint, legs: readonly Leg[]): bigint =>
  legs.reduce(
    (sum, { from, to, parts }) =>
      sum + (to.name === REWARD_FREE.name ? parts : 0n) - (from.name === REWARD_FREE.name ? parts : 0n),
    had,
  );

/**
 * Returns the legs that give coupons the amounts back that the exchange took from their accounts. The part that the desk lacks is
 * a loss.
 */
function couponsBack(booked: Exchange, free: bigint): Leg[] {
  let there = free > 0n ? free : 0n;
  return takenOfAccounts(booked).flatMap(({ coupon, parts }) => {
    const given = min(there, parts);
    there -= given;
    const into = couponAccount(coupon);
    return [...move(REWARD_FREE, into, given), ...move(accounts.spent('loss', REWARD_UNIT), into, parts - given)];
  });
}

/** Buys back an undeliverable payout: the desk takes all of `order:out`, and pays `parts` into `order:in`. */
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

/** Returns the posting that reverses the intent of a transfer before it is sent, including the refund's fee. */
export function transferIntentReverse(order: OrderView, transfer: Transfer): Posting {
  return {
    name: transfer.kind === 'payout' ? 'payout_intent_reverse' : 'refund_intent_reverse',
    legs: payoutLegs('notSent', payoutMoney(order, transfer)),
  };
}

/**
 * Returns the order after the payments room has posted an outcome of its transfer, with updated positions and transfers. `back`:
 * amount that came back of a returned transfer.
 */
export function followPayout(order: OrderView, happening: PayoutHappening, back?: Returned): OrderView {
  const { transfer, sent, ...facts } = order.facts;
  const moved = happening === 'returned' ? sent : transfer;
  if (!moved) throw new Error(`${order.id} sends nothing that could be ${happening}`);
  const positions = applyLegs(order, payoutLegs(happening, payoutMoney(order, moved), back), moved);
  const left = happening === 'sent' ? moved : happening === 'notSent' ? sent : undefined;
  return { ...order, positions, facts: { ...facts, ...(left && { sent: left }) } };
}

/**
 * Returns the order as it will be after the given events about its payout, oldest first. The payments room has posted these
 * events, but they are not delivered yet.
 */
export function asPosted(order: OrderView, undelivered: readonly PostedEvent[]): OrderView {
  return undelivered.reduce((view, body) => {
    const happening = happeningOf(body.event);
    const of = happening === 'returned' ? view.facts.sent : view.facts.transfer;
    if (!happening || of?.intent !== body.intentId) return view;
    return followPayout(view, happening, returnedOf(body, of.parts));
  }, order);
}

type PostedEvent = Pick<PayoutBody, 'event' | 'intentId' | 'back' | 'isBorneByReceiver'>;

/** Moves the money of `order:in` and `order:out` to the order's unclaimed accounts. The desk owes it to the customer without end. */
export function unclaimed(order: OrderView): Posting {
  const { in: into, out, unclaimedIn, unclaimedOut } = ownAccounts(order);
  const { positions } = order;
  return {
    name: 'unclaimed',
    legs: [...move(into, unclaimedIn, positions.in), ...(out && unclaimedOut ? move(out, unclaimedOut, positions.out) : [])],
  };
}

/** Moves unclaimed money back to `order:in` and `order:out`: the customer claims it, or its payment was taken back. */
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

/** Moves the money of `order:in` to the account for money held by law. */
export function freeze(order: OrderView): Posting {
  return {
    name: 'freeze',
    legs: move(orderIn(order), accounts.frozen(order.id, order.give.unit), order.positions.in),
  };
}

/** Moves money that is no longer held by law back to `order:in`. */
export function unfreeze(order: OrderView): Posting {
  return {
    name: 'unfreeze',
    legs: move(accounts.frozen(order.id, order.give.unit), orderIn(order), order.positions.frozen),
  };
}

/**
 * Books frozen money that was handed to an authority. In the books, the money leaves hot custody, even if it is really paid from
 * elsewhere.
 */
export function surrender({ id, give, positions }: OrderView): Posting {
  return {
    name: 'surrender',
    legs: move(accounts.frozen(id, give.unit), accounts.custody(give.currency, 'hot', give.unit), positions.frozen),
  };
}

/**
 * Moves money that isn't the order's to the account of an unallocated payment. `from`: custody for a further payment, or
 * `order:in` for the excess.
 */
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

/** Moves an unallocated payment's money to an account of the owner for whom it came. */
export function unallocatedBack(payment: OrderView, to: AccountRef): Posting {
  return { name: 'unallocated_back', legs: move(orderIn(payment), to, payment.positions.in) };
}

/** Settles the customer's debt from `order:in`, in full or in part. */
export function debtSettlement(order: OrderView): Posting {
  return {
    name: 'debt_settlement',
    legs: move(orderIn(order), receivable(order), min(order.positions.in, order.positions.receivable)),
  };
}

/** Settles the debt of another order from `order:in`. */
export function otherDebtSettlement(order: OrderView, debt: string, parts: bigint): Posting {
  return { name: 'other_debt_settlement', legs: move(orderIn(order), accounts.receivable(debt, order.give.unit), parts) };
}

/**
 * Books money that came back by a won dispute or a repayment. `owed`: the part that settles the receivable. `lost`: the part that
 * was written off and now returns to the desk.
 */
export function disputeWin(order: OrderView, place: Place, owed: bigint, lost: bigint): Posting {
  return {
    name: 'dispute_win',
    legs: [
      ...move(custody(order, place), receivable(order), owed),
      ...move(custody(order, place), accounts.deskFree(order.give.unit), lost),
    ],
  };
}

/** Writes off the order's receivable: first from the order's own provision, if the order is exchanged, and the rest as a loss. */
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

/** Turns a written-off loss into a debt again, because our transfer came back and its money can settle the debt. */
export function writeOffReverse(order: OrderView): Posting {
  return {
    name: 'write_off_reverse',
    legs: move(receivable(order), accounts.deskFree(order.give.unit), order.positions.loss),
  };
}

/**
 * Returns the order's positions after these legs. In accounts of class `held` (the receivable), the sign is reversed: a leg that
 * leaves the account increases the position.
 */
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
