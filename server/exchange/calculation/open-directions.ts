// Unallocated payments without a direction: a foreign payment, or money of another owner. Their customers may name one.

import { breakdownFor } from '../machine/offers.ts';
import { closedNow, currentTerms, currentView, reserveOf } from '../../pricing/index.ts';
import type { OrderView } from '../order/order.ts';

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
