// Unallocated payments for other owners: money that arrived for an invoice and belongs to its payer. The other room calls these
// functions in its own transaction and unit of work.

import { Problem } from '@kurs/contract';
import type { Payment, UnitOfWork } from '../../collecting/index.ts';
import { isReversible } from '../../compliance/index.ts';
import { type AccountRef, accounts, leg } from '../../ledger/index.ts';
import { canSend, currencyOf } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import { walletAccount } from '../calculation/calculation.ts';
import { refundTerms } from '../../pricing/index.ts';
import { Batch, newNumber } from '../apply/batch.ts';
import { owing } from '../apply/debts-of-orders.ts';
import { DeskState, openDesk } from '../apply/desk-state.ts';
import { giveBackEverywhere, lockFamilies, takeBackEverywhere } from '../apply/take-back.ts';
import type { Context } from '../order/events/events.ts';
import type { PaidFor } from '../order/order.ts';
import type { Sender } from '../letters/letters.ts';
import { type Customer, unallocatedPayment, withoutOrder } from '../machine/derived-orders.ts';
import { actorOf } from '../machine/machine.ts';
import { reportAltered } from '../order/store/order-mac.ts';
import { type StoredOrder, lockOrders } from '../order/store/order-store.ts';

/** A payment, or a piece of one, that belongs to its payer. */
export interface PayersMoney {
  readonly currency: string;
  readonly piece: Payment;
  /** Account from which the money comes. */
  readonly from: AccountRef;
  /** The payer. Their address is empty if it is unknown: the payment's page asks for it. */
  readonly customer: Customer;
  /** Account of the owner to which a payment goes back that its rail takes back; absent for custody. */
  readonly returnsTo?: AccountRef;
  /** Invoice for which the money came. */
  readonly paidFor: PaidFor;
  /** True if the payment came from a wallet of the customer, so that its refund goes there. */
  readonly isWallet?: true;
  /** True if a reorg may still take the payment back: nothing is sent until it is deep. */
  readonly isShallow?: true;
  /** Hold that the other room had begun: people must decide first. A soft one ends as if it had begun here. */
  readonly held?: { readonly cause: 'soft' | 'hard'; readonly since: Date } | undefined;
}

/**
 * Opens an unallocated payment for each of these, and returns their order ids. It may be refunded to the account that paid, on
 * rails that return money to its sender. Money of a debtor waits for people. Posts in `unit`.
 */
export async function openForOwner(unit: UnitOfWork, sender: Sender, all: readonly PayersMoney[]): Promise<string[]> {
  if (all.length === 0) return [];
  const { tx } = unit;
  const batch = new Batch(unit, new DeskState(tx.now), sender, []);
  const orders = all.map((one) => asUnallocated(one, tx.now));
  const owed = await owing(tx, orders);
  for (const [at, order] of orders.entries()) {
    const money = all[at] as PayersMoney;
    const shown = owed.get(order.view.id)?.shown ?? [];
    const isBlocked = shown.some(({ about }) => about === 'block');
    const owes = isBlocked ? 'hard' : shown.length > 0 ? 'debt' : undefined;
    const opened = money.held || owes ? heldFor(money, order.view.id, owes, tx.now) : order;
    const { id, give, positions } = opened.view;
    batch.openUnallocated(opened, [leg(money.from, accounts.unallocated(id, give.unit), positions.in)]);
  }
  await batch.save();
  return orders.map(({ view }) => view.id);
}

/** Returns an unallocated payment that people must decide about: by the hold that it came with, else because its payer owes. */
function heldFor(money: PayersMoney, id: string, owes: 'hard' | 'debt' | undefined, now: Date): StoredOrder {
  const { held } = money;
  const order = asUnallocated({ ...money, id }, now, held?.cause ?? owes);
  const { facts } = order.view;
  if (!held || !facts.hold) return order;
  const { since } = held;
  return { ...order, view: { ...order.view, facts: { ...facts, since, hold: { ...facts.hold, since } } } };
}

/** A decision of the desk about a held unallocated payment: to refund it, or to freeze it by law. */
export interface DecisionForOwner {
  readonly orderId: string;
  readonly decision: 'decide_refund' | 'freeze';
  /** Names of the people who decided, and their reason. */
  readonly by: readonly string[];
  readonly reason: string;
}

/**
 * Carries out a decision of the desk about an unallocated payment that `openForOwner` opened as held, in the same transaction.
 * The caller has checked the permission and the number of people. Throws `action_not_open` if the machine refuses it. Posts in
 * `unit`.
 */
export async function decideForOwner(unit: UnitOfWork, sender: Sender, decided: DecisionForOwner): Promise<void> {
  const { tx } = unit;
  const { orderId, decision, by, reason } = decided;
  const orders = await lockOrders(tx, [orderId]);
  const [order] = orders;
  if (!order) throw new Problem('order_not_found');
  const desk = await openDesk(tx, orders);
  // The desk reads balances that lack the journals of this unit.
  desk.posted(
    order.view,
    unit.handedOver.requests.flatMap(({ journal }) => journal.legs),
  );
  const batch = new Batch(unit, desk, sender, orders);
  const event =
    decision === 'freeze' ? ({ type: decision, isStopped: true } as const) : ({ type: decision, isOurs: false } as const);
  const { refused } = batch.decide(orderId, event, { who: `${actorOf(decision)} ${by.join(', ')}`, why: reason });
  if (refused !== undefined) throw new Problem('action_not_open');
  await batch.save();
}

