// Places several orders of the same moment in one transaction, with statements that cover all of them.
//
// Each step handles the members of the group that no earlier step has ended. Locks are taken step by step, each sorted:
// calculations, holders' wallet limits, keys of limits, networks, counters of receiving addresses, coupons, totals of reserves
// held.

import { Problem, returnPages } from '@kurs/contract';
import { assetOf } from '@kurs/money';
import type { SteppedUp } from '../../auth/index.ts';
import type { Member, UnitOfWork } from '../../collecting/index.ts';
import {
  type AllowedHold,
  type Partner,
  type Subject,
  customerOf,
  lockMinutes,
  mayHold,
  readCounted,
  requireNoDebts,
  requireWithinLimits,
  takeHolds,
  tryLimits,
  tryUnpaid,
} from '../../compliance/index.ts';
import type { Passed } from '../../moneyout/index.ts';
import { currencyOf, isStopped, openPayins, sendingRails } from '../../payments/index.ts';
import { type Tx, allEnded, newId, orProblem } from '../../platform/index.ts';
import {
  USUAL_PURPOSE,
  closedNow,
  currentTerms,
  directionOf,
  movedAgainstDesk,
  readReserve,
  takesMoreNow,
} from '../../pricing/index.ts';
import { Batch, newNumber } from '../apply/batch.ts';
import { DeskState } from '../apply/desk-state.ts';
import { accountKey, limitsSubject, lockAll, usedProblem } from '../calculation/calculate.ts';
import {
  type Calculation,
  type Complete,
  hasItsLevel,
  heldBreakdown,
  priceContextOf,
  requireComplete,
} from '../calculation/calculation.ts';
import { markUsed } from '../calculation/calculation-store.ts';
import { holdCoupons } from '../calculation/discounts/coupon-of.ts';
import { isMailboxShown } from '../calculation/discounts/has-ordered.ts';
import { peopleForPlaced } from '../calculation/own-waits.ts';
import { payerHistory } from '../calculation/payer-history.ts';
import type { Receipts } from '../calculation/receipt.ts';
import { sameSender, senderOfCustomer } from '../calculation/discounts/sender-of.ts';
import { type Asker, askerOf, atLevelOf, requireLevelToPay } from '../calculation/sign-in-needed.ts';
import type { Sender } from '../letters/letters.ts';
import { type StoredOrder, orderOfCalculation } from '../order/store/order-store.ts';
import { notePartnerOrder } from '../order/store/partner-orders.ts';
import { type NewOrder, lockedUntil, newOrder } from './new-order.ts';
import { passDoor, payFromWallet, payingHolder } from './pay-from-wallet.ts';

/** A calculation that is to become an order, and its customer. */
export interface Placing {
  readonly id: string;
  readonly token?: string | undefined;
  /** True if an earlier try of the same call may have placed the order already; then that order is returned. */
  readonly isRepeated?: boolean | undefined;
  /** The signed-in account holder who places the order and will own it. */
  readonly holderId?: string | undefined;
  /** The account holder whose program places the order for a customer. */
  readonly partner?: Partner | undefined;
  /** The holder's proofs, if the order is paid from a wallet. */
  readonly paying?: SteppedUp | undefined;
  /** False if an earlier try failed because the reserve was promised to others: the order is then placed without a reserve. */
  readonly isHoldable: boolean;
}

/** A member of a group on its way to an order. */
interface OrderDraft {
  readonly request: Placing;
  readonly unit: UnitOfWork;
  readonly id: string;
  readonly number: string;
  readonly calculation: Complete;
  /** The order's customer. */
  readonly subject: Subject;
  readonly asker: Asker;
  /** The holder whose wallet pays; absent for a payment from outside. */
  readonly fromWallet?: string | undefined;
  /** Number of people who must approve that the money leaves this wallet. */
  readonly people?: 0 | 1 | 2;
}

/** A draft that may be placed, with its lock duration and receiving address. `isHeld`: the payout amount gets reserved. */
interface Granted extends OrderDraft, Pick<NewOrder, 'lockMinutes' | 'isHeld' | 'instruction'> {
  readonly hold?: AllowedHold | undefined;
}

/** The end of a group's member: its placed order, or the reason for its refusal. */
class Ended {
  readonly outcome: StoredOrder | Error;

  constructor(outcome: StoredOrder | Error) {
    this.outcome = outcome;
  }
}

/** Runs a step for the members that no earlier step has ended. Returns each result at its member's place; ended members stay unchanged. */
async function step<A, B>(
  all: readonly (A | Ended)[],
  work: (going: readonly A[]) => Promise<readonly (B | Ended)[]>,
): Promise<(B | Ended)[]> {
  const going = all.filter((one): one is A => !(one instanceof Ended));
  const next = going.length > 0 ? await work(going) : [];
  const places = new Map(going.map((one, at) => [one, at]));
  return all.map((one) => (one instanceof Ended ? one : (next[places.get(one) ?? 0] as B | Ended)));
}

