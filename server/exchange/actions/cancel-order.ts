import { Problem } from '@kurs/contract';
import { alone } from '../../collecting/index.ts';
import type { Db } from '../../platform/index.ts';
import { Batch } from '../apply/batch.ts';
import { DeskState } from '../apply/desk-state.ts';
import type { Sender } from '../letters/letters.ts';
import { lockOrder } from '../order/store/order-store.ts';
import { orderByToken } from '../views/track.ts';

/**
 * Cancels an unpaid order and releases its reserve. Returns the status of an order that has already ended unpaid. Throws
 * `order_not_found`, and `order_changed` if a payment was seen. The receiving address stays watched, so no later payment is lost.
 */
export async function cancelOrder(
  { db, sender }: { db: Db; sender: Sender },
  input: { id: string; token: string | undefined },
): Promise<'cancelled' | 'expired'> {
  const seen = await orderByToken(db, sender.tokens, input);
  return alone(db, async (unit) => {
    const { tx } = unit;
    const order = await lockOrder(tx, seen.number);
    if (!order) throw new Problem('order_not_found');
    const { id, state } = order.view;
    if (state === 'cancelled' || state === 'expired') return state;
    const batch = new Batch(unit, new DeskState(tx.now), sender, [order]);
    if (batch.decide(id, { type: 'cancel' }, { who: 'C' }).refused !== undefined) throw new Problem('order_changed');
    await batch.save();
    return 'cancelled';
  });
}