function asUnallocated(
  { currency, piece, customer, returnsTo, paidFor, isWallet, isShallow, id = newId() }: PayersMoney & { readonly id?: string },
  now: Date,
  held?: 'soft' | 'hard' | 'debt',
): StoredOrder {
  const info = currencyOf(currency);
  if (!info) throw new Error(`there is no currency ${currency} any more`);
  const side = { currency, unit: info.unit, rail: info.rail, parts: 0n };
  const holderId = isWallet && customer.holderId;
  const source = holderId ? walletAccount(holderId) : piece.source;
  const terms = { now, isReversible: isReversible(currency), isReceiveOnly: !canSend(currency) };
  const { pinned, ...origin } = withoutOrder(customer, side, terms);
  // The payer bears the cost of sending the money back, so that nobody drains the desk by small payments.
  const refund = holderId ? undefined : refundTerms(currency);
  const costs = refund && { refundCost: refund.cost.parts, minRefund: refund.smallest.parts };
  const more = {
    ...{ ...costs, ...(returnsTo && { returnsTo }), ...(holderId && { wallets: { give: holderId } }) },
    ...{ paidFor, ...(isShallow && { isShallow }) },
  };
  const from = { ...origin, pinned: { ...pinned, ...more }, goesTo: source ? { refund: source } : {} };
  return unallocatedPayment(
    from,
    { id, pieces: [{ ...piece, ...(source && { source }) }], ...(held && { held }) },
    newNumber(),
    now,
  );
}

/**
 * Takes an unallocated payment's money into an account of the owner for whom it came. Locks its row, so that of this and the
 * customer's own choice one wins. Returns the amount; undefined if the customer has decided, or the row was changed outside the
 * product. Posts in `unit`.
 */
export async function takeOver(
  unit: UnitOfWork,
  sender: Sender,
  { orderId, to }: { readonly orderId: string; readonly to: AccountRef },
): Promise<bigint | undefined> {
  const { tx } = unit;
  const [order] = await lockOrders(tx, [orderId]);
  if (order?.isAltered) reportAltered(order);
  if (!order || order.isAltered) return undefined;
  const batch = new Batch(unit, new DeskState(tx.now), sender, [order]);
  const { refused } = batch.decide(orderId, { type: 'take_over', to }, { who: 'S' });
  if (refused !== undefined) return undefined;
  await batch.save();
  return order.view.positions.in + order.view.positions.unclaimedIn;
}

/** A change of a payment that an unallocated payment has. */
export interface ChangedPayment {
  /** Unallocated payment that had the money first. */
  readonly orderId: string;
  readonly payinId: string;
  readonly txid: string;
  /** Amount that the rail took back, or that came again, in parts. */
  readonly parts: bigint;
}

/**
 * Takes a payment back from the unallocated payment that had its money, and from the orders made of it. What has left already is
 * booked as owed. Returns the amount that they gave up; undefined if one of them was changed outside the product. Posts in
 * `unit`.
 */
export const reverseForOwner = (unit: UnitOfWork, sender: Sender, changed: ChangedPayment): Promise<bigint | undefined> =>
  inFamily(unit, sender, changed, (batch, part) => takeBackEverywhere(unit.tx, batch, part));

/**
 * Gives a payment that came again back to the unallocated payment that had its money, and to the orders made of it: first to
 * those that owe for it. `screening`: result of the new screening. Returns the amount that they took; undefined if one of them was
 * changed outside the product. Posts in `unit`.
 */
export const restoreForOwner = (
  unit: UnitOfWork,
  sender: Sender,
  { screening, ...changed }: ChangedPayment & { readonly screening: Context['screening'] },
): Promise<bigint | undefined> => inFamily(unit, sender, changed, (batch, part) => giveBackEverywhere(batch, part, screening));

type Part = Parameters<typeof takeBackEverywhere>[2];

/** Locks an unallocated payment with all orders made of it, and changes a payment that they share. */
async function inFamily(
  unit: UnitOfWork,
  sender: Sender,
  { orderId, payinId, txid, parts }: ChangedPayment,
  change: (batch: Batch, part: Part) => Promise<bigint>,
): Promise<bigint | undefined> {
  const { tx } = unit;
  const orders = await lockFamilies(tx, { ids: [], roots: [orderId] });
  const altered = orders.filter(({ isAltered }) => isAltered);
  for (const order of altered) reportAltered(order);
  const [first] = orders;
  if (altered.length > 0 || !first) return undefined;
  const desk = new DeskState(tx.now);
  // The desk reads balances that lack the journals of this unit.
  desk.posted(
    first.view,
    unit.handedOver.requests.flatMap(({ journal }) => journal.legs),
  );
  const batch = new Batch(unit, desk, sender, orders);
  const sum = await change(batch, { payinId, txid, part: String(parts) });
  await batch.save();
  return sum;
}