/** Refuses a member of the group and rolls back its writes. A code that the member has used is then valid again. */
function refuse({ unit }: OrderDraft, reason: Error): Ended {
  unit.abandon(reason);
  return new Ended(reason);
}

/** Places orders. Returns the outcome of each, in the same sequence: its order, or the error that `placeOrder` throws. */
export async function placeTogether(
  tx: Tx,
  { sender, receipts }: { readonly sender: Sender; readonly receipts: Receipts },
  members: readonly Member<Placing>[],
): Promise<(StoredOrder | Error)[]> {
  const locked = await lockAll(
    tx,
    sender.tokens,
    members.map(({ request }) => request),
  );
  const closed = await closedInTx(tx, locked);
  const drafts = await allEnded(members.map((member, at) => draftOf(tx, sender, member, locked[at]!, closed)));
  const passed = await step(drafts, (going) => passDoors(tx, going));
  const granted = await step(passed, (going) => grant(tx, going));
  const placed = await step(granted, (going) => write(tx, { sender, receipts }, going));
  return placed.map(({ outcome }) => outcome);
}

/** Returns the reason why directions to a currency take no new orders; undefined if they take orders. */
type Closed = (to: string) => 'stopped' | 'payouts_off' | undefined;

/** Reads the switches that stop new orders, within this transaction: the process's own copy may be seconds old. */
async function closedInTx(tx: Tx, calculations: readonly (Calculation | Problem)[]): Promise<Closed> {
  const railOf = (to: string): string => currencyOf(to)?.rail ?? '';
  const rails = calculations.flatMap((one) => (one instanceof Problem || one.orderId !== undefined ? [] : [railOf(one.to)]));
  if (rails.length === 0) return () => undefined;
  if (await isStopped(tx, USUAL_PURPOSE)) return () => 'stopped';
  const sending = await sendingRails(tx, [...new Set(rails)]);
  return (to) => (sending.has(railOf(to)) ? undefined : 'payouts_off');
}

/** Returns the draft of a calculation, unless it has become an order or can't become one any more. */
async function draftOf(
  tx: Tx,
  { tokens }: Sender,
  { request, unit }: Member<Placing>,
  locked: Calculation | Problem,
  closed: Closed,
): Promise<OrderDraft | Ended> {
  if (locked instanceof Problem) return new Ended(locked);
  if (locked.orderId !== undefined) {
    const placed = request.isRepeated ? await orderOfCalculation(tx, locked.id) : undefined;
    return new Ended(placed ?? (await usedProblem(tx, tokens, locked.id)));
  }
  const reason = closed(locked.to);
  if (reason !== undefined) return new Ended(new Problem('direction_closed', { params: { reason } }));
  const draft = await orProblem(draftOfOpen(tx, { request, unit }, locked));
  return draft instanceof Problem ? new Ended(draft) : draft;
}

async function draftOfOpen(tx: Tx, { request, unit }: Member<Placing>, open: Calculation): Promise<OrderDraft> {
  const calculation = requireComplete(open, tx.now);
  requireSamePrice(calculation);
  const fromWallet = payingHolder(calculation, request.holderId);
  const subject = { ...(await limitsSubject(tx, calculation, request.holderId)), partner: request.partner };
  const asker = await askerOf(tx, subject.holder?.id, { isPartner: request.partner !== undefined });
  if (fromWallet === undefined) requireLevelToPay(calculation.from, asker);
  // Since the review the customer may have signed out, or another holder may have signed in. If their level is lower, the review
  // must be repeated.
  if (!hasItsLevel(calculation.held, asker.level)) throw new Problem('quote_expired');
  // Since the review, the customer may have begun to share an identity (a mailbox, an account) with their affiliate. Nobody gets
  // a friend's discount from themselves.
  if (!sameSender(calculation.held.sent, await senderOfCustomer(tx, calculation, subject))) throw new Problem('quote_expired');
  return { request, unit, id: newId(), number: newNumber(), calculation, subject, asker, fromWallet };
}

/** Throws unless the direction still takes orders at about the quoted rate and at about the same cost to the desk. */
function requireSamePrice(calculation: Complete): void {
  const { from, to, held } = calculation;
  const context = priceContextOf(calculation, held.level);
  const closed = closedNow(directionOf(from, to), context);
  if (closed)
    throw new Problem(closed.startsWith('rates') ? 'rates_unavailable' : 'direction_closed', { params: { reason: closed } });
  const current = currentTerms(from, to, context);
  if (!current) throw new Problem('rates_unavailable');
  if (movedAgainstDesk(held.terms.rate, current.terms.rate, assetOf(held.terms.giveUnit))) throw new Problem('market_moved');
  if (takesMoreNow(held.give, held.terms, current.terms)) throw new Problem('market_moved');
}

