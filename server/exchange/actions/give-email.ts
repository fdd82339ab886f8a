// Gives an unallocated payment the address of its payer, if none is known.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { alone } from '../../collecting/index.ts';
import type { Db } from '../../platform/index.ts';
import { Batch } from '../apply/batch.ts';
import { DeskState } from '../apply/desk-state.ts';
import { type LetterKind, situationOf } from '../letters/letter-kind.ts';
import type { Sender } from '../letters/letters.ts';
import type { OrderView } from '../order/order.ts';
import { requireAsStored } from '../order/store/order-mac.ts';
import { type StoredOrder, lockOrder, saveEmail } from '../order/store/order-store.ts';
import { orderByToken } from '../views/track.ts';

/**
 * Stores the address of an unallocated payment that has none, and mails its usual letter there. A caller with the payment's
 * secret may give it, once. Throws `order_not_found`, `record_altered`, and `order_changed` if there is an address already.
 */
export async function giveEmail(
  { db, sender }: { readonly db: Db; readonly sender: Sender },
  input: Input<Routes['orderEmail']>,
): Promise<StoredOrder> {
  await orderByToken(db, sender.tokens, input);
  return alone(db, async (unit) => {
    const { tx } = unit;
    const stored = await lockOrder(tx, input.id);
    if (!stored) throw new Problem('order_not_found');
    if (requireAsStored(stored).email !== '') throw new Problem('order_changed');
    const order = { ...stored, email: input.email };
    const { id } = order.view;
    await saveEmail(tx, order);
    const batch = new Batch(unit, new DeskState(tx.now), sender, [order]);
    batch.note(id, 'email_given', (view) => view, { who: 'C' });
    const [kind, once] = letterFor(order.view);
    batch.letter(id, kind, once);
    await batch.save();
    return batch.order(id);
  });
}

/** Returns the letter that the customer would have got, had their address been known. */
function letterFor(view: OrderView): [kind: LetterKind, once?: string] {
  if (view.state === 'holding') return ['checking'];
  if (view.state === 'choosing') return ['needs_you', 'choosing'];
  return situationOf(view) === undefined ? ['link'] : ['needs_you', `email ${view.version}`];
}
