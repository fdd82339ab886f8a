// What this room offers to the tests of those above it: coupons without conditions.

import type { Journal } from '../ledger/index.ts';
import type { Tx } from '../platform/index.ts';
import { type CouponsWanted, makeCoupons } from './make-coupons.ts';

/** A coupon for everybody and everything, once each, but for what is said. */
const plainCoupon = (
  own: Pick<CouponsWanted, 'code' | 'kind' | 'percent' | 'value' | 'most'> & Partial<CouponsWanted>,
): CouponsWanted => ({
  ...{ count: 1, uses: 1, perCustomer: 1, startsAt: undefined, endsAt: undefined, directions: undefined, least: 0n },
  ...{ firstOnly: false, emailKey: undefined },
  ...own,
});

/** Makes coupons as somebody of the desk; gives the journals of what is set aside for them. */
export async function makePlain(tx: Tx, ...all: Parameters<typeof plainCoupon>[0][]): Promise<Journal[]> {
  const journals: Journal[] = [];
  for (const one of all) journals.push(...(await makeCoupons(tx, plainCoupon(one), ['ann'])).journals);
  return journals;
}