/** Passes payments from wallets through moneyout's checks. Debtors are refused before a code is requested. */
async function passDoors(tx: Tx, drafts: readonly OrderDraft[]): Promise<(OrderDraft | Ended)[]> {
  const inside = drafts.filter(({ fromWallet }) => fromWallet !== undefined);
  const debts = await allEnded(inside.map(({ subject }) => orProblem(requireNoDebts(tx, subject))));
  const outcomes = new Map<OrderDraft, Passed | Error>();
  for (const [at, draft] of inside.entries()) if (debts[at] instanceof Problem) outcomes.set(draft, debts[at]);
  const clear = inside.filter((draft) => !outcomes.has(draft));
  const passed = await passDoor(
    tx,
    clear.map(({ id, fromWallet = '', calculation, request: { paying } }) => ({
      id,
      holderId: fromWallet,
      calculation,
      stepped: paying,
    })),
  );
  for (const [at, draft] of clear.entries()) outcomes.set(draft, passed[at]!);
  return drafts.map((draft) => {
    const outcome = outcomes.get(draft);
    return outcome instanceof Error ? new Ended(outcome) : { ...draft, ...outcome };
  });
}

/**
 * Counts orders in the limits of their customers, and decides which orders get their payout amount reserved. An order paid from
 * outside may stay unpaid, so it also falls under the limits on unpaid orders. An order paid from a wallet is paid at once: it
 * gets its reserve or is refused.
 */
async function grant(tx: Tx, drafts: readonly OrderDraft[]): Promise<(Granted | Ended)[]> {
  const outside = drafts.filter(({ fromWallet }) => fromWallet === undefined);
  const holdable = outside.filter(({ request }) => request.isHoldable);
  const owned = ({ id, subject }: OrderDraft) => ({ owner: { kind: 'order', id }, subject });
  const histories = await allEnded(
    drafts.map(({ fromWallet, subject, calculation: { from } }) =>
      fromWallet === undefined ? payerHistory(tx, from, subject) : undefined,
    ),
  );
  const [debts, limits, unpaid, holds, reserves] = await allEnded([
    allEnded(
      drafts.map(({ fromWallet, subject }) => (fromWallet === undefined ? orProblem(requireNoDebts(tx, subject)) : undefined)),
    ),
    // If another customer has paid from this refund account, both customers share their limits.
    tryLimits(
      tx,
      drafts.map((draft, at) => {
        const { from, refund, held } = draft.calculation;
        return { ...owned(draft), usd: held.usd, sources: accountKey(from, refund), payer: histories[at] };
      }),
    ),
    tryUnpaid(tx, outside.map(owned)),
    mayHold(
      tx,
      holdable.map((draft) => {
        const { unit, parts } = heldBreakdown(draft.calculation.held).get;
        return { ...owned(draft), unit, parts, reserve: readReserve(tx, draft.calculation.to) };
      }),
    ),
    allEnded(drafts.map(({ fromWallet, calculation: { to } }) => (fromWallet === undefined ? undefined : readReserve(tx, to)))),
  ]);
  const byOwn = await peopleForPlaced(
    tx,
    drafts.map((draft) => {
      const { wallet, email, held, mailbox } = draft.calculation;
      return { wallet, email, held, holderId: draft.request.holderId, isMailboxShown: isMailboxShown(draft.subject, mailbox) };
    }),
  );
  const minutesOf = new Map(outside.map((draft, at) => [draft, unpaid.minutes[at]]));
  const holdOf = new Map(holdable.map((draft, at) => [draft, holds[at]]));
  const ofLimits = await allEnded(drafts.map((draft, at) => askToSignIn(tx, draft, limits.problems[at])));
  const problems = drafts.map((draft, at): Problem | undefined => {
    const first = [debts[at], ofLimits[at], minutesOf.get(draft)].find((one) => one instanceof Problem);
    if (first) return first;
    const changed = waitChanged(draft.calculation, (byOwn[at] ?? 0) > 0);
    if (changed) return changed;
    const [reserve, { parts }] = [reserves[at], heldBreakdown(draft.calculation.held).get];
    return reserve !== undefined && parts > reserve
      ? new Problem('direction_closed', { params: { reason: 'reserve' } })
      : undefined;
  });
  const isStored = new Set(drafts.filter((_, at) => !problems[at]));
  limits.count((at) => isStored.has(drafts[at]!));
  unpaid.record((at) => isStored.has(outside[at]!));
  const going = outside.flatMap((draft) => {
    const [minutes, hold] = [minutesOf.get(draft), holdOf.get(draft)];
    return isStored.has(draft) && typeof minutes === 'number'
      ? [{ ...draft, hold, isHeld: hold !== undefined, lockMinutes: minutes }]
      : [];
  });
  const instructions = await payTo(tx, going);
  const granted = new Map(going.map((one, at): [string, Granted] => [one.id, { ...one, instruction: instructions[at] }]));
  return drafts.map((draft, at) => {
    const problem = problems[at];
    if (problem) return draft.fromWallet === undefined ? new Ended(problem) : refuse(draft, problem);
    return granted.get(draft.id) ?? { ...draft, isHeld: true, lockMinutes: lockMinutes() };
  });
}

