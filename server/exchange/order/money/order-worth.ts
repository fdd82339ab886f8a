// What stands in an order is worth, by the newest rates.

import { assetOf, money } from '@kurs/money';
import { latest, usdValue } from '../../../rates/index.ts';
import type { OrderView } from '../order.ts';

/**
 * Cents of USD that the customer's money in an order is worth now, both sides together, wherever it stands; undefined
 * while one of its assets has no price. (What an order was worth when placed says nothing of an unallocated payment, nor of today.)
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
