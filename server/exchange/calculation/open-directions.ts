// Unallocated payments without a direction: a foreign payment, or money of another owner. Their customers may name one.

import { levelOf, payerLevel } from '../../compliance/index.ts';
import type { Statements } from '../../platform/index.ts';
import { breakdownFor } from '../machine/offers.ts';
import { closedNow, currentTerms, currentView, reserveOf } from '../../pricing/index.ts';
import type { OrderView } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';

/** True if the customer of an unallocated payment may name the currency that they want for it. */
export const lacksDirection = ({ kind, state, get, positions }: OrderView): boolean =>
  kind === 'unallocated' && state === 'choosing' && get === undefined && positions.in > 0n;

/**
 * Returns the currencies for which the money of an unallocated payment can be exchanged now, in the order of lists: the direction
 * is open, and the desk has enough. Empty if the customer may not name a currency.
 */
export function openDirections(view: OrderView): string[] {
  if (!lacksDirection(view)) return [];
  const { give, positions } = view;
  return currentView()
    .directions.filter((one) => one.from === give.currency && closedNow(one) === undefined)
    .filter(({ from, to }) => {
      const got = breakdownFor(positions.in, currentTerms(from, to)?.terms)?.get.parts;
      return got !== undefined && got <= reserveOf(to).parts;
    })
    .toSorted((a, b) => a.position - b.position)
    .map(({ to }) => to);
}

/**
 * Returns the currencies that a customer may name for an unallocated payment. A payment that can be taken back for months is
 * exchanged only for account holders who may pay orders with it: anybody else's goes back to where it came from.
 */
export async function directionsFor(db: Statements, { view, holderId }: StoredOrder): Promise<string[]> {
  const open = openDirections(view);
  if (open.length === 0 || !view.pinned.isReversible) return open;
  return (await levelOf(db, holderId)) < payerLevel(view.give.currency) ? [] : open;
}
