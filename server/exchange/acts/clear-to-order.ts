import { Problem } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import { accounts, balances, leg } from '../../ledger/index.ts';
import { currencyOf } from '../../payments/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { Batch, newNumber } from '../apply/batch.ts';
import { openDesk } from '../apply/desk-state.ts';
import type { Sender } from '../letters/letters.ts';
import { unallocatedOf } from '../machine/derived-orders.ts';
import type { Payment } from '../order/order.ts';
import { lockOrder } from '../order/order-store.ts';

export interface ClearToOrder {
  /** The order's number for people. */
  readonly number: string;
  readonly currency: string;
  readonly parts: bigint;
  /** The payment's own mark on its rail: a transaction. */
  readonly txid: string;
}

/**
 * Clears money that was booked as unexplained to the customer whose it is: it becomes a stray of their order, with
 * every choice that a stray has. Nobody has screened it, so it waits for a person first. At most what is unexplained;
 * else `not_enough_there`; throws `order_not_found` too. That two operators agreed is the caller's to ensure. Posts, so it
 * is the last of its transaction.
 */
export async function clearToOrder(tx: Tx, sender: Sender, { number, currency, parts, txid }: ClearToOrder): Promise<void> {
  const parent = await lockOrder(tx, number);
  if (!parent) throw new Problem('order_not_found');
  const info = currencyOf(currency);
  if (!info) throw new Problem('not_enough_there');
  const { unit, rail } = info;
  const [unexplained = 0n] = await balances(tx, [accounts.suspense(unit)]);
  if (unexplained < parts) throw new Problem('not_enough_there');
  const payment: Payment = {
    id: newId(),
    parts,
    standing: 'final',
    place: 'hot',
    txid,
    seenAt: tx.now,
    feeOk: true,
    firstConfirmedAt: tx.now,
    confirmations: 1,
    needed: 1,
  };
  const isOther = currency !== parent.view.give.currency;
  const side = isOther ? { side: { currency, unit, rail, parts: 0n } } : {};
  const unallocated = unallocatedOf(parent, { id: newId(), pieces: [payment], held: 'soft', ...side }, newNumber(), tx.now);
  const batch = new Batch(new UnitOfWork(tx), await openDesk(tx, [parent]), sender, [parent]);
  batch.openStray(unallocated, [leg(accounts.suspense(unit), accounts.stray(unallocated.view.id, unit), parts)], parent);
  await batch.commit();
}