/**
 * Returns the problem if a review must be repeated. Either the customer's own payout totals require an approval that the review
 * didn't announce. Or the review announced an approval only because of these totals, and they don't require it now.
 */
function waitChanged({ held }: Complete, isOwn: boolean): Problem | undefined {
  if (isOwn) return held.promised?.hasApproval ? undefined : new Problem('review_changed');
  return held.hasOwnWait ? new Problem('quote_expired') : undefined;
}

/**
 * Returns the problem that the customer's limits make for an order. A visitor is asked to sign in instead if a higher level would
 * allow the amount.
 */
async function askToSignIn(
  tx: Tx,
  { subject, asker, calculation: { held } }: OrderDraft,
  problem: Problem | undefined,
): Promise<Problem | undefined> {
  if (!problem || !asker.isVisitor) return problem;
  const counted = await readCounted(tx, subject, tx.now);
  const within = async (): Promise<void> => atLevelOf(asker, (level) => requireWithinLimits(held.usd, { ...counted, level }));
  const found = await orProblem(within());
  return found instanceof Problem ? found : problem;
}

/** Opens a receiving address or account for each order, at its rail. */
async function payTo(tx: Tx, drafts: readonly Granted[]): Promise<Pick<StoredOrder, 'payTo' | 'payMemo'>[]> {
  const opened = await openPayins(
    tx,
    drafts.map(({ id, number, calculation: { from, locale, refund, held }, subject, lockMinutes: minutes }) => ({
      owner: { kind: 'order', id },
      currency: from,
      parts: heldBreakdown(held).give.parts,
      customerKey: customerOf(subject),
      request: {
        ...{ label: number, back: returnPages(number, locale), locale, payer: refund?.fields ?? {} },
        until: lockedUntil(tx.now, minutes),
      },
    })),
  );
  return opened.map(({ to, memo }) => ({ payTo: to, ...(memo !== undefined && { payMemo: memo }) }));
}

/** Holds the uses of coupons, writes the orders, and reserves their payout amounts last. */
async function write(
  tx: Tx,
  { sender, receipts }: { readonly sender: Sender; readonly receipts: Receipts },
  all: readonly Granted[],
): Promise<Ended[]> {
  const held = await holdCoupons(
    tx,
    all.map(({ id, subject, calculation }) => ({
      ...{ calculation, owner: { kind: 'order', id }, subject },
      ...{ breakdown: heldBreakdown(calculation.held), terms: calculation.held.terms, usd: calculation.held.usd.parts },
    })),
  );
  const batch = new Batch(all[0]!.unit, new DeskState(tx.now), sender, []);
  const refused = new Map<Granted, Ended>();
  for (const [at, draft] of all.entries()) {
    const coupons = held[at]!;
    if (coupons instanceof Problem) {
      refused.set(draft, refuse(draft, coupons));
      continue;
    }
    const { order, promise } = newOrder(
      receipts,
      {
        ...draft,
        ...{ holderId: draft.request.holderId, isByPartner: draft.request.partner !== undefined, coupons },
        isMailboxShown: isMailboxShown(draft.subject, draft.calculation.mailbox),
      },
      tx.now,
    );
    batch.place(order, promise, draft.unit);
  }
  const placed = all.filter((draft) => !refused.has(draft));
  for (const draft of placed) {
    if (draft.fromWallet === undefined) batch.letter(draft.id, 'placed');
    else {
      const problem = await orProblem(payFromWallet(tx, batch, batch.order(draft.id)));
      if (problem) refused.set(draft, refuse(draft, problem));
    }
  }
  await allEnded(
    placed.map(({ id, request: { partner } }) => partner && notePartnerOrder(tx, { orderId: id, holderId: partner.id })),
  );
  markUsed(
    tx,
    placed.map(({ id, calculation }) => ({ id: calculation.id, orderId: id })),
  );
  await batch.save();
  takeHolds(
    tx,
    placed.flatMap(({ hold }) => hold ?? []),
  );
  return all.map((draft) => refused.get(draft) ?? new Ended(batch.order(draft.id)));
}
