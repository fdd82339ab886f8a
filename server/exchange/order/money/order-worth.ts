// Values the money in an order at the newest rates.

import { assetOf, money } from '@kurs/money';
import { latest, usdValue } from '../../../rates/index.ts';
import type { OrderView } from '../order.ts';

/**
 * Returns the current worth in cents of USD of the customer's money in an order, both sides together. Undefined while one of its
 * assets has no price. The worth at the placing can't be used here: rates have moved since, and an unallocated payment has no
 * such worth.
 */
export function worthNow({ give, get, positions }: OrderView): bigint | undefined {
  const snapshot = latest();
  const stands = [
    { unit: give.unit, parts: positions.in + positions.unclaimedIn },
    { unit: get?.unit ?? give.unit, parts: positions.out + positions.unclaimedOut },
  ].filter(({ parts }) => parts > 0n);
  if (!snapshot || stands.some(({ unit }) => !snapshot.body.assets[assetOf(unit)])) return undefined;
  return stands.reduce((sum, { unit, parts }) => sum + usdValue(snapshot, money(unit, parts)).parts, 0n);
}
