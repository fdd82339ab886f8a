// Gives an unallocated payment a direction, if it has none: the currency and account for which its customer wants to exchange it.

import { Problem, fieldProblem } from '@kurs/contract';
import type { UnitOfWork } from '../../collecting/index.ts';
import { currencyOf } from '../../payments/index.ts';
import { Batch } from '../apply/batch.ts';
import { openDesk } from '../apply/desk-state.ts';
import { allowance } from '../apply/fire-timers.ts';
import { lacksDirection, openDirections } from '../calculation/open-directions.ts';
import type { Sender } from '../letters/letters.ts';
import { makeOffer } from '../machine/offers.ts';
import type { OrderView, RailAccount } from '../order/order.ts';
import { requireAsStored } from '../order/store/order-mac.ts';
import { type StoredOrder, saveDirection } from '../order/store/order-store.ts';

/** Currency that a customer wants, and their account for it. */
export interface NamedDirection {
  readonly currency: string;
  readonly account: RailAccount;
}

/**
 * Throws `validation` on `to` if the money of an unallocated payment can't be exchanged for a currency now, and `choice_not_open`
 * if no currency can be named for it.
 */
export function requireOpenDirection(view: OrderView, to: string | undefined): string {
  if (!lacksDirection(view)) throw new Problem('choice_not_open');
  if (to === undefined) throw fieldProblem('to', 'required');
  if (!openDirections(view).includes(to)) throw fieldProblem('to', 'direction_not_open');
  return to;
}

/**
 * Stores the direction of a locked unallocated payment. The caller saves the batch. Throws the problems of `requireOpenDirection`,
 * and `choice_not_open` if there is nothing to offer to this customer in the direction.
 */
export async function nameDirection(
  unit: UnitOfWork,
  sender: Sender,
  order: StoredOrder,
  { currency, account: { fields, key } }: NamedDirection,
): Promise<Batch> {
  const { tx } = unit;
  const { view } = requireAsStored(order);
  requireOpenDirection(view, currency);
  const { unit: asset, rail } = currencyOf(currency) ?? {};
  if (asset === undefined || rail === undefined) throw fieldProblem('to', 'direction_not_open');
  const directed: StoredOrder = {
    ...order,
    view: { ...view, get: { currency, unit: asset, rail, parts: 0n }, receive: { fields, key } },
  };
  const batch = new Batch(unit, await openDesk(tx, [directed]), sender, [directed]);
  const offer = makeOffer(directed.view, batch.context(view.id, await allowance(tx, directed)));
  if (!offer) throw new Problem('choice_not_open');
  await saveDirection(tx, directed);
  batch.note(view.id, 'direction_named', (one) => ({ ...one, facts: { ...one.facts, offer, offers: offer.number } }), {
    who: 'C',
  });
  return batch;
}
