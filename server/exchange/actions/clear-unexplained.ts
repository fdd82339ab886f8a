// Assigns money that was booked as unexplained to its customer, as an unallocated payment.

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

/** Money that was found on a rail and booked as unexplained, as two people of the desk describe it. */
export interface FoundMoney {
  readonly currency: string;
  readonly parts: bigint;
  /** The payment's id on its rail: a transaction. */
  readonly txid: string;
}

export interface ClearToOrder extends FoundMoney {
  /** The order's readable number. */
  readonly number: string;
}

export interface ClearToCustomer extends FoundMoney {
  readonly customer: Customer;
  /** Account to send the money back to, already checked and screened. If absent, the customer names one. */
  readonly refund?: RailAccount;
}

/**
 * Assigns found money to the customer of an order, as an unallocated payment of that order with all its choices. The payment was
 * not screened, so it waits for a person first. Throws `order_not_found`, and `not_enough_there` if less money is booked as
 * unexplained. The caller ensures that two operators agreed. Posts, so the call must be the last step of its transaction.
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
 * Assigns found money to a customer who has no order for it. As in `clearToOrder`, the payment waits for a person, who sends it
 * back or lets the customer choose. Returns the readable number of the unallocated payment.
 */
export async function clearToCustomer(tx: Tx, sender: Sender, { customer, refund, ...found }: ClearToCustomer): Promise<string> {
  const side = await sideOf(tx, found);
  const { currency } = found;
  const terms = { now: tx.now, isReversible: isReversible(currency), isReceiveOnly: !canSend(currency) };
  const origin = { ...withoutOrder(customer, side, terms), goesTo: refund ? { refund } : {} };
  const unallocated = unallocatedPayment(origin, madeOf(tx, found), newNumber(), tx.now);
  await open(tx, sender, unallocated);
  return unallocated.number;
}

/** Returns the found money's currency as a side of an order. Throws `not_enough_there` if less money is booked as unexplained. */
async function sideOf(tx: Tx, { currency, parts }: FoundMoney): Promise<Side> {
  const info = currencyOf(currency);
  const [unexplained = 0n] = info ? await balances(tx, [accounts.suspense(info.unit)]) : [];
  if (!info || unexplained < parts) throw new Problem('not_enough_there');
  return { currency, unit: info.unit, rail: info.rail, parts: 0n };
}

function madeOf({ now }: Tx, { parts, txid }: FoundMoney) {
  const payment: Payment = {
    ...{ id: newId(), parts, status: 'final', place: 'hot', txid, seenAt: now, isFeeOk: true, firstConfirmedAt: now },
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
