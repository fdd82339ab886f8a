// Money that was booked as unexplained turns out to be a customer's: it becomes an unallocated payment of theirs.

import { Problem } from '@kurs/contract';
import { isReversible } from '../../compliance/index.ts';
import { UnitOfWork } from '../../collecting/index.ts';
import { accounts, balances, leg } from '../../ledger/index.ts';
import { canSend, currencyOf } from '../../payments/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { Batch, newNumber } from '../apply/batch.ts';
import { openDesk } from '../apply/desk-state.ts';
import type { Sender } from '../letters/letters.ts';
import { type Customer, unallocatedOf, unallocatedPayment, withoutOrder } from '../machine/derived-orders.ts';
import type { Payment, RailAccount, Side } from '../order/order.ts';
import { type StoredOrder, lockOrder } from '../order/store/order-store.ts';

/** What came, as two people of the desk say. */
export interface Found {
  readonly currency: string;
  readonly parts: bigint;
  /** The payment's own mark on its rail: a transaction. */
  readonly txid: string;
}

export interface ClearToOrder extends Found {
  /** The order's number for people. */
  readonly number: string;
}

export interface ClearToCustomer extends Found {
  readonly customer: Customer;
  /** Where it is sent back to, checked and screened; without one its customer is asked. */
  readonly refund?: RailAccount;
}

/**
 * Clears it to the customer of an order, as an unallocated payment of that order with every choice that one has. Nobody has
 * screened it, so it waits for a person first. At most what is unexplained; else `not_enough_there`; throws `order_not_found`
 * too. That two operators agreed is the caller's to ensure. Posts, so it is the last of its transaction.
 */
export async function clearToOrder(tx: Tx, sender: Sender, { number, ...found }: ClearToOrder): Promise<void> {
  const parent = await lockOrder(tx, number);
  if (!parent) throw new Problem('order_not_found');
  const side = await sideOf(tx, found);
  const own = found.currency === parent.view.give.currency ? {} : { side };
  const unallocated = unallocatedOf(parent, { ...madeOf(tx, found), ...own }, newNumber(), tx.now);
  await open(tx, sender, unallocated, parent);
}

/**
 * Clears it to a customer who has no order for it. As `clearToOrder`: it waits for a person, who sends it back or lets its
 * customer say where it goes. Gives the number by which people find it.
 */
export async function clearToCustomer(tx: Tx, sender: Sender, { customer, refund, ...found }: ClearToCustomer): Promise<string> {
  const side = await sideOf(tx, found);
  const { currency } = found;
  const terms = { now: tx.now, reversible: isReversible(currency), takesOnly: !canSend(currency) };
  const origin = { ...withoutOrder(customer, side, terms), goesTo: refund ? { refund } : {} };
  const unallocated = unallocatedPayment(origin, madeOf(tx, found), newNumber(), tx.now);
  await open(tx, sender, unallocated);
  return unallocated.number;
}

/** The side of what came. Throws `not_enough_there` where less is unexplained. */
async function sideOf(tx: Tx, { currency, parts }: Found): Promise<Side> {
  const info = currencyOf(currency);
  const [unexplained = 0n] = info ? await balances(tx, [accounts.suspense(info.unit)]) : [];
  if (!info || unexplained < parts) throw new Problem('not_enough_there');
  return { currency, unit: info.unit, rail: info.rail, parts: 0n };
}

function madeOf({ now }: Tx, { parts, txid }: Found) {
  const payment: Payment = {
    ...{ id: newId(), parts, standing: 'final', place: 'hot', txid, seenAt: now, feeOk: true, firstConfirmedAt: now },
    ...{ confirmations: 1, needed: 1 },
  };
  return { id: newId(), pieces: [payment], held: 'soft' } as const;
}

async function open(tx: Tx, sender: Sender, unallocated: StoredOrder, parent?: StoredOrder): Promise<void> {
  const { id, give, positions } = unallocated.view;
  const orders = parent ? [parent] : [];
  const batch = new Batch(new UnitOfWork(tx), await openDesk(tx, orders), sender, orders);
  batch.openUnallocated(
    unallocated,
    [leg(accounts.suspense(give.unit), accounts.unallocated(id, give.unit), positions.in)],
    parent,
  );
  await batch.commit();
}
